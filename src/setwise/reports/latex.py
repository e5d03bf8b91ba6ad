"""`tables.tex`: every table as a `tabular`, for a paper that loads booktabs; and escaping for LaTeX."""

from collections.abc import Iterable

from setwise.metrics import find_metric
from setwise.reports.document import Document
from setwise.reports.rows import Cell, Table, TableRow

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
        # In LaTeX's old default font these three print as other characters.
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "–": "--",  # noqa: RUF001
    }
)


def to_latex(document: Document) -> str:
    parts = [r"% Needs \usepackage{booktabs}."]
    for section in document.sections:
        parts += [comment(f"{section.title}: {note}") for note in section.notes if section.tables]
        for table in section.tables:
            parts += [comment(f"{section.title}: {table.title}"), _tabular(table, document.has_paper)]
    return "\n\n".join(parts) + "\n"


def _tabular(table: Table, paper: bool) -> str:
    head = [table.first_column, *(find_metric(key).label + find_metric(key).arrow for key in table.columns)]
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


def _label(row: TableRow) -> str:
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
        text += rf" {{\scriptsize (paper {escape(find_metric(cell.metric).shown(cell.paper))})}}"
    return text


def escape(text: str) -> str:
    """Text that LaTeX prints as it is, on one line.

    >>> escape("p < 0.001 of a_b")
    'p \\\\textless{} 0.001 of a\\\\_b'
    """
    return _one_line(text).translate(_ESCAPES)


def comment(text: str) -> str:
    """A comment that no line break can end.

    >>> comment("run\\n1")
    '% run 1'
    """
    return f"% {_one_line(text)}"


def _one_line(text: str) -> str:
    """White space as single spaces, and lone surrogates, which models do write, as question marks."""
    return " ".join(text.split()).encode("utf-8", "replace").decode()
