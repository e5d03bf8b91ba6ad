"""`setwise report`: the paper's tables and figures from any runs, on one page."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from setwise.cli.options import add_metric_argument, load_metrics
from setwise.cli.terminal import progress
from setwise.errors import MissingDependency
from setwise.statistics import RESAMPLES

if TYPE_CHECKING:
    from setwise.reports import Written

HELP = """Make one self-contained page from run folders, with tables, figures and a reader for single problems.

  setwise report runs/rlvr-single runs/rlvr-multi --out report
  setwise report runs/* --out report --no-pdf
  setwise report runs/demo --out report --watch       # while train and eval are still writing

RUN is a folder of `setwise eval` or `setwise train`, or one that contains such folders. setwise writes report.html
(opens from disk, needs no network), report.md, tables.tex and figures/ (SVG, PDF and PNG) to DIR. It asks no model and
judges nothing again."""

PORT = 8765


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument(
        "--resamples", type=int, default=RESAMPLES, help=f"bootstrap resamples (default: {RESAMPLES:,})"
    )
    parser.add_argument("--title", default="", help="title of the page")
    parser.add_argument("--no-pdf", action="store_true", help="write figures as SVG only; needs no matplotlib")
    parser.add_argument("--watch", action="store_true", help="serve the page and keep it up to date until Ctrl-C")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"port for --watch; 0 picks a free one (default: {PORT})"
    )
    add_metric_argument(parser)


def run(args: argparse.Namespace) -> int:
    load_metrics(args)
    if args.watch:
        return _watch(args)
    from setwise.workflows.report import make_report
    from setwise.workflows.report_progress import run_folders

    formats = ("svg",) if args.no_pdf or not _has_matplotlib() else ("svg", "pdf", "png")
    with progress("problems") as on_progress:
        written = make_report(
            run_folders(args.runs),
            args.out,
            formats=formats,
            resamples=args.resamples,
            title=args.title,
            on_progress=on_progress,
            on_note=_note,
        )
    if written.beside:
        print(f"reasoning beyond the page's size: {args.out / 'report.reasoning'} ({written.beside} files)")  # noqa: T201
    print(f"report: {written.page}")  # noqa: T201
    return 0


def _watch(args: argparse.Namespace) -> int:
    """Writes figures as SVG only, since the page is rebuilt every few seconds."""
    from threading import Event, Thread

    from setwise.workflows.report import make_report
    from setwise.workflows.report_server import ReportServer
    from setwise.workflows.report_watch import Watch

    def make(folders: Sequence[Path]) -> "Written":
        return make_report(folders, args.out, formats=("svg",), resamples=args.resamples, title=args.title)

    watch, stop = Watch(args.runs, make), Event()
    server = ReportServer(watch, args.out, args.port)
    print(f"watching: {server.address} (Ctrl-C ends)", flush=True)  # noqa: T201
    Thread(target=watch.follow, args=(stop,), daemon=True).start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        stop.set()
    finally:
        server.server_close()
    if watch.seen.version:
        print(f"report: {args.out / 'report.html'}")  # noqa: T201
    return 0


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)  # noqa: T201


def _has_matplotlib() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        missing = MissingDependency("a figure as PDF or PNG", package="matplotlib", extra="reports")
        _note(f"figures are written as SVG only; {missing}")
        return False
    return True
