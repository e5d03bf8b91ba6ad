"""`setwise score`: stored completions in, numbers out."""

import argparse
import sys
from pathlib import Path

from setwise.answers import PARSE
from setwise.cli.options import add_metric_argument, load_metrics
from setwise.cli.terminal import print_table, progress, told_apart
from setwise.matching import named
from setwise.matching.broken import name_broken
from setwise.objectives import OBJECTIVES, PRESETS, Objective, Regime
from setwise.records.files import count_lines
from setwise.records.score import Score
from setwise.rewards import terms_of
from setwise.workflows.score_file import Source, StoredSample, Summary, score_file

HELP = """Score stored completions. No model is asked and nothing is downloaded.

Each line of FILE is a JSON object with the model's text and the problem it answers:
  {"text": "<think>...</think><answer1>...", "problem": {"id": "7", "question": "...", "golds": ["Gout"]}}
or only the problem's id, with the problems in another file (--problems):
  {"text": "...", "problem": "7"}
A gold may be {"text": "Gout", "aliases": ["podagra"]}; a code problem has "tests" instead of "golds". The
samples.jsonl of `setwise eval` has this format.

setwise writes every scored record to --out and prints a table of the means."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="completions as JSON lines")
    parser.add_argument("--objective", required=True, metavar="NAME", help=f"one of {', '.join(OBJECTIVES)}")
    parser.add_argument("--k", type=int, help="answers per completion (default: 1 for single, 3 for multi)")
    parser.add_argument(
        "--regime",
        default=str(Regime.INCLUSIVE),
        help="inclusive (several answers can be right; the default) or exclusive (at most one)",
    )
    parser.add_argument("--problems", type=Path, metavar="FILE", help="problems as JSON lines, looked up by id")
    parser.add_argument("--matcher", default="exact", help="exact (default), fuzzy:85, math, code or module:name")
    parser.add_argument("--preset", default="paper", help=f"reward preset: {' or '.join(PRESETS)} (default: paper)")
    add_metric_argument(parser)
    parser.add_argument("--no-analysis", action="store_true", help="expect no <analysis> tag in rlcr-single")
    parser.add_argument("--think-opened", action="store_true", help="the chat template already writes <think>")
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="also label what can be recovered from broken formats, as evaluation does; rewards stay strict",
    )
    parser.add_argument("--each", action="store_true", help="also print a line per completion")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="file for scored records (default: FILE ending in .scored.jsonl)"
    )


def run(args: argparse.Namespace) -> int:
    load_metrics(args)
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
            on_score=lambda stored, score: each.append(_row(stored, score, objective)) if args.each else None,
        )
    if args.each:
        header = ("completion", "reward", *(term.name for term, _ in terms_of(objective)), "answers")
        print_table("Each completion (+ right, - wrong)", each, header)
    _print_summary(summary)
    print(f"scored records: {out}")  # noqa: T201
    return 0


def _row(stored: StoredSample, score: Score, objective: Objective) -> tuple[str, ...]:
    values = (score.reward, *(score.terms.get(term.name) for term, _ in terms_of(objective)))
    return (stored.sample.id, *("-" if value is None else f"{value:.2f}" for value in values), _answers(score))


def _answers(score: Score) -> str:
    if score.error or score.malformed:
        return score.verdict
    pairs = zip(score.answers, score.labels, strict=True)
    return ", ".join(f"{'+' if right else '-'} {answer}" for answer, right in pairs) + (
        f" ({score.violated})" if score.violated else ""
    )


def _print_summary(summary: Summary) -> None:
    rows = [(told_apart(name), "-" if value is None else f"{value:.3f}") for name, value in summary.rows()]
    rows += [(told_apart(f"{PARSE}{reason}"), f"{count:,}") for reason, count in summary.reasons.most_common()]
    rows += [(f"rule/{rule}", f"{count:,}") for rule, count in summary.rules.most_common()]
    if summary.broken:
        rows.append(("left out: the problem is broken", f"{summary.n_left_out:,}"))
        print(f"setwise: warning: {name_broken(summary.broken)}", file=sys.stderr)  # noqa: T201
    if summary.n_errors:
        rows.append(("not scored: the machinery failed", f"{summary.n_errors:,}"))
    objective = summary.objective
    print_table(f"{summary.n:,} completions, {objective.name}, K = {objective.k}, {objective.regime}", rows)
