"""`tables.tex`: every table as a `tabular`, to be included in a paper that loads booktabs."""

from collections.abc import Iterable

from setwise.reports.catalogue import METRICS
from setwise.reports.document import Document
from setwise.reports.tables import BLANK, Cell, Row, Table

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        BLANK: "--",
    }
)


def to_latex(document: Document) -> str:
    parts = [r"% Needs \usepackage{booktabs}."]
    for section in document.sections:
        for table in section.tables:
            parts += [f"% {_comment(f'{section.title}: {table.title}')}", _tabular(table, document.has_paper)]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text that LaTeX prints as it is.

    >>> escape("50 % of a_b")
    '50 \\\\% of a\\\\_b'
    """
    return " ".join(text.split()).translate(_ESCAPES).encode("utf-8", "replace").decode()


def _comment(text: str) -> str:
    return " ".join(text.split()).encode("utf-8", "replace").decode()


def _tabular(table: Table, paper: bool) -> str:
    head = [table.first_column, *(METRICS[key].label + METRICS[key].arrow for key in table.columns)]
    lines = [rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}", r"\toprule", _line(map(escape, head)), r"\midrule"]
    shown = table.rows[0].block if table.rows else ""
    for row in table.rows:
        if row.block != shown:
            lines.append(r"\midrule")
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
