"""Isotonic regression and what is built on it: maps that assume only an order."""

import numpy as np

from setwise.calibration.maps import Broken
from setwise.calibration.points import Floats, Points

VENN_ABERS_LEVELS = 32
"""Distinct values in a Venn-Abers map, which tries both labels at each."""


def isotonic(points: Points) -> Broken:
    """The non-decreasing map with the least squared error (pool adjacent violators, Ayer et al. 1955).

    >>> isotonic(Points.of([0.1, 0.2, 0.3], [0, 1, 0])).chances
    (0.0, 0.5, 0.5)
    """
    fitted = pooled(points.right / points.weight, points.weight)
    turns = np.ones(fitted.size, dtype=bool)
    turns[1:-1] = (fitted[1:-1] != fitted[:-2]) | (fitted[1:-1] != fitted[2:])
    return Broken(tuple(points.levels[turns].tolist()), tuple(fitted[turns].tolist()))


def pooled(values: Floats, weights: Floats) -> Floats:
    """Weighted means of the blocks that make a sequence non-decreasing."""
    means: list[float] = []
    masses: list[float] = []
    sizes: list[int] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        mean, mass, size = value, weight, 1
        while means and means[-1] >= mean:
            before = masses.pop()
            mean = (means.pop() * before + mean * mass) / (before + mass)
            mass, size = mass + before, size + sizes.pop()
        means.append(mean)
        masses.append(mass)
        sizes.append(size)
    return np.clip(np.repeat(means, sizes), 0.0, 1.0)


def venn_abers(points: Points) -> Broken:
    """One probability from the two isotonic fits in which a new case is wrong (p0) and right (p1): p1 / (1 - p0 + p1).

    An inductive Venn-Abers predictor (Vovk, Petej and Fedorova 2015, "Large-scale probabilistic predictors with and
    without guarantees of validity", section 4). The new case weighs as much as a problem. With few data, the two fits
    move apart and the probability moves towards 1/2.
    """
    points = points.at_most(VENN_ABERS_LEVELS)
    wrong, right = _with_one_more(points)
    chances = right / (1 - wrong + right)
    return Broken(tuple(points.levels.tolist()), tuple(np.maximum.accumulate(chances).tolist()))


def _with_one_more(points: Points) -> tuple[Floats, Floats]:
    """At each value, the isotonic fit there if one more case had it: a wrong one, and a right one.

    Uses the min-max formula: the highest, over where a block may start, of the lowest, over where it may end, mean.
    """
    weight = np.concatenate([[0.0], np.cumsum(points.weight)])
    right = np.concatenate([[0.0], np.cumsum(points.right)])
    size = points.levels.size
    fitted = np.empty((2, size))
    for place in range(size):
        mass = weight[None, place + 1 :] - weight[: place + 1, None] + 1
        held = right[None, place + 1 :] - right[: place + 1, None]
        fitted[0, place] = (held / mass).min(axis=1).max()
        fitted[1, place] = ((held + 1) / mass).min(axis=1).max()
    return fitted[0], fitted[1]
