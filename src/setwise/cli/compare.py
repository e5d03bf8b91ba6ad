"""`setwise compare`: which of several runs is better, and how sure that is."""

import argparse
from pathlib import Path

from setwise.cli.options import add_metric_argument, load_metrics
from setwise.evaluation.compare import compare
from setwise.records.files import replacing
from setwise.reports.comparison_text import FORMATS, render
from setwise.statistics import RESAMPLES

HELP = """Compare runs on the problems they share: a table with 95 % intervals, paired differences with Holm's
correction over the table, and the problems that flipped. Runs with different K make a K sweep.

  setwise compare runs/rlvr-single runs/rlvr-multi
  setwise compare runs/a runs/b runs/c --all-pairs --format latex --out table.tex"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folders; each is compared with the first")
    parser.add_argument("--all-pairs", action="store_true", help="compare every two runs")
    parser.add_argument("--format", choices=FORMATS, default="markdown")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table here instead of printing it")
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help=f"bootstrap size (default: {RESAMPLES:,})")
    add_metric_argument(parser)


def run(args: argparse.Namespace) -> int:
    load_metrics(args)
    comparison = compare(args.runs, all_pairs=args.all_pairs, resamples=args.resamples)
    text = render(comparison, args.format)
    if args.out is None:
        print(text, end="")  # noqa: T201
        return 0
    with replacing(args.out) as out:
        out.write(text)
    print(f"comparison: {args.out}")  # noqa: T201
    return 0
