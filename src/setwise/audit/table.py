"""A run as columns: one row per completion, one entry per candidate. Texts are dropped; what was odd about them is
counted."""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_TEXTS = 20_000
"""Sets and thoughts kept as text. One that first occurs later is not frequent."""
QUOTES_KEPT = 50
NOTHING = -1

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
Mask = NDArray[np.bool_]

_ROW_TYPES = {
    "problem": "i", "sample": "i", "question": "q", "k": "H", "answers": "H", "right": "H",
    "judged": "b", "valid": "b", "set": "q", "agreement": "f",
    "first": "q", "first_agreement": "f", "first_right": "b", "claim": "q",
    "sum": "f", "shares_out_one": "b", "squares": "f",
    "thought": "q", "thought_words": "i", "echo": "f", "tokens": "i", "step": "i",
}  # fmt: skip
_ENTRY_TYPES = {"row": "i", "rank": "H", "stated": "f", "is_right": "b"}


@dataclass
class AuditTable:
    """Filled row by row, then read as numpy arrays."""

    columns: dict[str, array] = field(default_factory=lambda: {name: array(kind) for name, kind in _ROW_TYPES.items()})
    entries: dict[str, array] = field(default_factory=lambda: {n: array(kind) for n, kind in _ENTRY_TYPES.items()})
    signs: defaultdict[str, dict[int, tuple[int, int]]] = field(default_factory=lambda: defaultdict(dict))
    """By sign and row, how many answers show it, and how many of those earned something."""
    problems: list[str] = field(default_factory=list)
    right_forms: defaultdict[str, array] = field(default_factory=lambda: defaultdict(lambda: array("i")))
    """By form, the problems it is right for."""
    gold_counts: array = field(default_factory=lambda: array("i"))
    """By problem, the number of right answers, as far as known."""
    golds_known: int = 0
    """Problems whose golds are on record."""
    tests_known: int = 0
    """Problems whose tests are on record."""
    gold_copies: int = 0
    """How many of those have a gold in the question."""
    texts: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The text behind the key of a set, a claim or a thought."""
    quotes: defaultdict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    """By sign, the first rows that show it, each with its evidence."""

    def add(self, **row: Any) -> int:
        """Add one completion. Returns the number of its row."""
        for name, column in self.columns.items():
            column.append(row[name])
        return len(self) - 1

    def add_entries(self, row: int, stated: Sequence[float | None], correct: Sequence[bool]) -> None:
        """Add its candidates that state a confidence."""
        for rank, (q, right) in enumerate(zip(stated, correct, strict=False)):
            if q is not None:
                self.entries["row"].append(row)
                self.entries["rank"].append(rank)
                self.entries["stated"].append(q)
                self.entries["is_right"].append(bool(right))

    def note(self, sign: str, row: int, answers: int, paid: int, quote: str) -> None:
        """Record that a completion shows a sign, in how many answers, and how many of those earned something."""
        self.signs[sign][row] = answers, paid
        if len(self.quotes[sign]) < QUOTES_KEPT:
            self.quotes[sign].append((row, quote))

    def keep(self, key: int, text: tuple[str, ...]) -> None:
        if len(self.texts) < MOST_TEXTS:
            self.texts.setdefault(key, text)

    def __len__(self) -> int:
        return len(self.columns["problem"])

    def __getitem__(self, name: str) -> Any:
        return self._arrays[name]

    @cached_property
    def _arrays(self) -> dict[str, Ints | Floats]:
        """Views of the columns, made once all rows are there."""
        return {name: np.frombuffer(own, own.typecode) for name, own in (*self.columns.items(), *self._entry_items())}

    def _entry_items(self) -> list[tuple[str, array]]:
        return [(f"entry/{name}", column) for name, column in self.entries.items()]

    def mask(self, sign: str) -> Mask:
        """The rows that show a sign."""
        shown = np.zeros(len(self), bool)
        shown[list(self.signs.get(sign, ()))] = True
        return shown

    def flagged(self, sign: str) -> tuple[int, int]:
        """The number of answers that show a sign, and how many of them earned something."""
        counted = self.signs.get(sign, {}).values()
        return sum(n for n, _ in counted), sum(paid for _, paid in counted)

    def paid(self, sign: str) -> Floats:
        """Per row, the number of answers that show a sign and earned something."""
        found = np.zeros(len(self))
        for row, (_, paid) in self.signs.get(sign, {}).items():
            found[row] = paid
        return found
