"""Stated confidences as arrays, and sums of them per problem."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from setwise.metrics.calibration import BINS, sums

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stated:
    """(confidence, correct) pairs, with the problem and the bins that each belongs to."""

    problem: NDArray[np.int64]
    q: Floats
    c: Floats
    problems: int
    """Number of problems, with or without pairs."""
    place: NDArray[np.int64]
    """Each answer's place in its set, from 0. All 0 if what is measured does not depend on it."""
    bins: int = BINS

    def columns(self, weights: Iterable[Floats]) -> Floats:
        """(problems, weights): the sum of each weight over a problem's pairs. Weights are added one at a time, because
        there are many."""
        return np.column_stack([sums(self.problem, each, self.problems) for each in weights])

    def grid(self, column: NDArray[np.intp], weights: Floats, width: int) -> Floats:
        """(problems, width): sums of `weights`, with each pair in its problem's row and its own column."""
        size = self.problems * width
        return sums(self.problem * width + column, weights, size).reshape(self.problems, width)

    @cached_property
    def ones(self) -> Floats:
        return np.ones_like(self.q)

    @cached_property
    def errors(self) -> Floats:
        """Per problem: squared error, number of right answers, number of pairs."""
        return self.columns([(self.q - self.c) ** 2, self.c, self.ones])
