"""What a confidence would be with another token where its first decimal stands.

The score of a confidence is known for every number, not only for the one that was drawn. So the update can weigh all
numbers that a token could have made, each by its probability.

That token is the first decimal, or the whole number in a vocabulary of words. The digit before the point also decides
which decimals follow, and a later decimal stands where the number could have ended. Both learn from what was drawn.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from setwise.answers import Spans
from setwise.credit.tokens import TokenText
from setwise.parsing.confidences import strict_confidence

Floats = NDArray[np.float64]

_NUMBER = re.compile(r"\s?(?:[0-9]{1,3}|[01]?\.[0-9]{1,3})")
"""What one token can write of a confidence: digits, or a whole number."""


class Choice(NamedTuple):
    """A token that chose a confidence, with what it could have chosen."""

    token: int
    place: int
    """Which of the set's confidences it writes."""
    numbers: Floats
    """The confidence with each of the number tokens there; NaN if that is no confidence."""


class NumberTokens:
    """The tokens of a vocabulary that write numbers."""

    def __init__(self, tokens: TokenText, vocabulary: dict[str, int]) -> None:
        # A word first: what other tokens add is what they add after it, with the blank that some put between words.
        tokens.added(next(number for token, number in vocabulary.items() if token.isalnum()))
        written = {number: tokens.added(number) for token, number in vocabulary.items() if re.search("[0-9]", token)}
        self.texts = {number: text for number, text in sorted(written.items()) if _NUMBER.fullmatch(text)}
        """By token id, what it adds to a text."""

    def choices(self, ids: Sequence[int], starts: NDArray[np.int64], text: str, spans: Spans) -> Iterator[Choice]:
        """The tokens of a completion that chose between confidences."""
        stops = np.append(starts[1:], len(text))
        for place, span in enumerate(spans.confidences):
            if span is None:
                continue
            for token in np.flatnonzero((starts >= span[0]) & (stops <= span[1]) & (stops > starts)).tolist():
                begin, end = int(starts[token]), int(stops[token])
                before, written = text[span[0] : begin].strip(), text[begin:end]
                chooses = before.endswith(".") or (not before and "." in written)
                if chooses and self.texts.get(ids[token]) == written:
                    yield Choice(token, place, self._numbers(before, text[end : span[1]]))

    def _numbers(self, before: str, after: str) -> Floats:
        read = (strict_confidence((before + text + after).strip()) for text in self.texts.values())
        return np.array([np.nan if number is None else number for number in read])
