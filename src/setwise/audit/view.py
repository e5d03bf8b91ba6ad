"""A run as findings see it: its table, what else is known, and counts that several findings need."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from setwise.audit.said import Context
from setwise.audit.table import NOTHING, AuditTable, Floats, Ints, Mask


@dataclass(frozen=True)
class KeyTally:
    """Keys by frequency, most frequent first."""

    keys: Ints
    counts: Ints


@dataclass(frozen=True)
class AuditView:
    """Never changed by a finding."""

    table: AuditTable
    context: Context

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, column: str) -> Any:
        return self.table[column]

    @cached_property
    def answered(self) -> Mask:
        return self["answers"] > 0

    @cached_property
    def judged(self) -> Mask:
        return self.answered & (self["judged"] > 0)

    @cached_property
    def claimed(self) -> Mask:
        """Rows that state a confidence for every answer."""
        return self["claim"] != NOTHING

    @cached_property
    def any_right(self) -> Mask:
        return self["right"] > 0

    @property
    def problems(self) -> int:
        return len(self.table.problems)

    def tally(self, column: str, among: Mask) -> KeyTally:
        keys, counts = np.unique(self[column][among & (self[column] != NOTHING)], return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return KeyTally(keys[order], counts[order])

    def text(self, key: int) -> tuple[str, ...]:
        return self.table.texts.get(int(key), ())

    def problems_of(self, rows: Mask) -> int:
        return len(np.unique(self["problem"][rows]))

    def questions_of(self, rows: Mask) -> int:
        """The number of different questions; two problems may ask the same."""
        pairs = self["question"][rows] if self.has_questions else self["problem"][rows]
        return len(np.unique(pairs))

    @cached_property
    def has_questions(self) -> bool:
        return len(np.unique(self["question"])) > 1

    @cached_property
    def median_words(self) -> float:
        """Median length of the thoughts, in words."""
        return float(np.median(self["thought_words"][self.answered])) if self.answered.any() else 0.0

    def by_problem(self, values: Floats, rows: Mask) -> float:
        """Mean over problems of the mean of some rows' values."""
        own = self["problem"][rows]
        times = np.bincount(own, minlength=self.problems)
        sums = np.bincount(own, values[rows], minlength=self.problems)
        return float((sums[times > 0] / times[times > 0]).mean()) if times.any() else float("nan")
