"""What must be equal in two names, however similar they are, for a fuzzy match.

"Type 1 diabetes" and "type 2 diabetes" differ in one character. So numbers, symbols, roman numerals, single letters and
other short words, negations, sides and other opposites, and months are compared exactly, including how often each
occurs. A word also must not differ from the other by a prefix that reverses it (unstable, hypo- and hyper-). Only the
rest of a name may differ in spelling.
"""

import re
from collections import Counter
from itertools import permutations

from rapidfuzz import fuzz

_PIECES = re.compile(r"-?\d+(?:[.:/*·]\d+)*|[+#-]+|[^\s\d+#-]+")
"""The parts of a normal form: numbers, signs, and words with their diacritics."""
_ROMAN = re.compile(r"(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_SHORT = 3
_FILLERS = frozenset(("an", "the", "of", "in", "on", "at", "to", "by", "for", "and", "or", "de", "la", "le", "du"))
_EXACT_WORDS = frozenset(
    word
    for words in (
        "no not non none never neither nor without cannot except absent absence",
        "one two three four five six seven eight nine ten eleven twelve hundred thousand million billion",
        "first second third fourth fifth sixth seventh eighth ninth tenth primary secondary tertiary",
        "single double triple unilateral bilateral",
        "left right upper lower top bottom front back inner outer inside outside internal external",
        "proximal distal anterior posterior medial lateral dorsal ventral superior inferior cranial caudal",
        "superficial deep central peripheral afferent efferent systolic diastolic arterial venous",
        "north south east west northern southern eastern western",
        "high low higher increase decrease increased decreased more less over under above below down",
        "maximum minimum positive negative benign malignant acute chronic active passive open closed stemi nstemi",
        "male female man woman men women boy girl mother father son daughter brother sister",
        "before after early late always true false",
        "january february march april may june july august september october november december",
        "monday tuesday wednesday thursday friday saturday sunday",
    )
    for word in words.split()
)
_OPPOSED_PREFIXES = (
    ("hypo", "hyper"), ("intra", "inter", "extra"), ("pre", "post"), ("macro", "micro"), ("brady", "tachy"),
    ("endo", "exo", "ecto"), ("supra", "infra", "sub"), ("poly", "oligo", "mono"), ("ab", "ad"),
)  # fmt: skip
_OPPOSITES = [pair for group in _OPPOSED_PREFIXES for pair in permutations(group, 2)]
_TURNING_PREFIXES = (
    *(prefix for group in _OPPOSED_PREFIXES for prefix in group),
    "un", "in", "im", "ir", "il", "an", "a", "non", "dis", "de", "anti", "mis", "mal", "pseudo", "para", "counter",
)  # fmt: skip
_SAME_STEM = 75.0


def differ(one: str, other: str) -> bool:
    """Whether two normal forms differ in something that is never just spelling.

    >>> differ("type 1 diabetes", "type 2 diabetes"), differ("unstable angina", "stable angina"), differ("goot", "gout")
    (True, True, False)
    """
    words, others = Counter(_PIECES.findall(one)), Counter(_PIECES.findall(other))
    left, right = words - others, others - words
    if any(_is_exact(piece) for piece in (left | right)):
        return True
    pairs = [(a, b) for a in left for b in right]
    return any(_turned(a, b) or _turned(b, a) or _opposed(a, b) for a, b in pairs)


def _is_exact(piece: str) -> bool:
    if not any(map(str.isalpha, piece)) or piece in _EXACT_WORDS or _ROMAN.fullmatch(piece):
        return True
    return len(piece) <= _SHORT and piece not in _FILLERS


def _turned(word: str, other: str) -> bool:
    """Whether one word is the other with a prefix, rather than a misspelling of it."""
    alike = max(_SAME_STEM, fuzz.ratio(word, other))
    prefixes = [prefix for prefix in _TURNING_PREFIXES if word.startswith(prefix)]
    return any(fuzz.ratio(word.removeprefix(prefix), other) > alike for prefix in prefixes)


def _opposed(word: str, other: str) -> bool:
    return any(
        word.startswith(one) and other.startswith(two) and _same_stem(word.removeprefix(one), other.removeprefix(two))
        for one, two in _OPPOSITES
    )


def _same_stem(one: str, other: str) -> bool:
    return fuzz.ratio(one, other) >= _SAME_STEM
