"""How signs read text: words without case, marks or look-alike letters."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"[\x00-\x7f]*\Z")


def words(text: str) -> list[str]:
    """
    >>> words("The Pneumonia, (left-sided)")
    ['the', 'pneumonia', 'left', 'sided']
    """
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=1 << 16)
def wording(text: str) -> str:
    """The words of a short text, separated by spaces."""
    return " ".join(words(text))


@lru_cache(maxsize=1 << 16)
def skeleton(text: str) -> str:
    """Only letters and digits, without accents and with look-alike letters of other scripts as Latin ones.

    >>> skeleton("p\\N{CYRILLIC SMALL LETTER IE}n-n\\N{LATIN SMALL LETTER E WITH ACUTE}")
    'penne'
    """
    folded = text.casefold()
    if not _PLAIN.match(folded):
        folded = "".join(map(_look_alike, unicodedata.normalize("NFKD", folded)))
    return "".join(filter(str.isalnum, folded))


_BY_LOOK = dict(
    zip(
        "\u0430\u0435\u0456\u043e\u0440\u0441\u0443\u0445\u0501\u051b\u0455\u0458\u03b1\u03b5\u03b9\u03bf\u03c1\u03c5\u03ba\u03bd\u0442\u043c\u043d\u043a\u0432\u04bb\u0261\u0131",
        "aeiopcyxdqsjaeiopukvtmhkbhgi",
        strict=True,
    )
)


def _look_alike(letter: str) -> str:
    return "" if unicodedata.combining(letter) else _BY_LOOK.get(letter, letter)
