"""Sums attempts by problem as they come. Texts are not kept."""

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from setwise.answers import PARSE
from setwise.metrics import Metric, attempt_metrics, set_confidence
from setwise.metrics.claims import whole_claim
from setwise.metrics.stated import Stated
from setwise.records.attempt import Attempt, Construction

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Means:
    """A number per attempt, summed over each problem's attempts."""

    sums: array = field(default_factory=lambda: array("d"))
    times: array = field(default_factory=lambda: array("q"))

    def add(self, problem: int, value: float) -> None:
        if problem >= len(self.sums):
            missing = problem + 1 - len(self.sums)
            self.sums.extend([0.0] * missing)
            self.times.extend([0] * missing)
        self.sums[problem] += value
        self.times[problem] += 1

    def arrays(self, size: int) -> tuple[Floats, Floats]:
        """Sums and attempt counts for all `size` problems."""
        sums, times = np.zeros(size), np.zeros(size)
        sums[: len(self.sums)], times[: len(self.times)] = self.sums, self.times
        return sums, times


@dataclass(slots=True)
class Claims:
    """Stated confidences, whether each was right, and the problem each belongs to."""

    problem: array = field(default_factory=lambda: array("i"))
    confidence: array = field(default_factory=lambda: array("d"))
    correct: array = field(default_factory=lambda: array("b"))
    place: array = field(default_factory=lambda: array("i"))
    """Of an answer in its set; 0 for whole sets."""
    excluded: int = 0
    """Answers without a usable confidence."""

    def add(self, problem: int, confidence: float, correct: bool, place: int = 0) -> None:
        self.problem.append(problem)
        self.confidence.append(confidence)
        self.correct.append(correct)
        self.place.append(place)

    def stated(self, problems: int, bins: int) -> Stated:
        return Stated(
            np.array(self.problem, dtype=np.int64),
            np.array(self.confidence, dtype=float),
            np.array(self.correct, dtype=float),
            problems,
            np.array(self.place, dtype=np.int64),
            bins,
        )


@dataclass(slots=True)
class Tally:
    """Running sums over attempts. Only a few numbers per stated confidence are kept."""

    problems: dict[str, int] = field(default_factory=dict)
    metrics: list[Metric] = field(default_factory=attempt_metrics)
    means: dict[str, Means] = field(init=False)
    without_evidence: list[Metric] = field(init=False)
    """Metrics for which no attempt has had evidence yet."""
    doubtful: set[str] = field(default_factory=set)
    """Metrics for which some attempt lacks evidence."""
    top1: Claims = field(default_factory=Claims)
    pooled: Claims = field(default_factory=Claims)
    sets: Claims = field(default_factory=Claims)
    clipped_sets: Claims = field(default_factory=Claims)
    counts: Counter[str] = field(default_factory=Counter)
    constructions: set[Construction] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.means = {metric.key: Means() for metric in self.metrics}
        self.without_evidence = list(self.metrics)

    def is_known(self, metric: Metric) -> bool:
        """Whether the attempts determine its value."""
        there = metric not in self.without_evidence or metric.key not in self.doubtful
        return there and bool(self.means[metric.key].sums)

    @property
    def families(self) -> dict[str, Claims]:
        """What each family of calibration metrics covers."""
        return {"top1": self.top1, "pooled": self.pooled, "set": self.sets}

    def add_all(self, attempts: Iterable[Attempt]) -> "Tally":
        for attempt in attempts:
            self.add(attempt)
        return self

    def add(self, attempt: Attempt) -> None:
        problem = self.problems.setdefault(attempt.problem, len(self.problems))
        self.constructions.add(attempt.construction)
        self.counts.update(attempts=1, completions=attempt.completions)
        self.counts.update({f"{PARSE}{reason}": n for reason, n in attempt.malformed.items()})
        for metric, means in zip(self.metrics, self.means.values(), strict=True):
            of: Any = metric.of
            value = of(attempt)
            if value is not None:
                means.add(problem, value)
        if self.without_evidence:
            self._look_for_evidence(attempt)
        if attempt.confidences or attempt.malformed or not attempt.correct:
            self._add_confidences(attempt, problem)

    def _look_for_evidence(self, attempt: Attempt) -> None:
        for metric in tuple(self.without_evidence):
            evidence = metric.evidence(attempt)
            if evidence:
                self.without_evidence.remove(metric)
            elif evidence is False:
                self.doubtful.add(metric.key)

    def _add_confidences(self, attempt: Attempt, problem: int) -> None:
        stated = [
            (place, q, c)
            for place, (q, c) in enumerate(zip(attempt.confidences, attempt.correct, strict=False))
            if q is not None
        ]
        sampled = attempt.construction is Construction.SAMPLED
        top = stated if sampled else [each for each in stated if each[0] == 0]
        for _, q, c in top:
            self.top1.add(problem, q, c)
        self.top1.excluded += (attempt.k if sampled else 1) - len(top)
        if sampled:
            return
        for place, q, c in stated:
            self.pooled.add(problem, q, c, place)
        self.pooled.excluded += attempt.k - len(stated)
        claim = whole_claim(attempt)
        if claim is None:
            self.sets.excluded += 1
            return
        any_correct = any(attempt.correct)
        self.sets.add(problem, set_confidence(claim, attempt.regime), any_correct)
        self.clipped_sets.add(problem, set_confidence(claim, attempt.regime, clipped=True), any_correct)
