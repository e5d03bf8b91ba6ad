"""What a table cannot show, in sentences: too few problems, no spread, runs whose judge is not on record."""

from collections.abc import Sequence
from math import ceil, log2
from typing import Protocol

from setwise.metrics import find_metric
from setwise.records.comparison import ALPHA, Difference
from setwise.records.measured import NO_SPREAD
from setwise.reports.rows import Table
from setwise.statistics import EXACT_UP_TO


class Judged(Protocol):
    """How a run was judged."""

    @property
    def name(self) -> str: ...
    @property
    def matcher(self) -> str: ...
    @property
    def setwise(self) -> str: ...


def cannot_show(differences: Sequence[Difference], comparisons: int) -> str:
    """Why no difference, however large, can survive Holm's correction over this many comparisons; empty if one can."""
    if not differences:
        return ""
    best = min(differences, key=lambda each: each.least_p)
    corrected = best.least_p * comparisons
    if corrected <= ALPHA:
        return ""
    least = f"the least p possible is {best.least_p:.2g}"
    if comparisons > 1:
        least += f", {min(1.0, corrected):.2g} after Holm's correction over {comparisons} comparisons"
    few = best.problems <= EXACT_UP_TO
    # The bootstrap's smallest p is 1 / (1 + resamples).
    what = _count(best.problems, "problem") if few else _count(round(1 / best.least_p) - 1, "resample")
    remedy = f" It takes {problems_needed(comparisons)} problems or more." if few else ""
    return f"{what} cannot show a difference at {ALPHA:g}: {least}.{remedy}"


def problems_needed(comparisons: int) -> int:
    """The fewest problems whose smallest exact p survives Holm's correction.

    >>> problems_needed(1), problems_needed(10)
    (6, 9)
    """
    return ceil(1 + log2(comparisons / ALPHA))


def judged(runs: Sequence[Judged]) -> str:
    """What judged the runs, to follow a heading; empty if not on record."""
    matchers = dict.fromkeys(run.matcher for run in runs if run.matcher)
    return f", judged by {' or '.join(matchers)}" if matchers else ""


def judging_doubts(runs: Sequence[Judged]) -> list[str]:
    """Ways in which runs may still have been judged differently."""
    unknown = [run.name for run in runs if not run.matcher]
    versions = {run.name: run.setwise for run in runs if run.setwise}
    doubts = []
    if unknown:
        doubts.append(f"{', '.join(unknown)}: which matcher judged it is not on record; the task's is assumed.")
    if len(set(versions.values())) > 1:
        told = ", ".join(f"{name} by {version}" for name, version in versions.items())
        doubts.append(f"Judged by different versions of setwise ({told}), whose rules of matching may differ.")
    return doubts


def without_spread(tables: Sequence[Table]) -> list[str]:
    """Which cells have an interval without width, by run."""
    flat: dict[str, list[str]] = {}
    for row in (row for table in tables for row in table.rows):
        for cell in row.cells:
            label = find_metric(cell.metric).label
            if cell.number is not None and not cell.number.has_spread and label not in flat.setdefault(row.run, []):
                flat[row.run].append(label)
    told = "; ".join(f"{run} ({', '.join(labels)})" for run, labels in flat.items() if labels)
    return [f"Intervals without width, {told}: {NO_SPREAD}."] if told else []


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
