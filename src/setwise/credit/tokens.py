"""The position of each sampled token in the completion's text. Nothing is encoded again, since that might give other
tokens.

A token is the text it adds. Most add the same text everywhere, so a batch is looked up in a table of what each adds
after another token. If that does not reproduce the text (a character spread over several tokens, a tokenizer with its
own rules for joining words), the completion is decoded piece by piece and, if necessary, prefix by prefix, which is
correct by definition.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, groupby

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Decode = Callable[[Sequence[int]], str]

UNFINISHED = "\ufffd"
"""What a decoder writes for bytes that are not yet a character."""


class TokenText:
    """Character positions of tokens, for one way of decoding."""

    def __init__(self, decode: Decode) -> None:
        self.decode = decode
        self._added: dict[int, str] = {}
        self._first: dict[int, str] = {}
        """The text of a token at the start, where some tokenizers drop its leading space."""
        self._anchor: tuple[list[int], str] | None = None

    def starts(self, ids: Sequence[int], text: str) -> Integers:
        """For each token, the position of its first character in `text`, which the ids decode to.

        A token in the middle of a character has the character's position. A token that adds nothing has the position of
        the next.
        """
        if not ids:
            return np.zeros(0, np.int64)
        pieces = self._from_table(ids)
        if "".join(pieces) != text:
            pieces = self._piece_by_piece(ids)
        if "".join(pieces) != text:
            return self._prefix_by_prefix(ids, text)
        return _places(pieces)

    def added(self, token: int) -> str:
        """What a token adds to the text, unless it is the first."""
        if token not in self._added:
            self._added[token] = self._behind_another([token])
        return self._added[token]

    def _from_table(self, ids: Sequence[int]) -> list[str]:
        head = ids[0]
        if head not in self._first:
            self._first[head] = self.decode([head])
        pieces = [self.added(token) for token in ids]
        pieces[0] = self._first[head]
        if UNFINISHED in "".join(pieces):
            self._join_bytes(ids, pieces)
        return pieces

    def _join_bytes(self, ids: Sequence[int], pieces: list[str]) -> None:
        """Read tokens that are not whole characters together; each gets what it completes."""
        for unfinished, run in groupby(range(len(ids)), key=lambda place: UNFINISHED in pieces[place]):
            places = list(run) if unfinished else []
            done = ""
            for place in places:
                begin, end = places[0], place + 1
                joined = self._behind_another(ids[begin:end]) if begin else self.decode(ids[:end])
                whole = joined if place == places[-1] else joined.rstrip(UNFINISHED)
                pieces[place], done = whole[len(done) :], whole

    def _behind_another(self, tokens: Sequence[int]) -> str:
        """What tokens add after a plain-text token."""
        if self._anchor is None:
            if not (alone := self.decode(tokens)).isalnum():
                return alone
            self._anchor = list(tokens), alone
        before, shown = self._anchor
        both = self.decode([*before, *tokens])
        return both[len(shown) :] if both.startswith(shown) else both

    def _piece_by_piece(self, ids: Sequence[int]) -> list[str]:
        """As servers stream: a piece is done when it ends in a whole character, and its last token gets all of it."""
        pieces: list[str] = []
        context = begin = 0
        for end in range(1, len(ids) + 1):
            known = self.decode(ids[context:begin])
            both = self.decode(ids[context:end])
            if both.endswith(UNFINISHED) and end < len(ids):
                continue
            pieces += [*[""] * (end - begin - 1), both[len(known) :]]
            context, begin = begin, end
        return pieces

    def _prefix_by_prefix(self, ids: Sequence[int], text: str) -> Integers:
        places = [0]
        for end in range(1, len(ids)):
            places.append(max(places[-1], _agreement(self.decode(ids[:end]), text)))
        return np.array(places, np.int64)


def _places(pieces: Sequence[str]) -> Integers:
    return np.array([0, *accumulate(map(len, pieces[:-1]))], np.int64)


def _agreement(first: str, second: str) -> int:
    """The number of characters that two texts have in common at the start."""
    shorter = min(len(first), len(second))
    if first[:shorter] == second[:shorter]:
        return shorter
    return next(place for place in range(shorter) if first[place] != second[place])
