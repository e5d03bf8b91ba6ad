"""Several answers in one: two names in one slot, a list, "all of the above"."""

import re
from collections.abc import Collection

from setwise.signs.names import NameBook
from setwise.signs.words import wording, words

_EVERYTHING = re.compile(r"\b(?:all|any|none|both|either) of (?:the|these|those|them)\b|\ball options\b|\beverything\b")
_SEPARATORS = re.compile(
    r"\s*(?:;|\||\n|,|(?<!\d)/(?!\d)|&|\+|\bor\b|\band\b|\bversus\b|\bvs\b\.?|\balternatively\b|\bpossibly\b)\s*", re.I
)
_OR = re.compile(r"\beither\b.+\bor\b|\w\s+or\s+\w|\band/or\b|\w\s*\|\s*\w", re.I | re.S)
LONGEST_PART = 6
LONGEST = 600


def holds_several(answer: str, book: NameBook, alone: Collection[str] = ()) -> bool:
    """Whether an answer would be right if any of several things were.

    `alone` has the wordings of complete answers to the same question: a text whose parts are among them is a list. A
    name of the task is one answer, whatever it consists of.

    >>> book = NameBook({"flu": "flu", "gout": "gout", "stroke or tia": "stroke or tia"}, closed=True)
    >>> [holds_several(text, book) for text in ("flu or gout", "flu gout", "severe flu", "Stroke or TIA")]
    [True, True, False, False]
    """
    text = answer[:LONGEST]
    own = wording(text)
    if not own or own in book.owners:
        return False
    if _EVERYTHING.search(own):
        return True
    if book.closed and len(book.owners_in(words(text))) > 1:
        return True
    parts = [wording(part) for part in _SEPARATORS.split(text)]
    parts = [part for part in dict.fromkeys(parts) if part]
    if len(parts) < 2 or max(len(part.split(" ")) for part in parts) > LONGEST_PART:
        return False
    known = sum(part in alone or part in book.owners for part in parts)
    return known > 1 or bool(_OR.search(text))
