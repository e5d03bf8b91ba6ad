"""Equality of normal forms; a gold's aliases are the gold."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from setwise.answers import Match
from setwise.errors import InputError
from setwise.matching.bipartite import assign_golds
from setwise.matching.normalize import normalize
from setwise.questions import Gold, Problem

WRONG = Match(correct=False)
_MOST_INDEXES = 1 << 14
_indexes: dict[int, tuple[tuple[Gold, ...], dict[str, tuple[int, ...]]]] = {}


@dataclass(frozen=True, slots=True)
class ExactMatcher:
    """The default matcher."""

    name: str = "exact"
    spec: str = "exact"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        index = _gold_index(golds_of(problem, self.name))
        return matches(assign_golds([index.get(normalize(answer), ()) for answer in answers]), problem)

    def forms(self, answers: Sequence[str]) -> list[Hashable]:
        return [normalize(answer) for answer in answers]


exact = ExactMatcher()


def golds_of(problem: Problem, matcher: str) -> tuple[Gold, ...]:
    """A problem's golds, for a matcher that cannot do without them."""
    if problem.golds is None:
        raise InputError(
            f"the {matcher} matcher needs golds and this problem has tests instead",
            place=f"problem {problem.id}",
            remedy="use the code matcher",
        )
    return problem.golds


def equal_golds(answer: str, golds: tuple[Gold, ...]) -> tuple[int, ...]:
    """The golds that have the answer's normal form among their names; several may share an alias.

    >>> equal_golds("Flu!", (Gold("influenza A", ("flu",)), Gold("gout"), Gold("influenza B", ("flu",))))
    (0, 2)
    """
    return _gold_index(golds).get(normalize(answer), ())


def matches(earned: Sequence[int | None], problem: Problem) -> list[Match]:
    """Labels out of an assignment; the evidence is the gold that was earned."""
    golds = problem.golds or ()
    return [WRONG if gold is None else Match(True, gold, golds[gold].text) for gold in earned]


def _gold_index(golds: tuple[Gold, ...]) -> dict[str, tuple[int, ...]]:
    """Normal form -> the golds that have it.

    Remembered by identity, since hashing a gold set costs more than looking it up; the entry holds the tuple, so
    its id cannot come to mean another one.
    """
    known = _indexes.get(id(golds))
    if known is None:
        if len(_indexes) >= _MOST_INDEXES:
            _indexes.clear()
        known = _indexes[id(golds)] = (golds, _build_index(golds))
    return known[1]


def _build_index(golds: tuple[Gold, ...]) -> dict[str, tuple[int, ...]]:
    index: dict[str, tuple[int, ...]] = {}
    for number, gold in enumerate(golds):
        for form in {normalize(name) for name in (gold.text, *gold.aliases)}:
            index[form] = (*index.get(form, ()), number)
    return index
