"""The only normaliser: decides which spellings are the same answer, for uniqueness and correctness alike.

The rules, each with an example, are the table in docs/reference/matchers.md.
"""

import re
import unicodedata
from functools import lru_cache

from setwise.matching.folding import fold

_PLAIN = re.compile(r"[a-z0-9\s]*")
_ARTICLES = frozenset(("a", "an", "the"))
_CACHED_CHARACTERS = 256

# Cased scripts only: in others, letters may merge into one when the dots between them are removed.
_LETTER = "[a-z\u00df-\u024f\u0370-\u052f]"
_INITIALS = re.compile(rf"(?<![\w.]){_LETTER}\.(?:(?:\s?{_LETTER}\.)++(?:{_LETTER}(?!\w))?+|{_LETTER}(?!\w))")
_DIGIT_GROUPS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})++(?!\d|,\d)")
_NOTHING_BUT_GROUPS = re.compile(r"[^\w,]*[1-9]\d{0,2}(?:,\s?\d{3})++[^\w,]*")
_GROUP_SPACE = re.compile(r",\s")
_DROPPED_FROM_INITIALS = str.maketrans("", "", ". \t\n\r\f\v\xa0")
_WRITTEN_IN_ASCII = re.compile(r"<-{1,2}>|<=>|-{1,2}>|<-{1,2}(?![\d.])|=>|<=|>=|!=")
_ARROWS_AND_COMPARISONS = {
    "<->": "↔", "<-->": "↔", "<=>": "⇔", "->": "→", "-->": "→", "<-": "←", "<--": "←", "=>": "⇒",
    "<=": "≤", ">=": "≥", "!=": "≠",
}  # fmt: skip
_SIGN_SET_APART = re.compile(r"(^|[=<>≤≥≠≈~±→⇒(\[,;:/|+*\u00d7÷])\s*-\s+(?=\d)")
_SIGN_AT_THE_END = re.compile(r"(?<=[^\W_])\s-\s*$")
_LEADING_POINT = re.compile(r"(?<![\w.])\.(?=\d)")
# Signs that belong to a word: of a number or its exponent, between digits, at the end (C++, C#, HER2-), in C++11.
_AT_THE_END_OF_A_WORD = r"(?=[\s/,;:.!?)\]}\"']|$)"
_KEPT_MARKS = re.compile(
    r"((?<!\w)-(?=\d)"
    r"|(?<=\de)[+-](?=\d)"
    r"|(?<=\d)[.:](?=\d)"
    r"|(?<=\d)\s?[/*·]\s?(?=\d)"
    rf"|(?<=[^\W_])(?:[+\#]++|-){_AT_THE_END_OF_A_WORD}"
    r"|(?<=[^\W\d_])\+\+(?=\d))"
)
_SYMBOLS_OF_OTHER_KINDS = "%‰‱^"
_ORNAMENTS = "®©℗"


class _Separators(dict[int, int | str]):
    """Punctuation and control characters become spaces; a symbol becomes a separate word."""

    def __missing__(self, code_point: int) -> int | str:
        character = chr(code_point)
        category = unicodedata.category(character)
        separated: int | str = code_point
        if character in _SYMBOLS_OF_OTHER_KINDS or (category in ("Sm", "Sc", "So") and character not in _ORNAMENTS):
            separated = f" {character} "
        elif category[0] in "PSZ" or category == "Cc":
            separated = " "
        self[code_point] = separated
        return separated


_SEPARATORS = _Separators()


def normalize(text: str) -> str:
    """The normal form of an answer.

    Case, compatibility forms and invisible characters are folded. Punctuation becomes a space; symbols stay. Signs,
    decimals and digit groups are read as parts of numbers. Articles are dropped, except at the end, where "a" is a name
    (Hepatitis A), and before a symbol (a + b). An answer that is all punctuation keeps its text.

    >>> normalize("The  Pneumonia."), normalize("p<0.05"), normalize("-1,000"), normalize("HER2-"), normalize("U.S.")
    ('pneumonia', 'p < 0.05', '-1000', 'her2-', 'us')
    """
    return _cached(text) if len(text) <= _CACHED_CHARACTERS else _normalize(text)


def _normalize(text: str) -> str:
    folded = fold(text)
    words = (folded if _PLAIN.fullmatch(folded) else _separated(folded)).split()
    if not _ARTICLES.isdisjoint(words):
        words = [word for word, following in zip(words, [*words[1:], "+"], strict=True) if _counts(word, following)]
    if words[-1:] == ["+"] and words[-2:-1] and words[-2][-1].isalnum():
        words[-2:] = [f"{words[-2]}+"]
    return " ".join(words) or "".join(folded.split()) or folded


def _counts(word: str, following: str) -> bool:
    return word not in _ARTICLES or not following[0].isalnum()


def _separated(text: str) -> str:
    """The text with spaces for punctuation and around symbols."""
    if "," in text:
        if _NOTHING_BUT_GROUPS.fullmatch(text):
            text = _GROUP_SPACE.sub(",", text)
        text = _DIGIT_GROUPS.sub(lambda group: group[0].replace(",", ""), text)
    if "." in text:
        text = _INITIALS.sub(lambda initials: initials[0].translate(_DROPPED_FROM_INITIALS) + " ", text)
        text = _LEADING_POINT.sub("0.", text)
    if "<" in text or ">" in text or "!=" in text:
        text = _WRITTEN_IN_ASCII.sub(lambda sign: _ARROWS_AND_COMPARISONS[sign[0]], text)
    if "-" in text:
        text = _SIGN_AT_THE_END.sub("-", _SIGN_SET_APART.sub(r"\1 -", text))
    parts = _KEPT_MARKS.split(text)
    parts[::2] = [part.translate(_SEPARATORS) for part in parts[::2]]
    parts[1::2] = [mark.strip() for mark in parts[1::2]]
    return "".join(parts)


_cached = lru_cache(maxsize=1 << 16)(_normalize)
