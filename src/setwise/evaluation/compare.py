"""Several runs on the same problems: what differs, by how much, and whether that survives the size of the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isfinite
from pathlib import Path

import numpy as np

from setwise.errors import InputError
from setwise.evaluation.analyses import by_problem, draws_of
from setwise.evaluation.judged_alike import require_judged_alike
from setwise.evaluation.measure import require_resamples
from setwise.evaluation.quantities import Quantity, mean_quantity, quantities
from setwise.evaluation.same_problems import require_same_problems
from setwise.evaluation.tally import Means, Tally
from setwise.metrics import METRICS, find_metric, solved
from setwise.records.attempt import Attempt, Construction
from setwise.records.comparison import Compared, Comparison, Difference, Flips
from setwise.records.measured import Estimate, RunMetrics
from setwise.records.run import RunFolder, names_of
from setwise.statistics import RESAMPLES, holm, interval, paired_test, replicates


@dataclass(slots=True)
class _Loaded:
    name: str
    folder: RunFolder
    described: RunMetrics
    found: dict[str, Quantity] = field(default_factory=dict)
    solved: dict[str, bool] = field(default_factory=dict)
    drawn: dict[str, np.ndarray] = field(default_factory=dict)


def compare(
    paths: Sequence[str | Path], *, all_pairs: bool = False, resamples: int = RESAMPLES, seed: int = 0
) -> Comparison:
    """Compare runs: every one with the first, or with each other. Values are those on the problems they share.

    Pooled and set-level calibration are compared only between sets that were made alike. Runs that were not judged by
    the same matcher are refused.
    """
    require_resamples(resamples, 1)
    runs = _load(paths)
    require_same_problems({run.name: run.folder for run in runs})
    problems = [frozenset(attempt.problem for attempt in run.folder.attempts()) for run in runs]
    common = sorted(frozenset.intersection(*problems))
    if not common:
        raise InputError("the runs share no problems", value=[run.name for run in runs])
    budget = _common_budget(runs)
    for run in runs:
        _measure(run, common, budget)
        run.drawn = replicates({n: q.statistic for n, q in run.found.items()}, resamples=resamples, seed=seed)
    pairs = list(combinations(runs, 2)) if all_pairs else [(runs[0], other) for other in runs[1:]]
    return Comparison(
        task=runs[0].described.task,
        problems=len(common),
        left_out={run.name: len(own) - len(common) for run, own in zip(runs, problems, strict=True)},
        runs=tuple(_compared(run) for run in runs),
        differences=_corrected([each for first, second in pairs for each in _differences(first, second)]),
        flips=tuple(_flips(first, second) for first, second in pairs),
    )


def _load(paths: Sequence[str | Path]) -> list[_Loaded]:
    if len(paths) < 2:
        raise InputError("a comparison needs two runs or more", value=[str(path) for path in paths])
    folders = [RunFolder(Path(path)) for path in paths]
    names = names_of([folder.path for folder in folders])
    for folder in folders:
        folder.require_scored()
    runs = [_Loaded(n, f, f.read_metrics()) for n, f in zip(names, folders, strict=True)]
    tasks = {run.described.task for run in runs}
    regimes = {run.described.regime for run in runs}
    fingerprints = {run.folder.fingerprint() for run in runs}
    renamed = len(fingerprints) == 1 and None not in fingerprints
    if (len(tasks) > 1 and not renamed) or len(regimes) > 1:
        raise InputError("runs are compared on one task and in one regime", value=sorted(tasks | regimes))
    require_judged_alike({run.name: run.folder for run in runs})
    return runs


def _common_budget(runs: list[_Loaded]) -> int:
    """Answers per problem that every run has sampled; 0 where that is one set, whose uniqueness is shown anyway."""
    budgets = [max((point["answers"] for point in run.described.analyses["budget"]), default=0) for run in runs]
    return min(budgets) if min(budgets) > max(run.described.k for run in runs) else 0


def _measure(run: _Loaded, common: list[str], budget: int) -> None:
    """Every metric of one run on the common problems, in their order, so that resamples are paired."""
    tally = Tally({problem: place for place, problem in enumerate(common)})
    per_completion = run.described.k if run.described.construction == Construction.WRITTEN else 1
    completions, exact = divmod(budget, per_completion)
    rarefied = {f"distinct@{budget}": Means(), f"distinct_correct@{budget}": Means()}
    for problem, attempts in _of(run, tally.problems):
        tally.add_all(attempts)
        run.solved[problem] = solved(attempts)
        draws = draws_of(attempts) if completions and not exact else None
        if draws is not None and len(draws.answers) >= completions:
            for means, value in zip(rarefied.values(), draws.curves()[completions - 1], strict=True):
                means.add(tally.problems[problem], value)
    run.found = {n: q for n, q in quantities(tally).items() if isfinite(q.value)}
    for name, means in rarefied.items():
        if means.sums:
            run.found[name] = mean_quantity(means, len(common), find_metric(name))


def _of(run: _Loaded, common: dict[str, int]) -> Iterator[tuple[str, list[Attempt]]]:
    return ((problem, list(group)) for problem, group in by_problem(run.folder.attempts()) if problem in common)


def _compared(run: _Loaded) -> Compared:
    estimates = {}
    for name, each in run.found.items():
        ends = interval(each.statistic, each.value, run.drawn[name])
        estimates[name] = Estimate(each.value, ends and ends.low, ends and ends.high)
    told = run.described
    return Compared(
        name=run.name,
        method=told.method,
        model=told.model,
        k=told.k,
        construction=Construction(told.construction),
        confidence=told.confidence,
        matcher=told.matcher,
        setwise=told.setwise,
        estimates=estimates,
        counts=told.metrics.counts,
    )


def _differences(first: _Loaded, second: _Loaded) -> Iterator[Difference]:
    alike = first.described.construction == second.described.construction
    same_k = first.described.k == second.described.k
    tested = [name for name in first.found if name in second.found and find_metric(name).tested]
    for metric in sorted(tested, key=_place):
        if find_metric(metric).set_level and not (alike and same_k):
            continue
        if not (_speaks_for_most(first, metric) and _speaks_for_most(second, metric)):
            continue
        if metric == "n_correct" and same_k:
            continue  # Coverage times K: the same test twice would only cost the correction.
        value = second.found[metric].value - first.found[metric].value
        drawn = second.drawn[metric] - first.drawn[metric]
        found = paired_test(first.found[metric].statistic, second.found[metric].statistic, value, drawn)
        yield Difference(
            first.name,
            second.name,
            metric,
            Estimate(value, found.interval and found.interval.low, found.interval and found.interval.high),
            found.p,
            found.p,
            least_p=found.least_p,
            problems=found.problems,
            exact=found.exact,
        )


def _place(name: str) -> int:
    """Where a metric stands in the table; what depends on a budget comes last."""
    return len(METRICS.names()) if "@" in name else METRICS.names().index(name)


def _speaks_for_most(run: _Loaded, metric: str) -> bool:
    stated, lacking = run.described.metrics.stated(metric)
    return stated >= lacking


def _corrected(differences: list[Difference]) -> tuple[Difference, ...]:
    adjusted = holm([each.p for each in differences])
    return tuple(replace(each, p_holm=p) for each, p in zip(differences, adjusted, strict=True))


def _flips(first: _Loaded, second: _Loaded) -> Flips:
    gained = tuple(p for p, solved in second.solved.items() if solved and not first.solved[p])
    lost = tuple(p for p, solved in second.solved.items() if not solved and first.solved[p])
    return Flips(first.name, second.name, gained, lost)
