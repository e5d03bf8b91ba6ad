"""What a map is learned from: for each stated value, how much there is and how much of it is right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from setwise.metrics.calibration import sums

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Points:
    """Ascending values, each with its weight and the part of it that is right. One problem has weight 1."""

    levels: Floats
    weight: Floats
    right: Floats

    @classmethod
    def of(cls, stated: ArrayLike, right: ArrayLike, weight: ArrayLike | None = None) -> "Points":
        q, c = np.asarray(stated, dtype=np.float64), np.asarray(right, dtype=np.float64)
        w = np.ones_like(q) if weight is None else np.asarray(weight, dtype=np.float64)
        levels, index = np.unique(q, return_inverse=True)
        return cls(levels, sums(index, w, levels.size), sums(index, w * c, levels.size))

    @property
    def rate(self) -> float:
        """The share that is right."""
        return float(self.right.sum() / self.weight.sum())

    def at_most(self, count: int) -> "Points":
        """Neighbouring values merged until at most `count` are left, each group of about the same weight."""
        if self.levels.size <= count:
            return self
        reached = np.cumsum(self.weight) - self.weight / 2
        group = np.minimum((reached / self.weight.sum() * count).astype(np.intp), count - 1)
        _, index = np.unique(group, return_inverse=True)
        size = int(index.max()) + 1
        weight = sums(index, self.weight, size)
        return Points(sums(index, self.weight * self.levels, size) / weight, weight, sums(index, self.right, size))
