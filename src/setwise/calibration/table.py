"""Labelled sets as arrays: one row per set, one column per rank."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from setwise.calibration.points import Floats
from setwise.calibration.sets import LabelledRanking


@dataclass(frozen=True, slots=True)
class SetTable:
    """Ranked sets. If a set has no answer at a rank, `there` is false, its confidence 0 and its label wrong."""

    stated: Floats
    right: NDArray[np.bool_]
    there: NDArray[np.bool_]
    problem: NDArray[np.int64]
    """The problem each set belongs to, counted from 0."""
    weight: Floats
    """The weight of each set; the sets of one problem have weight 1 together."""
    keys: tuple[str, ...]

    @classmethod
    def of(cls, sets: Sequence[LabelledRanking], k: int) -> "SetTable":
        numbers = {name: number for number, name in enumerate(dict.fromkeys(each.problem for each in sets))}
        problem = np.array([numbers[each.problem] for each in sets], dtype=np.int64)
        stated, right, there = np.zeros((len(sets), k)), np.zeros((len(sets), k), bool), np.zeros((len(sets), k), bool)
        for row, each in enumerate(sets):
            size = min(k, len(each.stated))
            stated[row, :size], right[row, :size], there[row, :size] = each.stated[:size], each.right[:size], True
        weight = 1 / np.bincount(problem)[problem] if len(sets) else np.zeros(0)
        return cls(stated, right, there, problem, weight, tuple(each.key for each in sets))

    @property
    def k(self) -> int:
        return self.stated.shape[1]

    @property
    def problems(self) -> int:
        """The number of distinct problems."""
        return len(np.unique(self.problem))

    @property
    def held(self) -> NDArray[np.bool_]:
        """Whether the first answer is right, the first or the second, and so on."""
        return np.logical_or.accumulate(self.right, axis=1)

    def of_problems(self, chosen: Collection[int] | NDArray[np.int64]) -> "SetTable":
        """The sets of these problems."""
        rows = np.flatnonzero(np.isin(self.problem, np.asarray(list(chosen))))
        return SetTable(
            self.stated[rows],
            self.right[rows],
            self.there[rows],
            self.problem[rows],
            self.weight[rows],
            tuple(self.keys[row] for row in rows),
        )

    def parts(self, count: int, seed: int) -> list[NDArray[np.int64]]:
        """The problems split at random into this many parts of about the same size."""
        problems = np.unique(self.problem)
        return np.array_split(np.random.default_rng(seed).permutation(problems), count)
