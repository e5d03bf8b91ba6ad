"""What a formula over stated confidences is, and its place in the table of metrics."""

from collections.abc import Callable
from dataclasses import dataclass

from setwise.metrics.registry import METRICS, Better, Metric
from setwise.metrics.stated.pairs import Stated
from setwise.statistics import Statistic


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedMetric:
    """A formula over stated confidences, in every family."""

    name: str
    label: str
    definition: str
    """`{over}` is where the family says what it is over."""
    value: Callable[[Stated], float]
    statistic: Callable[[Stated], Statistic]
    better: Better = ""
    digits: int = 3
    lowest: float = 0.0
    highest: float = 1.0
    tested_in: tuple[str, ...] = ()
    beside: tuple[str, str] | None = None


FAMILIES = {
    "top1": ("Top-1", "the one answer a user would take (the first of a written set; every one of K samples)"),
    "pooled": ("Pooled", "all answers of all sets"),
    "set": (
        "Set",
        "the set as a whole: its confidence that any of its answers is right, against whether one is",
    ),
}
STATED: dict[str, StatedMetric] = {}


def add_stated(formula: StatedMetric) -> StatedMetric:
    """Put a formula of your own into the table, once for each family."""
    for family in FAMILIES:
        add_to_family(formula, family)
    return formula


def add_to_family(formula: StatedMetric, family: str) -> None:
    STATED[formula.name] = formula
    title, over = FAMILIES[family]
    key = f"{family}/{formula.name}"
    METRICS.add(
        key,
        Metric(
            key=key,
            label=f"{title} {formula.label}",
            definition=formula.definition.format(over=over),
            better=formula.better,
            digits=formula.digits,
            lowest=formula.lowest,
            highest=formula.highest,
            tested=family in formula.tested_in,
            beside=formula.beside and (f"{family}/{formula.beside[0]}", formula.beside[1]),
            set_level=family != "top1",
        ),
    )
