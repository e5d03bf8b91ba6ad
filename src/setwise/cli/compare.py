"""`setwise compare`: which of several runs is better, and how certain that is."""

import argparse
from pathlib import Path

from setwise.cli.options import add_metric_argument, load_metrics
from setwise.errors import InputError
from setwise.evaluation.compare import compare
from setwise.evaluation.over_seeds import compare_over_seeds
from setwise.records.files import replacing
from setwise.reports.comparison_text import FORMATS, render
from setwise.reports.seed_text import render_over_seeds
from setwise.statistics import RESAMPLES

HELP = """Compare runs on the problems they share: a table with 95 % intervals, paired differences with Holm's
correction over the table, and the problems that flipped. Runs with different K make a K sweep. With --group,
several training runs of each method are compared over seeds as well as problems.

  setwise compare runs/rlvr-single runs/rlvr-multi
  setwise compare runs/a runs/b runs/c --all-pairs --format latex --out table.tex
  setwise compare --group runs/single-0 runs/single-1 --group runs/multi-0 runs/multi-1"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="*", metavar="RUN", help="run folders; each is compared with the first")
    parser.add_argument(
        "--group",
        nargs="+",
        action="append",
        metavar="RUN",
        help="runs of one method with different training seeds; each group is compared with the first; repeatable",
    )
    parser.add_argument("--all-pairs", action="store_true", help="compare every pair of runs")
    parser.add_argument("--format", choices=FORMATS, default="markdown", help="format of the table (default: markdown)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table here instead of printing it")
    parser.add_argument(
        "--resamples", type=int, default=RESAMPLES, help=f"bootstrap resamples (default: {RESAMPLES:,})"
    )
    add_metric_argument(parser)


def run(args: argparse.Namespace) -> int:
    load_metrics(args)
    text = _over_seeds(args) if args.group else _over_problems(args)
    if args.out is None:
        print(text, end="")  # noqa: T201
        return 0
    with replacing(args.out) as out:
        out.write(text)
    print(f"comparison: {args.out}")  # noqa: T201
    return 0


def _over_problems(args: argparse.Namespace) -> str:
    return render(compare(args.runs, all_pairs=args.all_pairs, resamples=args.resamples), args.format)


def _over_seeds(args: argparse.Namespace) -> str:
    if args.runs or args.all_pairs:
        raise InputError("every run belongs to a group here", place="--group", remedy="put the others in one too")
    return render_over_seeds(compare_over_seeds(args.group, resamples=args.resamples), args.format)
