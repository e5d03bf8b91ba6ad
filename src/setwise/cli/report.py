"""`setwise report`: the paper's tables and figures from any runs, on one page."""

import argparse
import sys
from pathlib import Path

from setwise.cli.options import add_metric_argument, load_metrics
from setwise.cli.terminal import progress
from setwise.errors import MissingDependency
from setwise.statistics import RESAMPLES

HELP = """Make one self-contained page from run folders, with tables, figures and a reader for single problems.

  setwise report runs/rlvr-single runs/rlvr-multi --out report
  setwise report runs/* --out report --no-pdf

RUN is a folder of `setwise eval`, of `setwise train`, or both. DIR gets report.html (opens from disk, needs no
network), report.md, tables.tex and figures/ as SVG, PDF and PNG. No model is asked and nothing is judged anew."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help=f"bootstrap size (default: {RESAMPLES:,})")
    parser.add_argument("--title", default="", help="what the page is called")
    parser.add_argument("--no-pdf", action="store_true", help="figures as SVG only, which needs no matplotlib")
    add_metric_argument(parser)


def run(args: argparse.Namespace) -> int:
    load_metrics(args)
    from setwise.workflows.report import make_report

    formats = ("svg",) if args.no_pdf or not _has_matplotlib() else ("svg", "pdf", "png")
    with progress("problems") as on_progress:
        written = make_report(
            args.runs,
            args.out,
            formats=formats,
            resamples=args.resamples,
            title=args.title,
            on_progress=on_progress,
        )
    if written.beside:
        print(f"reasoning beyond the page's size: {args.out / 'report.reasoning'} ({written.beside} files)")  # noqa: T201
    print(f"report: {written.page}")  # noqa: T201
    return 0


def _has_matplotlib() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        missing = MissingDependency("a figure as PDF or PNG", package="matplotlib", extra="reports")
        print(f"note: figures are written as SVG only; {missing}", file=sys.stderr)  # noqa: T201
        return False
    return True
