"""A report on disk: `report.html`, `report.md`, `tables.tex` and `figures/`, each written completely or not at all."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from setwise.errors import InputError
from setwise.records.files import naming, replacing
from setwise.reports.canvas.files import export
from setwise.reports.canvas.svg import to_svg
from setwise.reports.document import Document, build_document
from setwise.reports.figures import styles_of
from setwise.reports.inputs import Report
from setwise.reports.latex import to_latex
from setwise.reports.markdown import to_markdown
from setwise.reports.page.html import REASONING_FOLDER, ReaderRun, to_html
from setwise.reports.payload import PAGE_BYTES, Payload, build_payload

FORMATS = ("svg", "pdf", "png")


@dataclass(frozen=True, slots=True)
class Written:
    """Where a report is, and how large its page is."""

    page: Path
    page_bytes: int
    files: Sequence[Path]
    beside: int
    """Files of reasoning that did not fit into the page."""


def write_report(
    report: Report, out: str | Path, *, formats: Sequence[str] = FORMATS, page_bytes: int = PAGE_BYTES
) -> Written:
    """Write everything into the folder `out`. The same report gives the same bytes.

    PDF and PNG need matplotlib; leave them out of `formats` to do without it.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise InputError(f"figures come as {', '.join(FORMATS)}", value=unknown[0])
    folder = Path(out)
    document = build_document(report)
    runs = _reader_runs(report)
    empty = Payload("", (), (), 1)
    rest = len(to_html(document, runs, empty).encode())
    payload = build_payload(report.problems, rest, page_bytes)
    page = folder / "report.html"
    text = to_html(document, runs, payload)
    _write(page, text)
    _write(folder / "report.md", to_markdown(document))
    _write(folder / "tables.tex", to_latex(document))
    _write_reasoning(folder / REASONING_FOLDER, payload)
    figures = _write_figures(document, folder / "figures", formats)
    files = [page, folder / "report.md", folder / "tables.tex", *figures]
    return Written(page, len(text.encode()), files, len(payload.beside))


def _reader_runs(report: Report) -> list[ReaderRun]:
    named = []
    for section in report.sections:
        styles = styles_of(section.runs)
        named += [ReaderRun(styles[run.name].label, styles[run.name].colour) for run in section.runs]
    return named


def _write(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text)


def _write_reasoning(folder: Path, payload: Payload) -> None:
    """Small scripts, because a page opened from disk may load a script but not read other files."""
    if folder.is_dir():
        shutil.rmtree(folder)
    for number, chunk in enumerate(payload.beside, start=len(payload.inline)):
        _write(folder / f"{number:05}.js", f'setwiseReasoning({number},"{chunk}");\n')


def _write_figures(document: Document, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Drawn elsewhere first, so that a failure leaves the old figures."""
    with tempfile.TemporaryDirectory() as scratch, naming(scratch):
        for figure in document.figures:
            drawing = figure.whole()
            if "svg" in formats:
                (Path(scratch) / f"{figure.key}.svg").write_text(to_svg(drawing, themed=False) + "\n", encoding="utf-8")
            if others := [Path(scratch) / f"{figure.key}.{kind}" for kind in formats if kind != "svg"]:
                export(drawing, others)
        folder.mkdir(parents=True, exist_ok=True)
        made = sorted(Path(scratch).iterdir())
        for path in made:
            with replacing(folder / path.name) as stream:
                stream.buffer.write(path.read_bytes())
        return [folder / path.name for path in made]
