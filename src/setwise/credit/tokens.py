"""Where each sampled token stands in the completion's text. Nothing is encoded again: other tokens might come out.

A token is the text it adds. Most add the same wherever they stand, so a batch is read from a table of what each
adds behind another token. Where that does not give the text (a character that is spread over several tokens, a
tokenizer that joins words by rules of its own) the completion is decoded piece by piece, and at last prefix by prefix,
which is right by definition.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, groupby

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Decode = Callable[[Sequence[int]], str]

UNFINISHED = "\ufffd"
"""What a decoder writes for bytes that are no character yet."""


class TokenText:
    """Character places of tokens, for one way to decode."""

    def __init__(self, decode: Decode) -> None:
        self.decode = decode
        self._added: dict[int, str] = {}
        self._first: dict[int, str] = {}
        """What a token is at the head of a text, where some tokenizers drop its blank."""
        self._anchor: tuple[list[int], str] | None = None

    def starts(self, ids: Sequence[int], text: str) -> Integers:
        """For each token the place of its first character in `text`, which the ids decode to.

        A token in the middle of a character stands where the character does; one that adds nothing stands where the
        next one does.
        """
        if not ids:
            return np.zeros(0, np.int64)
        pieces = self._from_table(ids)
        if "".join(pieces) != text:
            pieces = self._piece_by_piece(ids)
        if "".join(pieces) != text:
            return self._prefix_by_prefix(ids, text)
        return _places(pieces)

    def _from_table(self, ids: Sequence[int]) -> list[str]:
        known, head = self._added, ids[0]
        for token in set(ids).difference(known):
            known[token] = self._behind_another([token])
        if head not in self._first:
            self._first[head] = self.decode([head])
        pieces = [known[token] for token in ids]
        pieces[0] = self._first[head]
        if UNFINISHED in "".join(pieces):
            self._join_bytes(ids, pieces)
        return pieces

    def _join_bytes(self, ids: Sequence[int], pieces: list[str]) -> None:
        """Tokens that are no whole characters by themselves are read together; each has what it completes."""
        for unfinished, run in groupby(range(len(ids)), key=lambda place: UNFINISHED in pieces[place]):
            places = list(run) if unfinished else []
            done = ""
            for place in places:
                begin, end = places[0], place + 1
                joined = self._behind_another(ids[begin:end]) if begin else self.decode(ids[:end])
                whole = joined if place == places[-1] else joined.rstrip(UNFINISHED)
                pieces[place], done = whole[len(done) :], whole

    def _behind_another(self, tokens: Sequence[int]) -> str:
        """What tokens add behind one that is plain text."""
        if self._anchor is None:
            if not (alone := self.decode(tokens)).isalnum():
                return alone
            self._anchor = list(tokens), alone
        before, shown = self._anchor
        both = self.decode([*before, *tokens])
        return both[len(shown) :] if both.startswith(shown) else both

    def _piece_by_piece(self, ids: Sequence[int]) -> list[str]:
        """As servers stream: a piece is done when it ends in a whole character; its last token has all of it."""
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
    """How many characters two texts begin with alike."""
    shorter = min(len(first), len(second))
    if first[:shorter] == second[:shorter]:
        return shorter
    return next(place for place in range(shorter) if first[place] != second[place])
