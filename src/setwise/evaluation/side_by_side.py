"""Runs on the problems they share: every metric of each, with the same resamples, so that they are paired."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from setwise.errors import InputError
from setwise.evaluation.analyses import by_problem, draws_of
from setwise.evaluation.judged_alike import require_judged_alike
from setwise.evaluation.quantities import Quantity, mean_quantity, quantities
from setwise.evaluation.same_problems import require_same_problems
from setwise.evaluation.tally import Means, Tally
from setwise.metrics import METRICS, find_metric, solved
from setwise.records.attempt import Attempt, Construction
from setwise.records.measured import RunMetrics
from setwise.records.run import RunFolder, names_of
from setwise.statistics import replicates


@dataclass(frozen=True, slots=True)
class ComparableRun:
    name: str
    folder: RunFolder
    described: RunMetrics


@dataclass(frozen=True, slots=True)
class MeasuredRun(ComparableRun):
    """A run, measured on the problems that all share."""

    found: dict[str, Quantity]
    solved: dict[str, bool]
    drawn: dict[str, np.ndarray]
    """By metric: its value on each resample of the problems."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Runs measured on the problems they share."""

    runs: list[MeasuredRun]
    problems: int
    left_out: dict[str, int]
    """Per run, problems that not every other run has."""


def load_runs(paths: Sequence[str | Path]) -> list[ComparableRun]:
    """Runs that can be compared. Others are refused, with the reason."""
    if len(paths) < 2:
        raise InputError("a comparison needs two runs or more", value=[str(path) for path in paths])
    folders = [RunFolder(Path(path)) for path in paths]
    names = names_of([folder.path for folder in folders])
    for folder in folders:
        folder.require_scored()
    runs = [ComparableRun(n, f, f.read_metrics()) for n, f in zip(names, folders, strict=True)]
    tasks = {run.described.task for run in runs}
    regimes = {run.described.regime for run in runs}
    fingerprints = {run.folder.fingerprint() for run in runs}
    renamed = len(fingerprints) == 1 and None not in fingerprints
    if (len(tasks) > 1 and not renamed) or len(regimes) > 1:
        raise InputError("runs are compared on one task and in one regime", value=sorted(tasks | regimes))
    require_judged_alike({run.name: run.folder for run in runs})
    return runs


def side_by_side(runs: Sequence[ComparableRun], *, resamples: int, seed: int, tested_only: bool = False) -> SideBySide:
    """Measure runs on the problems they share, all with the same resamples. With `tested_only`, metrics that are never
    tested are not resampled."""
    require_same_problems({run.name: run.folder for run in runs})
    problems = [frozenset(attempt.problem for attempt in run.folder.attempts()) for run in runs]
    common = sorted(frozenset.intersection(*problems))
    if not common:
        raise InputError("the runs share no problems", value=[run.name for run in runs])
    budget = _common_budget(runs)
    measured = []
    for run in runs:
        found, solved_by_problem = _measure(run, common, budget)
        drawn = {n: q.statistic for n, q in found.items() if find_metric(n).tested or not tested_only}
        sampled = replicates(drawn, resamples=resamples, seed=seed)
        measured.append(MeasuredRun(run.name, run.folder, run.described, found, solved_by_problem, sampled))
    left_out = {run.name: len(own) - len(common) for run, own in zip(runs, problems, strict=True)}
    return SideBySide(measured, len(common), left_out)


def comparable_metrics(runs: Sequence[MeasuredRun]) -> list[str]:
    """The tested metrics that mean the same in all of these runs, in the order of the table."""
    return [name for name in sorted(runs[0].found, key=_place) if _is_comparable(name, runs)]


def _is_comparable(name: str, runs: Sequence[MeasuredRun]) -> bool:
    metric = find_metric(name)
    if not metric.tested or not all(name in run.found and _speaks_for_most(run, name) for run in runs):
        return False
    same_k = len({run.described.k for run in runs}) == 1
    made_alike = same_k and len({run.described.construction for run in runs}) == 1
    # Coverage times K: testing it too would only make the correction stricter.
    return (made_alike or not metric.set_level) and not (name == "n_correct" and same_k)


def _common_budget(runs: Sequence[ComparableRun]) -> int:
    """Answers per problem that every run has sampled; 0 if that is one set, whose uniqueness is shown anyway."""
    budgets = [max((point["answers"] for point in run.described.analyses["budget"]), default=0) for run in runs]
    return min(budgets) if min(budgets) > max(run.described.k for run in runs) else 0


def _measure(run: ComparableRun, common: list[str], budget: int) -> tuple[dict[str, Quantity], dict[str, bool]]:
    """Every metric of one run on the common problems, in the same order, so that resamples are paired; and which
    problems it solved."""
    tally = Tally({problem: place for place, problem in enumerate(common)})
    per_completion = run.described.k if run.described.construction == Construction.WRITTEN else 1
    completions, exact = divmod(budget, per_completion)
    solved_by_problem = {}
    rarefied = {f"distinct@{budget}": Means(), f"distinct_correct@{budget}": Means()}
    for problem, attempts in _of(run, tally.problems):
        tally.add_all(attempts)
        solved_by_problem[problem] = solved(attempts)
        draws = draws_of(attempts) if completions and not exact else None
        if draws is not None and len(draws.answers) >= completions:
            for means, value in zip(rarefied.values(), draws.curves()[completions - 1], strict=True):
                means.add(tally.problems[problem], value)
    found = {n: q for n, q in quantities(tally).items() if isfinite(q.value)}
    for name, means in rarefied.items():
        if means.sums:
            found[name] = mean_quantity(means, len(common), find_metric(name))
    return found, solved_by_problem


def _of(run: ComparableRun, common: dict[str, int]) -> Iterator[tuple[str, list[Attempt]]]:
    return ((problem, list(group)) for problem, group in by_problem(run.folder.attempts()) if problem in common)


def _place(name: str) -> int:
    """The position of a metric in the table. Metrics that depend on a budget come last."""
    return len(METRICS.names()) if "@" in name else METRICS.names().index(name)


def _speaks_for_most(run: MeasuredRun, metric: str) -> bool:
    stated, lacking = run.described.metrics.stated(metric)
    return stated >= lacking
