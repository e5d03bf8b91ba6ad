"""Formulas over stated confidences, and how they enter the table of metrics."""

from collections.abc import Callable
from dataclasses import dataclass

from setwise.metrics.registry import METRICS, Better, Metric
from setwise.metrics.stated.pairs import Stated
from setwise.statistics import Statistic

FAMILIES = {
    "top1": ("Top-1", "the answers that users would take (the first of a written set; each of K samples)"),
    "pooled": ("Pooled", "all answers of all sets"),
    "set": (
        "Set",
        "whole sets (the confidence that any answer is right, against whether one is)",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedMetric:
    """A formula over stated confidences."""

    name: str
    label: str
    definition: str
    """`{over}` is replaced by what the family covers."""
    value: Callable[[Stated], float]
    statistic: Callable[[Stated], Statistic]
    better: Better = ""
    digits: int = 3
    lowest: float = 0.0
    highest: float = 1.0
    tested_in: tuple[str, ...] = ()
    beside: tuple[str, str] | None = None
    families: tuple[str, ...] = tuple(FAMILIES)
    """Where it means something."""


STATED: dict[str, StatedMetric] = {}


def add_stated(formula: StatedMetric) -> StatedMetric:
    """Add your own formula to the table, once per family."""
    for family in formula.families:
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
