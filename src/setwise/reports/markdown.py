"""`report.md`: the tables, and links to the figures."""

from collections.abc import Iterable, Sequence

from setwise.metrics import find_metric
from setwise.reports.audits import audit_table
from setwise.reports.document import Document, Figure
from setwise.reports.figures.figure import Data
from setwise.reports.opening_text import plain
from setwise.reports.rows import Cell, Table, TableRow

_SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|~"})


def to_markdown(document: Document) -> str:
    parts = [f"# {escape(document.title)}"]
    for opening in document.openings:
        parts += map(escape, (opening.compared, *map(plain, opening.found), opening.sure))
    for section in document.sections:
        parts.append(f"## {escape(section.title)}")
        parts += map(escape, section.notes)
        for table in section.tables:
            parts += [f"### {escape(table.title)}", escape(table.caption), _table(table, document.has_paper)]
        parts += _figures(section.figures)
    if document.audits:
        parts += ["## Audit", _data(audit_table(document.audits))]
    if document.has_tables:
        parts += ["## What the numbers are", _definitions(document)]
    if document.has_paper:
        parts.append(escape(f"Paper: {document.citation}"))
    return "\n\n".join(part for part in parts if part) + "\n"


def escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line.

    >>> escape("<b> | 1_000")
    '\\\\<b\\\\> \\\\| 1\\\\_000'
    """
    return " ".join(text.split()).translate(_SPECIAL).encode("utf-8", "replace").decode()


def _data(data: Data) -> str:
    """A plain table of text."""
    lines = [data.header, ["---"] * len(data.header), *data.rows]
    return "\n".join("| " + " | ".join(map(escape, line)) + " |" for line in lines)


def _table(table: Table, paper: bool) -> str:
    head = [table.first_column, *(find_metric(key).label + find_metric(key).arrow for key in table.columns)]
    lines = ["| " + " | ".join(map(escape, head)) + " |", "| --- |" + " ---: |" * len(table.columns)]
    shown = ""
    for row in table.rows:
        if row.block and row.block not in (shown, row.label):
            lines.append(f"| *{escape(row.block)}* |" + " |" * len(table.columns))
        shown = row.block
        lines.append("| " + " | ".join([_label(row), *(_cell(cell, paper) for cell in row.cells)]) + " |")
    return "\n".join(lines)


def _label(row: TableRow) -> str:
    return escape(row.label) + (f" ({escape(row.note)})" if row.note else "")


def _cell(cell: Cell, paper: bool) -> str:
    text = f"**{cell.value}**" if cell.bold else cell.value
    if cell.interval:
        text += f" [{cell.interval}]"
    if cell.beside:
        text += f" ({cell.beside})"
    if paper and cell.paper is not None:
        text += f" (paper: {find_metric(cell.metric).shown(cell.paper)})"
    return text


def _figures(figures: Iterable[Figure]) -> list[str]:
    parts = []
    for figure in figures:
        parts.append(f"### {escape(figure.title)}")
        parts.append(f"![{escape(figure.title)}](figures/{figure.key}.svg)")
        parts.append(escape(figure.caption))
    return parts


def _definitions(document: Document) -> str:
    metrics = map(find_metric, shown_metrics(document))
    return "\n".join(f"- **{escape(metric.label)}**: {escape(metric.definition)}" for metric in metrics)


def shown_metrics(document: Document) -> Sequence[str]:
    """The metrics of all tables, in the order met."""
    return list(
        dict.fromkeys(key for section in document.sections for table in section.tables for key in table.columns)
    )
