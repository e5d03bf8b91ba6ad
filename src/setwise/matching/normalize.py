"""The one normaliser: what makes two spellings the same answer, for uniqueness and for correctness alike."""

import re
import unicodedata
from functools import lru_cache

# Marks that carry meaning: the sign of a number or of its exponent, a decimal point, the tail of C++, C# or HER2+.
_KEPT_MARKS = re.compile(
    r"((?<!\w)[+-](?=\.?\d)"
    r"|(?<=\de)[+-](?=\d)"
    r"|(?<=\d)\.(?=\d)"
    r"|(?<!\w)\.(?=\d)"
    r"|(?<=\w)[+#]++(?!\w)"
    r"|(?<=[^\W\d_])\+\+(?=\d))"
)
_ARTICLES = frozenset(("a", "an", "the"))
_MINUS_SIGN = "\u2212"
_CACHED_CHARACTERS = 256
_MOST_MARKS_IN_A_ROW = 30
_MARKS_IN_DISGUISE = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Not combining themselves, and NFKC makes marks of them."""


class _Separators(dict[int, int | str]):
    """Punctuation, symbols and control characters become a space."""

    def __missing__(self, code_point: int) -> int | str:
        category = unicodedata.category(chr(code_point))
        self[code_point] = " " if category[0] in "PSZ" or category == "Cc" else code_point
        return self[code_point]


class _Visible(dict[int, int | None]):
    """Invisible format characters vanish."""

    def __missing__(self, code_point: int) -> int | None:
        self[code_point] = None if unicodedata.category(chr(code_point)) == "Cf" else code_point
        return self[code_point]


_SEPARATORS = _Separators()
_VISIBLE = _Visible()


def normalize(text: str) -> str:
    """The normal form of an answer.

    NFKC and casefold; punctuation becomes a space except where it is part of a number or a name; articles are
    dropped, except at the end, where "a" is a name and no article (Hepatitis A); white space collapses. An
    answer that is all punctuation keeps its casefolded text.

    >>> normalize("The  Pneumonia."), normalize("C++"), normalize("-0.5"), normalize("Hepatitis A")
    ('pneumonia', 'c++', '-0.5', 'hepatitis a')
    """
    return _cached(text) if len(text) <= _CACHED_CHARACTERS else _normalize(text)


def _normalize(text: str) -> str:
    folded = _fold(text)
    parts = _KEPT_MARKS.split(folded)
    parts[::2] = [part.translate(_SEPARATORS) for part in parts[::2]]
    words = "".join(parts).split()
    kept = [word for word in words[:-1] if word not in _ARTICLES] + words[-1:]
    return " ".join(kept) or folded.strip() or folded


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = text.translate(_VISIBLE) or text
    if len(text) > _CACHED_CHARACTERS:
        text = _stream_safe(text)
    # Casefolding can undo NFKC and the reverse, so the pair is applied until it is stable (at most twice).
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text).casefold().replace(_MINUS_SIGN, "-")
    return unicodedata.normalize("NFKC", text)


def _stream_safe(text: str) -> str:
    """Without the combining marks that follow thirty others: sorting a run of them, as NFKC does, is quadratic.

    Thirty is the limit of the stream-safe text format (Unicode Standard Annex 15, section 13).
    """
    kept: list[str] = []
    run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) or character in _MARKS_IN_DISGUISE else 0
        if run <= _MOST_MARKS_IN_A_ROW:
            kept.append(character)
    return "".join(kept)


_cached = lru_cache(maxsize=1 << 16)(_normalize)
