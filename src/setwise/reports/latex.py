"""`tables.tex`: every table as a `tabular`, to be included in a paper that loads booktabs."""

from collections.abc import Iterable

from setwise.evaluation.latex import comment, escape
from setwise.reports.catalogue import METRICS
from setwise.reports.document import Document
from setwise.reports.rows import Cell, Row, Table


def to_latex(document: Document) -> str:
    parts = [r"% Needs \usepackage{booktabs}."]
    for section in document.sections:
        for table in section.tables:
            parts += [comment(f"{section.title}: {table.title}"), _tabular(table, document.has_paper)]
    return "\n\n".join(parts) + "\n"


def _tabular(table: Table, paper: bool) -> str:
    head = [table.first_column, *(METRICS[key].label + METRICS[key].arrow for key in table.columns)]
    lines = [rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}", r"\toprule", _line(map(escape, head)), r"\midrule"]
    shown = ""
    for row in table.rows:
        if shown and row.block != shown:
            lines.append(r"\midrule")
        if row.block not in ("", shown, row.label):
            lines.append(rf"\multicolumn{{{len(head)}}}{{l}}{{\emph{{{escape(row.block)}}}}} \\")
        shown = row.block
        lines.append(_line([_label(row), *(_cell(cell, paper) for cell in row.cells)]))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _label(row: Row) -> str:
    return escape(row.label + (f" ({row.note})" if row.note else ""))


def _cell(cell: Cell, paper: bool) -> str:
    text = escape(cell.value)
    if cell.bold:
        text = rf"\textbf{{{text}}}"
    if cell.interval:
        text += rf" {{\scriptsize [{escape(cell.interval)}]}}"
    if cell.beside:
        text += rf" {{\scriptsize ({escape(cell.beside)})}}"
    if paper and cell.paper is not None:
        text += rf" {{\scriptsize (paper {escape(METRICS[cell.metric].shown(cell.paper))})}}"
    return text
