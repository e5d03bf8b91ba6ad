"""`setwise calibrate`: learn how reliable a run's confidences are, and what they can promise."""

import argparse
from pathlib import Path

from setwise.calibration import Profile, learn_profile
from setwise.calibration.held_out import LEVELS, MEASURED
from setwise.calibration.ranked import RankedMap
from setwise.calibration.rule import step_of
from setwise.cli.options import require_at_least
from setwise.cli.terminal import print_table
from setwise.errors import InputError
from setwise.metrics.stated import STATED
from setwise.records.run import RunFolder

HELP = """Learn from a labelled run how its stated confidences relate to the truth. The profile gives `ask` and `serve`
calibrated confidences, and how many answers to keep so that a right one is among them with a promised probability.

  setwise calibrate runs/eval-multi --out profile.json
  setwise calibrate runs/eval-multi --out profile-5.json --samples 5     # for sets merged from five completions

RUN is a folder of `setwise eval`. setwise asks no model and judges nothing again."""

SHOWN_ALPHAS = (0.05, 0.1, 0.2, 0.3)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="a run folder with labels")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the profile to write")
    parser.add_argument("--samples", type=int, metavar="N", help="merge this many completions into each set")
    parser.add_argument("--seed", type=int, default=0, help="seed that splits the problems into parts (default: 0)")


def run(args: argparse.Namespace) -> int:
    if args.samples is not None:
        require_at_least(1, "--samples", args.samples)
    require_at_least(0, "--seed", args.seed)
    if args.out.is_dir():
        raise InputError("the profile is a file, and this is a folder", place=args.out)
    profile = learn_profile(RunFolder(args.run_folder), args.samples, args.seed)
    profile.write(args.out)
    _print_held_out(profile)
    _print_promises(profile)
    _print_samples(profile)
    print(f"profile: {args.out}")  # noqa: T201
    return 0


def _print_held_out(profile: Profile) -> None:
    maps = {"answers": profile.scale.answers, "sets": profile.scale.prefixes}
    shapes = "; ".join(f"{level}: {_shape(maps[level], level)}" for level in LEVELS)
    rows = []
    for level in LEVELS:
        before, after = profile.held_out.before[level], profile.held_out.after[level]
        for name in MEASURED:
            sides = [side[name].text() if name in side else "-" for side in (before, after)]
            rows.append((f"{level}, {STATED[name].label}", *sides))
    title = f"{profile.problems:,} problems, on folds the maps were not learnt from ({shapes})"
    print_table(title, rows, ("", "stated", "calibrated"))


def _shape(ranked: RankedMap, level: str) -> str:
    each = "rank" if level == "answers" else "length"
    return f"{ranked.kind} by {each}" if ranked.by_rank else ranked.kind


def _print_promises(profile: Profile) -> None:
    best = profile.best_alpha
    offered = {*SHOWN_ALPHAS, best} if best < 1 else {*SHOWN_ALPHAS}
    rows = []
    for alpha in sorted(offered):
        step = step_of(alpha) - 1
        answered, size = profile.answered["answered"][step], profile.answered["size"][step]
        cells = (f"{1 - answered:.0%}", f"{size:.2f}") if profile.reachable(alpha) else ("out of reach", "-")
        rows.append((f"{alpha:.2f}", *cells))
    print_table("what can be promised", rows, ("alpha", "passed on", "answers kept"))
    if best > 1:
        print("no alpha can be promised with this model")  # noqa: T201
    else:
        print(f"smallest alpha that can be promised: {best:.2f}")  # noqa: T201


def _print_samples(profile: Profile) -> None:
    if not profile.best_by_samples:
        print("one completion of each problem: how many samples an alpha needs cannot be known")  # noqa: T201
        return
    cells = [
        f"{number}: {'none' if best is None else f'{best:.2f}'}" for number, best in profile.best_by_samples.items()
    ]
    print(f"smallest alpha by completions joined: {', '.join(cells)}")  # noqa: T201
