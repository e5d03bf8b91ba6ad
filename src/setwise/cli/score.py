"""`setwise score`: stored completions in, numbers out."""

import argparse
from pathlib import Path

from setwise.cli.terminal import print_table, progress
from setwise.matching import named
from setwise.objectives import OBJECTIVES, PRESETS, Objective, Regime
from setwise.records import count_lines
from setwise.scoring import Score
from setwise.workflows.score_file import Source, Stored, Summary, score_file

HELP = """Score completions that are already there. No model is asked and nothing is downloaded.

Each line of FILE is a JSON object with the model's text and the problem it answers:
  {"completion": "<think>...</think><answer1>...", "problem": {"id": "7", "question": "...", "golds": ["Gout"]}}
or only the problem's id, with the problems in a file of their own (--problems):
  {"completion": "...", "id": "7"}
A gold may be {"text": "Gout", "aliases": ["podagra"]}; a code problem has "tests" instead of "golds".

Every scored record goes to --out; a table of the means is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="completions, JSON lines")
    parser.add_argument("--objective", required=True, metavar="NAME", help=f"one of {', '.join(OBJECTIVES)}")
    parser.add_argument("--k", type=int, help="candidates per completion (default: 1 for single, 3 for multi)")
    parser.add_argument(
        "--regime",
        default=str(Regime.INCLUSIVE),
        help="inclusive (several candidates can be right; the default) or exclusive (at most one)",
    )
    parser.add_argument("--problems", type=Path, metavar="FILE", help="problems, JSON lines, found by id")
    parser.add_argument("--matcher", default="exact", help="exact (default), fuzzy, fuzzy:85, math or code")
    parser.add_argument("--preset", default="paper", help=f"reward preset: {' or '.join(PRESETS)} (default: paper)")
    parser.add_argument("--no-analysis", action="store_true", help="rlcr-single without the <analysis> tag")
    parser.add_argument("--think-opened", action="store_true", help="the chat template already wrote <think>")
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="label what can be recovered from broken formats, as evaluation does; rewards stay strict",
    )
    parser.add_argument("--each", action="store_true", help="print a line for each completion as well")
    parser.add_argument("--out", type=Path, metavar="FILE", help="scored records (default: FILE with .scored.jsonl)")


def run(args: argparse.Namespace) -> int:
    objective = Objective(
        args.objective,
        args.k,
        regime=args.regime,
        preset=args.preset,
        analysis=not args.no_analysis,
        think_opened=args.think_opened,
    )
    out = args.out or args.file.with_suffix(".scored.jsonl")
    source = Source(args.file, args.problems)
    each: list[tuple[str, ...]] = []
    with progress("scoring", count_lines(args.file)) as on_progress:
        summary = score_file(
            source,
            objective,
            out,
            matcher=named(args.matcher),
            strict=not args.lenient,
            on_progress=on_progress,
            on_score=lambda stored, score: each.append(_row(stored, score)) if args.each else None,
        )
    if args.each:
        header = ("completion", "reward", "format", "correct", "calibration", "answers")
        print_table("Each completion (+ right, - wrong)", each, header)
    _print_summary(summary)
    print(f"scored records: {out}")  # noqa: T201
    return 0


def _row(stored: Stored, score: Score) -> tuple[str, ...]:
    terms = (score.reward, score.format, score.correctness, score.calibration)
    return (stored.problem.id, *("-" if term is None else f"{term:.2f}" for term in terms), _answers(score))


def _answers(score: Score) -> str:
    if score.error:
        return score.error
    if score.malformed:
        return str(score.malformed.reason)
    pairs = zip(score.answers, score.labels, strict=True)
    return ", ".join(f"{'+' if right else '-'} {answer}" for answer, right in pairs) + (
        f" ({score.broken})" if score.broken else ""
    )


def _print_summary(summary: Summary) -> None:
    rows = [(name, "-" if value is None else f"{value:.3f}") for name, value in summary.rows()]
    rows += [(f"parse/{reason}", f"{count:,}") for reason, count in summary.reasons.most_common()]
    rows += [(f"rule/{rule}", f"{count:,}") for rule, count in summary.rules.most_common()]
    if summary.n_errors:
        rows.append(("not scored: the machinery failed", f"{summary.n_errors:,}"))
    objective = summary.objective
    print_table(f"{summary.n:,} completions, {objective.name}, K = {objective.k}, {objective.regime}", rows)
