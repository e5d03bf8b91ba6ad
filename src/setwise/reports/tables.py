"""The tables as values; `markdown`, `latex` and `page` only write them down."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from setwise.reports.best import winners
from setwise.reports.catalogue import (
    BESIDE_CALIBRATION,
    CALIBRATION,
    CORRECTNESS,
    METRICS,
    MORE_CORRECTNESS,
    SET_LEVEL,
    SUMS,
)
from setwise.reports.inputs import Number, Run, Section
from setwise.reports.methods import block, label, order, source
from setwise.reports.paper import printed, printed_by_k

BLANK = "–"  # noqa: RUF001
BEST_POSSIBLE = "Best possible (Bayes)"
NOT_COMPARABLE = "blank: over repeated samples this number means something else, so it is not compared"
BESIDE = {"/ece": ("/ece_floor", "floor"), "/brier": ("/brier_base_rate", "base rate")}
NOT_MEASURED = "blank: this run does not have this number"


@dataclass(frozen=True, slots=True)
class Cell:
    metric: str
    number: Number | None
    bold: bool = False
    paper: float | None = None
    why_blank: str = ""
    beside: str = ""
    """The number without which this one misleads: an ECE's floor, a Brier score's base rate."""

    @property
    def value(self) -> str:
        return BLANK if self.number is None else METRICS[self.metric].shown(self.number.value)

    @property
    def interval(self) -> str:
        if self.number is None or self.number.low is None or self.number.high is None:
            return ""
        shown = METRICS[self.metric].shown
        return f"{shown(self.number.low)} to {shown(self.number.high)}"


@dataclass(frozen=True, slots=True)
class Row:
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
    rows: Sequence[Row] = ()
    first_column: str = "Method"
    folded: bool = False
    """A table of detail, shown on demand."""


def section_tables(section: Section) -> list[Table]:
    """Every table of one dataset; one that would be empty is left out."""
    tables = []
    ks = [run.k for run in section.runs]
    for k in sorted(set(ks), key=lambda k: (-ks.count(k), k)):
        runs = sorted((run for run in section.runs if run.k == k), key=order)
        if len(runs) == 1 and _is_swept(runs[0], section):
            continue
        tables += [
            _correctness(section, runs, k),
            _calibration(section, runs, k),
            _detail("more-correctness", "More about correctness", runs, k, MORE_CORRECTNESS),
            _detail("beside-calibration", "Beside the calibration numbers", _stating(runs), k, BESIDE_CALIBRATION),
            _detail("sums", "Sums of confidences", _stating(runs), k, SUMS),
        ]
    tables.append(_by_k(section))
    return [table for table in tables if table is not None]


def _correctness(section: Section, runs: Sequence[Run], k: int) -> Table | None:
    """RLVR-trained models count here by the run that asked for no confidences, where there is one."""
    plain = {run.method for run in runs}
    shown = [run for run in runs if run.method.partition("+")[0] not in plain or "+" not in run.method]
    if not shown:
        return None
    best = winners(section.differences, shown, CORRECTNESS, scope=block)
    caption = (
        f"Mean over problems with 95 % intervals (bootstrap by problem), K = {k}. Bold: best of its block, and the "
        "difference from every other row of the block survives Holm's correction over this table."
    )
    return _filled(Table(f"correctness-k{k}", f"Correctness, K = {k}", caption, CORRECTNESS), shown, best)


def _calibration(section: Section, runs: Sequence[Run], k: int) -> Table | None:
    shown = _stating(runs)
    if not shown:
        return None
    best = winners(section.differences, shown, CALIBRATION, scope=lambda run: "")
    caption = (
        f"Lower is better; 95 % intervals, K = {k}. Floor: what a perfectly calibrated model would show on as many "
        "answers. Base rate: the score of knowing nothing but the share right. Pooled and set-level numbers depend on "
        "how a set came about, so they are blank for repeated samples. Bold: best of its column, every difference "
        "surviving Holm's correction."
    )
    return _filled(Table(f"calibration-k{k}", f"Calibration, K = {k}", caption, CALIBRATION), shown, best, source)


def _detail(key: str, title: str, runs: Sequence[Run], k: int, metrics: Iterable[str]) -> Table | None:
    columns = [metric for metric in metrics if any(metric in run.numbers for run in runs)]
    if not columns:
        return None
    rows = tuple(_row(run, columns, set()) for run in runs)
    return Table(f"{key}-k{k}", f"{title}, K = {k}", "", columns, (*rows, *_best_possible(runs, columns)), folded=True)


def _is_swept(run: Run, section: Section) -> bool:
    """Whether the table by K shows the run already."""
    return any(other.method == run.method and other.k != run.k for other in section.runs)


def _by_k(section: Section) -> Table | None:
    """Coverage as K grows, for every method that was run with several."""
    by_method: dict[str, list[Run]] = {}
    for run in sorted(section.runs, key=order):
        by_method.setdefault(run.method, []).append(run)
    swept = [run for runs in by_method.values() if len({run.k for run in runs}) > 1 for run in runs]
    if not swept:
        return None
    columns = ("coverage", "n_correct", "pass_at_k", "uniqueness/fraction", "tokens")
    rows = []
    for run in swept:
        cells = [_cell(run, metric, bold=False) for metric in columns]
        cells[0] = Cell("coverage", run.numbers.get("coverage"), paper=printed_by_k(run))
        rows.append(Row(f"K = {run.k}", cells, label(run), run=run.name))
    caption = (
        "The same method asked and trained for more answers: coverage falls as K grows, right answers per set rise."
    )
    return Table("by-k", "Coverage by K", caption, columns, rows, first_column="K")


def _filled(
    empty: Table, runs: Sequence[Run], best: set[tuple[str, str]], note: Callable[[Run], str] = lambda run: ""
) -> Table:
    labels = [(label(run), note(run)) for run in runs]
    rows = []
    for run, named in zip(runs, labels, strict=True):
        told = note(run) if labels.count(named) == 1 else run.name
        rows.append(_row(run, empty.columns, best, told))
    return replace(empty, rows=(*rows, *_best_possible(runs, empty.columns)))


def _row(run: Run, columns: Sequence[str], best: set[tuple[str, str]], note: str = "") -> Row:
    cells = [_cell(run, metric, bold=(run.name, metric) in best) for metric in columns]
    return Row(label(run), cells, block(run), note, run.name)


def _cell(run: Run, metric: str, *, bold: bool) -> Cell:
    number = run.numbers.get(metric)
    if run.is_sampled and metric.startswith(SET_LEVEL):
        return Cell(metric, None, why_blank=NOT_COMPARABLE)
    if number is None:
        return Cell(metric, None, why_blank=NOT_MEASURED)
    return Cell(metric, number, bold, printed(run, metric), beside=_beside(run, metric))


def _beside(run: Run, metric: str) -> str:
    for ending, (other, words) in BESIDE.items():
        reference = run.numbers.get(metric.removesuffix(ending) + other)
        if metric.endswith(ending) and reference is not None:
            return f"{words} {METRICS[metric].shown(reference.value)}"
    return ""


def _best_possible(runs: Sequence[Run], columns: Sequence[str]) -> list[Row]:
    known = next((run.best_possible for run in runs if run.best_possible), {})
    if not any(metric in known for metric in columns):
        return []
    cells = [Cell(m, Number(known[m]) if m in known else None, why_blank=NOT_MEASURED) for m in columns]
    return [Row(BEST_POSSIBLE, cells, BEST_POSSIBLE, "what no model can beat, since the truth of this task is known")]


def _stating(runs: Sequence[Run]) -> list[Run]:
    """The runs that state confidences."""
    return [run for run in runs if "top1/brier" in run.numbers]
