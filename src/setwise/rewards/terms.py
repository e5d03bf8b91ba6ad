"""The terms of a reward: arithmetic on labels and confidences. No text, no I/O."""

from collections.abc import Sequence
from math import fsum

SUM_TOLERANCE = 1e-6


def count_correct(labels: Sequence[bool]) -> float:
    """How many candidates are right: sum_i c_i, in [0, K] (eq. 4 of the paper; pass@K when N = 1).

    >>> count_correct([True, False, True])
    2.0
    """
    return float(sum(labels))


def any_correct(labels: Sequence[bool]) -> float:
    """Whether any candidate is right: max_i c_i, 0 or 1.

    >>> any_correct([False, True])
    1.0
    """
    return float(any(labels))


def multi_brier(confidences: Sequence[float], labels: Sequence[bool]) -> float:
    """Mean squared gap between what was claimed and what was so.

    (1/K) sum_i (q_i - c_i)^2, in [0, 1]; lowest in expectation when every q_i is the truth.

    >>> multi_brier([0.5, 0.5], [True, False])
    0.25
    """
    return fsum([(q - c) ** 2 for q, c in zip(confidences, labels, strict=True)]) / len(labels)


def sums_above_one(confidences: Sequence[float]) -> bool:
    """Whether confidences cannot be a distribution. Rounding is forgiven: .33 + .56 + .11 is one.

    >>> sums_above_one([0.33, 0.56, 0.11]), sums_above_one([0.9, 0.2])
    (False, True)
    """
    return fsum(confidences) > 1 + SUM_TOLERANCE
