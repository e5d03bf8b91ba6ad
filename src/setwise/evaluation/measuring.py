"""Attempts in, every metric with its interval out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from setwise.errors import InputError
from setwise.evaluation.attempts import Attempt, attempt_from_record
from setwise.evaluation.estimates import quantities
from setwise.evaluation.metrics.calibration import BINS
from setwise.evaluation.statistics import RESAMPLES, interval, replicates
from setwise.evaluation.tally import Tally


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; no interval where the data cannot give one (a single problem)."""

    value: float
    low: float | None = None
    high: float | None = None

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.3f}" if self.low is None else f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class Metrics:
    """Every metric of one run by name. `metrics["coverage"].value`; a metric that does not apply is not there."""

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, int] = field(default_factory=dict)
    """Problems, attempts, completions, what was excluded and why completions could not be parsed."""
    construction: str = ""

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]

    def get(self, name: str) -> Estimate | None:
        return self.estimates.get(name)

    def to_record(self) -> dict[str, Any]:
        estimates = {
            name: {"value": each.value, "low": each.low, "high": each.high} for name, each in self.estimates.items()
        }
        return {"construction": self.construction, "counts": dict(self.counts), "metrics": estimates}


def evaluate(
    records: Iterable[Attempt | Mapping[str, Any]], *, bins: int = BINS, resamples: int = RESAMPLES, seed: int = 0
) -> Metrics:
    """Every metric of the attempts, with 95 % intervals from a bootstrap clustered by problem.

    A record needs `problem` and `correct`; docs/evaluation.md lists the rest. With `resamples=0` there are no
    intervals. Calibration appears where confidences do; pooled and set-level calibration only for sets that one
    completion wrote (or a vote made), since over repeated samples they mean something else.

    >>> metrics = evaluate([{"problem": "1", "correct": [True, False]}, {"problem": "2", "correct": [False, False]}])
    >>> metrics["coverage"].value, metrics["pass_at_k"].value
    (0.25, 0.5)
    """
    tally = Tally()
    for number, record in enumerate(records, start=1):
        tally.add(attempt_from_record(record, f"record {number}"))
    return metrics_of(tally, bins=bins, resamples=resamples, seed=seed)


def require_resamples(resamples: int, least: int) -> None:
    if resamples < least:
        raise InputError(f"resamples must be a whole number of at least {least}", value=resamples)


def metrics_of(tally: Tally, *, bins: int = BINS, resamples: int = RESAMPLES, seed: int = 0) -> Metrics:
    require_resamples(resamples, 0)
    if not tally.problems:
        raise InputError("there is nothing to evaluate: no attempts were given")
    if len(tally.constructions) > 1:
        raise InputError(
            "the attempts of one run must be constructed alike",
            value=sorted(tally.constructions),
            remedy="evaluate each method on its own",
        )
    found = {name: each for name, each in quantities(tally, bins).items() if isfinite(each.value)}
    statistics = {name: each.statistic for name, each in found.items()}
    drawn = replicates(statistics, resamples=resamples, seed=seed) if resamples else {}
    estimates = {}
    for name, each in found.items():
        ends = interval(each.statistic, each.value, drawn[name]) if drawn else None
        estimates[name] = Estimate(each.value, ends and ends.low, ends and ends.high)
    return Metrics(estimates, _counts(tally), str(next(iter(tally.constructions))))


def _counts(tally: Tally) -> dict[str, int]:
    counts = {"problems": len(tally.problems), **tally.counts}
    for family, pairs in (("top1", tally.top1), ("pooled", tally.pooled), ("set", tally.sets)):
        if pairs.confidence:
            counts |= {f"{family}/n": len(pairs.confidence), f"{family}/n_excluded": pairs.excluded}
    return counts
