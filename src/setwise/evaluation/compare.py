"""Compares runs on the same problems: what differs, by how much, and whether it survives correction over the table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from setwise.evaluation.measure import estimated, require_resamples
from setwise.evaluation.side_by_side import MeasuredRun, comparable_metrics, load_runs, side_by_side
from setwise.records.attempt import Construction
from setwise.records.comparison import Compared, Comparison, Difference, Flips
from setwise.records.measured import Estimate
from setwise.statistics import RESAMPLES, holm, paired_test


def compare(
    paths: Sequence[str | Path], *, all_pairs: bool = False, resamples: int = RESAMPLES, seed: int = 0
) -> Comparison:
    """Compare runs by their folders: each with the first or, with `all_pairs`, every pair.

    Values are computed on the problems that the runs share, with intervals from `resamples` bootstrap resamples. Pooled
    and set-level calibration are compared only between sets that were made in the same way. Runs judged by different
    matchers are refused.
    """
    require_resamples(resamples, 1)
    measured = side_by_side(load_runs(paths), resamples=resamples, seed=seed)
    runs = measured.runs
    pairs = list(combinations(runs, 2)) if all_pairs else [(runs[0], other) for other in runs[1:]]
    return Comparison(
        task=runs[0].described.task,
        problems=measured.problems,
        left_out=measured.left_out,
        runs=tuple(_compared(run) for run in runs),
        differences=_corrected([each for first, second in pairs for each in _differences(first, second)]),
        flips=tuple(_flips(first, second) for first, second in pairs),
    )


def _compared(run: MeasuredRun) -> Compared:
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
        estimates={name: estimated(each, run.drawn[name]) for name, each in run.found.items()},
        counts=told.metrics.counts,
    )


def _differences(first: MeasuredRun, second: MeasuredRun) -> Iterator[Difference]:
    return (difference_in(metric, first, second) for metric in comparable_metrics([first, second]))


def difference_in(metric: str, first: MeasuredRun, second: MeasuredRun) -> Difference:
    """How two measured runs differ in one metric, tested alone."""
    value = second.found[metric].value - first.found[metric].value
    drawn = second.drawn[metric] - first.drawn[metric]
    found = paired_test(first.found[metric].statistic, second.found[metric].statistic, value, drawn)
    return Difference(
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


def _corrected(differences: list[Difference]) -> tuple[Difference, ...]:
    adjusted = holm([each.p for each in differences])
    return tuple(replace(each, p_holm=p) for each, p in zip(differences, adjusted, strict=True))


def _flips(first: MeasuredRun, second: MeasuredRun) -> Flips:
    gained = tuple(p for p, solved in second.solved.items() if solved and not first.solved[p])
    lost = tuple(p for p, solved in second.solved.items() if not solved and first.solved[p])
    return Flips(first.name, second.name, gained, lost)
