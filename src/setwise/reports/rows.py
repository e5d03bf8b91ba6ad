"""A table as a value: its rows, their cells, and why some are blank."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from setwise.metrics import find_metric
from setwise.records.measured import NO_SPREAD, Estimate
from setwise.reports.inputs import Run
from setwise.reports.methods import block, label
from setwise.reports.paper import printed

BLANK = "–"  # noqa: RUF001
BEST_POSSIBLE = "Best possible (Bayes)"
NOT_COMPARABLE = "blank: over repeated samples this number means something else, so it is not compared"
NOT_MEASURED = "blank: this run does not have this number"


@dataclass(frozen=True, slots=True)
class Cell:
    metric: str
    number: Estimate | None
    bold: bool = False
    paper: float | None = None
    why_blank: str = ""
    beside: str = ""
    """The number needed to read this one: the floor of an ECE, the base rate of a Brier score."""

    @property
    def value(self) -> str:
        return BLANK if self.number is None else find_metric(self.metric).shown(self.number.value)

    @property
    def interval(self) -> str:
        if self.number is None or self.number.low is None or self.number.high is None:
            return ""
        shown = find_metric(self.metric).shown
        return f"{shown(self.number.low)} to {shown(self.number.high)}"

    @property
    def doubt(self) -> str:
        """Why its interval is not informative, if so."""
        return "" if self.number is None or self.number.has_spread else NO_SPREAD


@dataclass(frozen=True, slots=True)
class TableRow:
    label: str
    cells: Sequence[Cell]
    block: str = ""
    note: str = ""
    run: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    key: str
    title: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[TableRow] = ()
    first_column: str = "Method"
    folded: bool = False
    """A table of details, shown on demand."""


def measured(run: Run, columns: Sequence[str], best: Collection[tuple[str, str]] = (), note: str = "") -> TableRow:
    """What one run has in each column."""
    cells = [cell(run, metric, bold=(run.name, metric) in best) for metric in columns]
    return TableRow(label(run), cells, block(run), note, run.name)


def cell(run: Run, metric: str, *, bold: bool) -> Cell:
    number = run.numbers.get(metric)
    if run.is_sampled and find_metric(metric).set_level:
        return Cell(metric, None, why_blank=NOT_COMPARABLE)
    if number is None:
        return Cell(metric, None, why_blank=NOT_MEASURED)
    return Cell(metric, number, bold, printed(run.task, run.method, run.k, metric), beside=_beside(run, metric))


def _beside(run: Run, metric: str) -> str:
    other, words = find_metric(metric).beside or ("", "")
    reference = run.numbers.get(other)
    return "" if reference is None else f"{words} {find_metric(metric).shown(reference.value)}"


def best_possible(runs: Sequence[Run], columns: Sequence[str]) -> list[TableRow]:
    known = next((run.best_possible for run in runs if run.best_possible), {})
    if not any(metric in known for metric in columns):
        return []
    cells = [Cell(m, Estimate(known[m]) if m in known else None, why_blank=NOT_MEASURED) for m in columns]
    note = "what no model can beat, since the truth of this task is known"
    return [TableRow(BEST_POSSIBLE, cells, BEST_POSSIBLE, note)]
