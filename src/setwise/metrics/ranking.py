"""Whether right answers get higher confidences than wrong ones."""

from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from setwise.metrics.calibration import sums
from setwise.metrics.inputs import pairs


def auroc(confidences: ArrayLike, correct: ArrayLike) -> float:
    """The probability that a right answer has a higher confidence than a wrong one; ties count half.

    nan if all answers are right or all are wrong.

    >>> auroc([0.9, 0.4, 0.4], [True, True, False])
    0.75
    """
    q, c = pairs(confidences, correct)
    levels, index = np.unique(q, return_inverse=True)
    right = sums(index, c, levels.size)
    wrong = sums(index, 1 - c, levels.size)
    return float(auroc_from_counts(right[None], wrong[None])[0]) if q.size else nan


def auroc_from_counts(right: NDArray[np.float64], wrong: NDArray[np.float64]) -> NDArray[np.float64]:
    """`auroc` for many histograms over ascending levels at once: (..., levels) twice -> (...)."""
    below = np.cumsum(wrong, axis=-1) - wrong / 2
    compared = right.sum(axis=-1) * wrong.sum(axis=-1)
    return (right * below).sum(axis=-1) / np.where(compared > 0, compared, nan)
