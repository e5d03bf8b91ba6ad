"""Attempts in, every metric with its interval out."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

import numpy as np

from setwise.errors import InputError
from setwise.evaluation.quantities import Quantity, quantities
from setwise.evaluation.tally import Tally
from setwise.matching import normalize
from setwise.metrics.calibration import BINS
from setwise.records.attempt import Attempt
from setwise.records.measured import Estimate, Metrics
from setwise.statistics import RESAMPLES, interval, replicates


def evaluate(
    records: Iterable[Attempt | Mapping[str, Any]], *, bins: int = BINS, resamples: int = RESAMPLES, seed: int = 0
) -> Metrics:
    """Every metric of the attempts, with 95 % intervals from a bootstrap clustered by problem.

    A record needs `problem` and `correct`; docs/how-to/evaluate.md lists the rest. With `resamples=0` there are no
    intervals. Calibration metrics need confidences. Pooled and set-level calibration are only for sets that one
    completion wrote (or a vote made), since for repeated samples they mean something else.

    >>> metrics = evaluate([{"problem": "1", "correct": [True, False]}, {"problem": "2", "correct": [False, False]}])
    >>> metrics["coverage"].value, metrics["pass_at_k"].value
    (0.25, 0.5)
    """
    tally = Tally()
    for number, record in enumerate(records, start=1):
        tally.add(attempt_from(record, f"record {number}"))
    return metrics_of(tally, bins=bins, resamples=resamples, seed=seed)


def attempt_from(record: Attempt | Mapping[str, Any], place: str = "") -> Attempt:
    """An attempt of any harness: the fields of `Attempt`, or its `answers` as text if it has no forms.

    >>> attempt_from({"problem": "1", "correct": [True, False], "answers": ["Flu", "the flu"]}).forms
    ('flu', 'flu')
    """
    if isinstance(record, Attempt):
        return record
    answers, rest = record.get("answers"), {name: value for name, value in record.items() if name != "answers"}
    if answers is None or "forms" in rest:
        return Attempt.from_record(rest, place)
    if not isinstance(answers, list | tuple) or not all(each is None or isinstance(each, str) for each in answers):
        raise InputError('"answers" must be a list of strings', place=place, value=answers)
    return Attempt.from_record({**rest, "forms": [each and normalize(each) for each in answers]}, place)


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
    estimates = {name: estimated(each, drawn.get(name)) for name, each in found.items()}
    return Metrics(estimates, _counts(tally), str(next(iter(tally.constructions))))


def estimated(quantity: Quantity, drawn: np.ndarray | None) -> Estimate:
    """Its value with the interval of its values on resamples, if there are any."""
    ends = None if drawn is None else interval(quantity.statistic, quantity.value, drawn)
    return Estimate(quantity.value, ends and ends.low, ends and ends.high)


def _counts(tally: Tally) -> dict[str, int]:
    counts = {"problems": len(tally.problems), **tally.counts}
    for family, claims in tally.families.items():
        if claims.confidence:
            counts |= {f"{family}/n": len(claims.confidence), f"{family}/n_excluded": claims.excluded}
    return counts
