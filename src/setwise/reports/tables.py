"""Which rows and columns each table has. `markdown`, `latex` and `page` only write them."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from setwise.metrics import attempt_metrics
from setwise.metrics.stated import FAMILIES
from setwise.reports.best import compared_pairs, winners
from setwise.reports.doubts import cannot_show
from setwise.reports.inputs import DatasetSection, Run
from setwise.reports.left_out import STATES, whole_tables
from setwise.reports.methods import asking, block, by_own_prompt, label, notes, order, stating, swept
from setwise.reports.paper import printed_by_k
from setwise.reports.rows import Cell, Table, TableRow, best_possible, cell, measured

CORRECTNESS = ("coverage", "n_correct", "uniqueness/fraction", "uniqueness", "tokens", "pass_at_1")
CALIBRATION = ("set/ece", "top1/ece", "pooled/ece", "top1/brier", "pooled/brier")
MORE_CORRECTNESS = (
    "pass_at_k",
    "best_at_k",
    "recall",
    "attainable_coverage",
    "n_correct_with_repeats",
    "distinct_correct",
    "strictly_valid",
    "truncated",
    "reasoning_overlap",
)
BESIDE_CALIBRATION = (
    *(
        f"{family}/{name}"
        for family in sorted(FAMILIES, key=("set", "top1", "pooled").index)
        for name in ("ece_floor", "ece_debiased", "smooth_ece", "brier_base_rate", "brier_skill", "auroc")
    ),
    "pooled/auroc_within_places",
    "pass_at_1/most_confident",
    "strictly_valid",
)
"""The last two depend on how confidences were asked for, so they are shown with the runs that state them."""
SUMS = ("set/ece_clipped", "set/sum_above_one", "set/count_gap", "set/count_error")


def section_tables(section: DatasetSection) -> list[Table]:
    """Every table of one dataset, without empty ones."""
    tables = []
    for k, own in whole_tables(section):
        runs = sorted(own, key=order)
        correct, claimed = by_own_prompt(runs), [run for run in runs if STATES in run.numbers]
        tables += [
            _correctness(section, correct, k),
            _calibration(section, claimed, k),
            _detail("more-correctness", "More about correctness", correct, k, _more(), asking),
            _detail("beside-calibration", "Beside the calibration numbers", claimed, k, BESIDE_CALIBRATION, stating),
            _detail("sums", "Sums of confidences", claimed, k, SUMS, stating),
        ]
    tables.append(_by_k([run for own in swept(section.runs).values() for run in own]))
    return [table for table in tables if table is not None]


def _more() -> list[str]:
    """Details on correctness, followed by every metric of other packages."""
    placed = {*CORRECTNESS, *CALIBRATION, *MORE_CORRECTNESS, *BESIDE_CALIBRATION, *SUMS}
    others = [metric.key for metric in attempt_metrics() if metric.reported and metric.key not in placed]
    return [*MORE_CORRECTNESS, *others]


def _correctness(section: DatasetSection, runs: Sequence[Run], k: int) -> Table | None:
    caption = (
        f"Mean over problems with 95 % intervals (bootstrap by problem), K = {k}. Bold: best of its block, and the "
        "difference from every other row of the block survives Holm's correction over this table."
    )
    caption += _too_few(section, runs, CORRECTNESS, block)
    best = winners(section.differences, runs, CORRECTNESS, scope=block)
    return _filled(Table(f"correctness-k{k}", f"Correctness, K = {k}", caption, CORRECTNESS), runs, asking, best)


def _calibration(section: DatasetSection, runs: Sequence[Run], k: int) -> Table | None:
    excess = ", plus what sums exceed 1 by" if section.regime == "exclusive" else ""
    caption = (
        f"Lower is better; 95 % intervals, K = {k}. Floor: what a perfectly calibrated model would show on as many "
        f"answers{excess}. Base rate: the score of knowing nothing but the share right. Pooled and set-level numbers "
        "depend on how a set came about, so they are blank for repeated samples. Bold: best of its column, every "
        "difference surviving Holm's correction."
    )
    caption += _too_few(section, runs, CALIBRATION, _one_scope)
    best = winners(section.differences, runs, CALIBRATION, scope=_one_scope)
    return _filled(Table(f"calibration-k{k}", f"Calibration, K = {k}", caption, CALIBRATION), runs, stating, best)


def _one_scope(run: Run) -> str:
    return ""


def _too_few(section: DatasetSection, runs: Sequence[Run], columns: Sequence[str], scope: Callable[[Run], str]) -> str:
    """A sentence to follow the caption, if there are too few problems to make any number bold."""
    compared = compared_pairs(section.differences, runs, columns, scope)
    said = cannot_show(list(compared.values()), len(compared))
    return f" {said}" if said else ""


def _detail(
    key: str, title: str, runs: Sequence[Run], k: int, metrics: Iterable[str], told: Callable[[Run], str]
) -> Table | None:
    columns = [metric for metric in metrics if any(metric in run.numbers for run in runs)]
    return _filled(Table(f"{key}-k{k}", f"{title}, K = {k}", "", columns, folded=True), runs, told) if columns else None


def _filled(
    empty: Table, runs: Sequence[Run], told: Callable[[Run], str], best: Collection[tuple[str, str]] = ()
) -> Table | None:
    """The table with one row per run, no two with the same name; None without runs."""
    rows = [measured(run, empty.columns, best, note) for run, note in zip(runs, notes(runs, told), strict=True)]
    return replace(empty, rows=(*rows, *best_possible(runs, empty.columns))) if rows else None


def _by_k(runs: Sequence[Run]) -> Table | None:
    """Coverage as K grows."""
    if not runs:
        return None
    columns = ("coverage", "n_correct", "pass_at_k", "uniqueness/fraction", "tokens")
    rows = []
    for run, note in zip(runs, notes(runs, asking), strict=True):
        cells = [cell(run, metric, bold=False) for metric in columns]
        cells[0] = Cell("coverage", run.numbers.get("coverage"), paper=printed_by_k(run))
        rows.append(TableRow(f"K = {run.k}", cells, label(run), note, run.name))
    caption = "The same method, asked for K answers."
    return Table("by-k", "Coverage by K", caption, columns, rows, first_column="K")
