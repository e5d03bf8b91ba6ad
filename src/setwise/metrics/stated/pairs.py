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
    """(confidence, correct) pairs, the problem each belongs to, and the bins they fall into."""

    problem: NDArray[np.int64]
    q: Floats
    c: Floats
    problems: int
    """How many there are, with or without a pair."""
    bins: int = BINS

    def columns(self, weights: Iterable[Floats]) -> Floats:
        """(problems, weights): the sum of each weight over a problem's pairs. One weight at a time: there are many."""
        return np.column_stack([sums(self.problem, each, self.problems) for each in weights])

    def grid(self, column: NDArray[np.intp], weights: Floats, width: int) -> Floats:
        """(problems, width) sums of `weights`, each pair falling into its problem's row and its own column."""
        size = self.problems * width
        return sums(self.problem * width + column, weights, size).reshape(self.problems, width)

    @cached_property
    def ones(self) -> Floats:
        return np.ones_like(self.q)

    @cached_property
    def errors(self) -> Floats:
        """Per problem: squared error, right answers, pairs."""
        return self.columns([(self.q - self.c) ** 2, self.c, self.ones])
