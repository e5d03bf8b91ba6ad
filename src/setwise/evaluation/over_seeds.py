"""Compares ways of training that were each trained several times, over seeds as well as over problems."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from setwise.errors import InputError
from setwise.evaluation.measure import require_resamples
from setwise.evaluation.side_by_side import ComparableRun, MeasuredRun, comparable_metrics, load_runs, side_by_side
from setwise.records.measured import Estimate
from setwise.records.seed_comparison import SeedComparison, SeedDifference, SeedGroup
from setwise.statistics import RESAMPLES, difference_over_seeds, holm

Run = TypeVar("Run", bound=ComparableRun)


def compare_over_seeds(
    groups: Sequence[Sequence[str | Path]], *, resamples: int = RESAMPLES, seed: int = 0
) -> SeedComparison:
    """Compare every group of runs with the first group. The runs of a group differ in their training seed.

    All runs must have been asked the same problems. `setwise.statistics.seeds` explains the intervals.
    """
    if len(groups) < 2:
        raise InputError("a comparison needs two groups of runs or more", value=len(groups))
    for group in groups:
        if len(group) < 2:
            raise InputError("what another seed would give takes two runs or more", value=[str(path) for path in group])
    require_resamples(resamples, 1)
    runs = load_runs([path for group in groups for path in group])
    sizes = [len(group) for group in groups]
    for group in _grouped(runs, sizes):
        _require_one_method(group)
    measured = side_by_side(runs, resamples=resamples, seed=seed, tested_only=True)
    first, *others = compared = _grouped(measured.runs, sizes)
    differences = [
        _difference(first, other, metric, measured.problems)
        for other in others
        for metric in comparable_metrics([*first, *other])
    ]
    adjusted = holm([each.p for each in differences])
    return SeedComparison(
        task=runs[0].described.task,
        problems=measured.problems,
        groups=tuple(SeedGroup(_name(group), tuple(run.name for run in group)) for group in compared),
        differences=tuple(replace(each, p_holm=p) for each, p in zip(differences, adjusted, strict=True)),
    )


def _grouped(runs: Iterable[Run], sizes: Sequence[int]) -> list[list[Run]]:
    ordered = iter(runs)
    return [list(islice(ordered, size)) for size in sizes]


def _require_one_method(group: Sequence[ComparableRun]) -> None:
    told = {(run.described.method, run.described.k) for run in group}
    if len(told) > 1:
        raise InputError("the runs of a group are one method and one K", value=sorted(map(str, told)))


def _name(group: Sequence[MeasuredRun]) -> str:
    return group[0].described.method


def _difference(
    first: Sequence[MeasuredRun], second: Sequence[MeasuredRun], metric: str, problems: int
) -> SeedDifference:
    before, after = ([run.found[metric].value for run in group] for group in (first, second))
    drawn = _mean_drawn(second, metric) - _mean_drawn(first, metric)
    over_problems = float(np.nanvar(drawn, ddof=1)) if len(drawn) > 1 else 0.0
    found = difference_over_seeds(before, after, over_problems, problems)
    return SeedDifference(
        first=_name(first),
        second=_name(second),
        metric=metric,
        first_values=tuple(before),
        second_values=tuple(after),
        value=Estimate(found.value, found.interval.low, found.interval.high),
        freedom=found.freedom,
        p=found.p,
        p_holm=found.p,
    )


def _mean_drawn(group: Sequence[MeasuredRun], metric: str) -> np.ndarray:
    """The mean of the group's runs on each resample of the problems, with the same resamples for all."""
    return np.mean([run.drawn[metric] for run in group], axis=0)
