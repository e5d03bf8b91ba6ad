"""Attempts, one after another, turned into sums per problem. The texts are not kept."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from setwise.evaluation.attempts import Attempt, Construction
from setwise.evaluation.metrics import (
    attainable_coverage,
    count_gap,
    coverage,
    exceeds_one,
    most_confident,
    n_correct,
    pass_at_1,
    pass_at_k,
    recall,
    set_confidence,
    uniqueness,
)

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Means:
    """A number per attempt, kept as its sum over each problem's attempts."""

    sums: array = field(default_factory=lambda: array("d"))
    times: array = field(default_factory=lambda: array("q"))

    def add(self, problem: int, value: float) -> None:
        missing = problem + 1 - len(self.sums)
        if missing > 0:
            self.sums.extend([0.0] * missing)
            self.times.extend([0] * missing)
        self.sums[problem] += value
        self.times[problem] += 1

    def arrays(self, size: int) -> tuple[Floats, Floats]:
        """Sums and numbers of attempts of all `size` problems."""
        sums, times = np.zeros(size), np.zeros(size)
        sums[: len(self.sums)], times[: len(self.times)] = self.sums, self.times
        return sums, times


@dataclass(slots=True)
class Pairs:
    """(confidence, correct) pairs and the problem each belongs to."""

    problem: array = field(default_factory=lambda: array("i"))
    confidence: array = field(default_factory=lambda: array("d"))
    correct: array = field(default_factory=lambda: array("b"))
    excluded: int = 0

    def add(self, problem: int, confidence: float, correct: bool) -> None:
        self.problem.append(problem)
        self.confidence.append(confidence)
        self.correct.append(correct)

    def arrays(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        return (
            np.array(self.problem, dtype=np.int64),
            np.array(self.confidence, dtype=float),
            np.array(self.correct, dtype=float),
        )


@dataclass(slots=True)
class Tally:
    """Running sums over attempts. What grows with them is only a few numbers per stated confidence."""

    problems: dict[str, int] = field(default_factory=dict)
    means: defaultdict[str, Means] = field(default_factory=lambda: defaultdict(Means))
    top1: Pairs = field(default_factory=Pairs)
    pooled: Pairs = field(default_factory=Pairs)
    sets: Pairs = field(default_factory=Pairs)
    clipped_sets: Pairs = field(default_factory=Pairs)
    counts: Counter[str] = field(default_factory=Counter)
    constructions: set[Construction] = field(default_factory=set)
    have_forms: set[bool] = field(default_factory=set)
    """Whether sets with candidates came with what tells them apart."""

    def add_all(self, attempts: Iterable[Attempt]) -> "Tally":
        for attempt in attempts:
            self.add(attempt)
        return self

    def add(self, attempt: Attempt) -> None:
        problem = self.problems.setdefault(attempt.problem, len(self.problems))
        self.constructions.add(attempt.construction)
        if attempt.correct:
            self.have_forms.add(bool(attempt.forms))
        self.counts.update(attempts=1, completions=attempt.completions)
        self.counts.update({f"parse/{reason}": n for reason, n in attempt.malformed.items()})
        for name, value in _attempt_values(attempt).items():
            if value is not None:
                self.means[name].add(problem, value)
        if attempt.confidences or attempt.malformed or not attempt.correct:
            self._add_confidences(attempt, problem)

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
        for _, q, c in stated:
            self.pooled.add(problem, q, c)
        self.pooled.excluded += attempt.k - len(stated)
        if not stated or len(stated) < len(attempt.correct):
            self.sets.excluded += 1
            return
        stated_q = [q for _, q, _ in stated]
        any_correct = any(attempt.correct)
        self.sets.add(problem, set_confidence(stated_q, attempt.regime), any_correct)
        self.clipped_sets.add(problem, set_confidence(stated_q, attempt.regime, clipped=True), any_correct)


def _attempt_values(attempt: Attempt) -> dict[str, float | None]:
    """Every per-set number of one attempt; None where it does not apply."""
    correct, credited, k = attempt.correct, attempt.credited, attempt.k
    golds, sampled = attempt.n_golds, attempt.construction is Construction.SAMPLED
    distinct, programs = attempt.distinct, bool(attempt.canonical_forms)
    labelled = bool(attempt.forms) or not correct
    stated = [q for q in attempt.confidences if q is not None]
    whole = bool(stated) and len(stated) == len(correct) and not sampled
    gap = count_gap(stated, correct) if whole else None
    return {
        "coverage": coverage(credited, k),
        "n_correct": n_correct(credited),
        "n_correct_with_repeats": n_correct(correct),
        "recall": recall(credited, golds) if golds else None,
        "attainable_coverage": attainable_coverage(credited, k, golds) if golds else None,
        "pass_at_k": pass_at_k(credited),
        "pass_at_1": pass_at_1(correct, k, sampled=sampled),
        "pass_at_1/most_confident": most_confident(correct, attempt.confidences),
        "uniqueness": uniqueness(distinct) if labelled else None,
        "uniqueness/fraction": uniqueness(distinct) / k if labelled else None,
        "distinct_correct": uniqueness(attempt.distinct_correct) if labelled else None,
        "uniqueness/canonical": uniqueness(attempt.distinct_canonical) if programs else None,
        "distinct_correct/canonical": uniqueness(attempt.distinct_correct_canonical) if programs else None,
        "tokens": attempt.tokens,
        "truncated": attempt.truncated / attempt.completions if attempt.completions else None,
        "strictly_valid": attempt.strictly_valid / attempt.completions if attempt.completions else None,
        "reasoning_overlap": attempt.reasoning_overlap,
        "set/count_gap": gap,
        "set/count_error": None if gap is None else abs(gap),
        "set/sum_above_one": float(exceeds_one(stated)) if whole else None,
    }
