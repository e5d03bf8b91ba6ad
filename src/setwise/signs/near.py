"""Answers of one set that pass the uniqueness rule but are the same answer."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from rapidfuzz.distance import OSA

from setwise.matching.brakes import differ
from setwise.matching.normalize import normalize
from setwise.signs.names import NameBook
from setwise.signs.words import skeleton, wording

MOST_ADDED = 2
"""Most words by which a subtype is longer than the thing itself."""
LETTERS_AN_ERROR = 6
"""A misspelling may differ in one of this many letters."""
SHORTEST = 4
REMEMBERED = 1 << 14
LONGEST = 200
_OPPOSED = frozenset(("no", "non", "not", "without", "never", "anti"))


class NearPair(NamedTuple):
    """Two places of a set, and what makes them one answer."""

    first: int
    second: int
    why: str


def near_pairs(answers: Sequence[str], book: NameBook, right: Sequence[bool] = ()) -> list[NearPair]:
    """The pairs that are near. Two names of the task are near only if one is a subtype of the other, and never if both
    are right, since the task itself then counts them as two.

    >>> near_pairs(["Croup", "Croupp", "viral croup", "Gout"], NameBook({}))
    [NearPair(first=0, second=1, why='spelling'), NearPair(first=0, second=2, why='a kind of the other')]
    """
    found = []
    for one, other in combinations(range(len(answers)), 2):
        if len(right) == len(answers) and right[one] and right[other]:
            continue
        if why := _remembered(answers[one], answers[other], book):
            found.append(NearPair(one, other, why))
    return found


def _remembered(one: str, other: str, book: NameBook) -> str:
    """`why_near`, cached, because the same pairs recur if answers come from a list."""
    known = book.near.get((one, other))
    if known is None:
        known = why_near(one, other, book)
        if len(book.near) < REMEMBERED:
            book.near[one, other] = known
    return known


def why_near(one: str, other: str, book: NameBook) -> str:
    """What makes two answers one; empty if they differ."""
    if len(one) > LONGEST or len(other) > LONGEST:
        return ""
    first, second = wording(one), wording(other)
    if not first or not second:
        return ""
    owners = book.owners.get(first), book.owners.get(second)
    if owners[0] is not None and owners[0] == owners[1]:
        return "another name" if first != second else ""
    if _is_kind(first.split(" "), second.split(" ")):
        return "a kind of the other"
    if None not in owners:
        return ""
    if book.closed and _is_one_name(first.split(" "), second.split(" "), book):
        return "the same name in other words"
    if sorted(first.split(" ")) == sorted(second.split(" ")):
        return "word order" if first != second else "punctuation"
    return "spelling" if _is_misspelt(one, other) else ""


def _is_kind(first: list[str], second: list[str]) -> bool:
    small, large = sorted((set(first), set(second)), key=len)
    added = large - small
    if not small < large or len(added) > MOST_ADDED or not any(len(word) >= SHORTEST for word in small):
        return False
    return _OPPOSED.isdisjoint(added)


def _is_one_name(first: list[str], second: list[str], book: NameBook) -> bool:
    """Whether both contain exactly one name of the list, and the same one."""
    inside = book.owners_in(first), book.owners_in(second)
    return len(inside[0]) == 1 and inside[0] == inside[1] and _OPPOSED.isdisjoint({*first} ^ {*second})


def _is_misspelt(one: str, other: str) -> bool:
    first, second = skeleton(one), skeleton(other)
    if min(len(first), len(second)) < SHORTEST:
        return False
    if first == second:
        return True
    if [*filter(str.isdigit, first)] != [*filter(str.isdigit, second)]:
        return False
    most = max(1, min(len(first), len(second)) // LETTERS_AN_ERROR)
    if OSA.distance(first, second, score_cutoff=most) > most:
        return False
    return not differ(normalize(one), normalize(other))
