"""Whether right answers get higher confidences than wrong ones."""

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

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


class PlaceArea(NamedTuple):
    """The `auroc` among the answers of one place."""

    area: float
    right: int
    wrong: int

    @property
    def weight(self) -> float:
        """How much it counts in a mean over places: about in inverse proportion to its variance."""
        return self.right * self.wrong / (self.right + self.wrong)


def auroc_by_place(confidences: ArrayLike, correct: ArrayLike, places: ArrayLike) -> list[PlaceArea]:
    """One for each place that has right answers and wrong ones."""
    q, c = pairs(confidences, correct)
    own = [np.asarray(places) == place for place in np.unique(places)]
    areas = (PlaceArea(auroc(q[at], c[at]), int(c[at].sum()), int((1 - c[at]).sum())) for at in own)
    return [each for each in areas if each.right and each.wrong]


def auroc_within_places(confidences: ArrayLike, correct: ArrayLike, places: ArrayLike) -> float:
    """`auroc` among answers of the same place, averaged: 0.5 if confidences only know which place is right more often.

    nan if no place has right answers and wrong ones.

    >>> auroc_within_places([0.9, 0.2, 0.9, 0.2], [True, False, False, False], [1, 2, 1, 2])
    0.5
    """
    return mean_area(auroc_by_place(confidences, correct, places))


def mean_area(places: Sequence[PlaceArea]) -> float:
    """Over places; nan if there are none."""
    weights = [each.weight for each in places]
    return float(np.average([each.area for each in places], weights=weights)) if places else nan


def auroc_from_counts(right: NDArray[np.float64], wrong: NDArray[np.float64]) -> NDArray[np.float64]:
    """`auroc` for many histograms over ascending levels at once: (..., levels) twice -> (...)."""
    below = np.cumsum(wrong, axis=-1) - wrong / 2
    compared = right.sum(axis=-1) * wrong.sum(axis=-1)
    return (right * below).sum(axis=-1) / np.where(compared > 0, compared, nan)
