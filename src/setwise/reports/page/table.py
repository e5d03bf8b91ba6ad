"""A table as HTML: sortable, with a tooltip for every cell."""

from collections.abc import Sequence

from setwise.metrics import find_metric
from setwise.reports.figures.figure import Data
from setwise.reports.page.escapes import shown
from setwise.reports.rows import BEST_POSSIBLE, Cell, Table, TableRow


def table_html(table: Table) -> str:
    head = "".join(_head(key) for key in table.columns)
    body, block = [], None
    for row in table.rows:
        if row.block != block and row.block and row.block != BEST_POSSIBLE:
            width = len(table.columns) + 1
            body.append(f'<tr class="block"><th scope="rowgroup" colspan="{width}">{shown(row.block)}</th></tr>')
        block = row.block
        body.append(_row(row))
    first = f'<th scope="col"><button type="button" class="sort">{shown(table.first_column)}</button></th>'
    grid = (
        f'<div class="scroll"><table class="numbers" id="{table.key}"><thead><tr>{first}{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )
    caption = f'<p class="caption">{shown(table.caption)}</p>' if table.caption else ""
    if table.folded:
        return f"<details><summary>{shown(table.title)}</summary>{caption}{grid}</details>"
    return f"<h3>{shown(table.title)}</h3>{grid}{caption}"


def data_html(data: Data) -> str:
    """A plain table of text."""
    head = "".join(f'<th scope="col">{shown(name)}</th>' for name in data.header)
    return (
        f'<div class="scroll"><table class="plain"><thead><tr>{head}</tr></thead>'
        f"<tbody>{_lines(data.rows)}</tbody></table></div>"
    )


def _lines(rows: Sequence[Sequence[str]]) -> str:
    return "".join("<tr>" + "".join(f"<td>{shown(cell)}</td>" for cell in row) + "</tr>" for row in rows)


def _head(key: str) -> str:
    metric = find_metric(key)
    return (
        f'<th scope="col" data-metric="{shown(key)}"><button type="button" class="sort">'
        f'{shown(metric.label)}<span aria-hidden="true">{metric.arrow}</span></button></th>'
    )


def _row(row: TableRow) -> str:
    kind = ' class="best-possible"' if row.block == BEST_POSSIBLE else ""
    note = f'<span class="note">{shown(row.note)}</span>' if row.note else ""
    told = f' data-run="{shown(row.run)}"' if row.run else ""
    return f'<tr{kind}{told}><th scope="row">{shown(row.label)}{note}</th>{"".join(map(_cell, row.cells))}</tr>'


def _cell(cell: Cell) -> str:
    told = [f'data-metric="{shown(cell.metric)}"']
    if cell.number is not None:
        told.append(f'data-value="{cell.number.value!r}"')
    for name, text in (("interval", cell.interval), ("doubt", cell.doubt), ("blank", cell.why_blank)):
        if text:
            told.append(f'data-{name}="{shown(text)}"')
    value = f"<strong>{cell.value}</strong>" if cell.bold else f"<span>{cell.value}</span>"
    if cell.interval:
        between = " to " if "-" in cell.interval else "–"  # noqa: RUF001
        value += f'<small class="interval">{shown(cell.interval.replace(" to ", between))}</small>'
    if cell.beside:
        value += f'<small class="interval">{shown(cell.beside)}</small>'
    if cell.paper is not None:
        printed = find_metric(cell.metric).shown(cell.paper)
        told.append(f'data-paper="{printed}"')
        value += f'<small class="paper">paper {printed}</small>'
    return f"<td {' '.join(told)}>{value}</td>"
