"""Equality of normal forms. A gold's aliases count as the gold."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from setwise.answers import Match
from setwise.matching.bipartite import assign_golds
from setwise.matching.needs import Needs, lacks_golds
from setwise.matching.normalize import normalize
from setwise.matching.same import WRONG, each_once, key_of_golds
from setwise.questions import Gold, Problem

_MOST_INDEXES = 1 << 14


@dataclass(slots=True)
class _Index:
    """Lookup tables for the names of a gold set."""

    golds: tuple[Gold, ...]
    numbers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Normal form -> golds that have it. Several golds may share an alias."""
    keys: dict[str, Hashable] = field(default_factory=dict)
    """Normal form -> key of its golds, for the names whose key differs from it."""
    shared: bool = False
    """Whether some name can earn more than one gold."""


_indexes: dict[int, _Index] = {}


@dataclass(frozen=True, slots=True)
class ExactMatcher:
    """The default matcher."""

    needs: ClassVar[Needs] = "golds"
    name: str = "exact"
    spec: str = "exact"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        index = _index_of(golds_of(problem, self.name))
        edges = [index.numbers.get(normalize(answer), ()) for answer in answers]
        return matches(assign_golds(each_once(edges) if index.shared else edges), problem)

    def same(self, answers: Sequence[str], problem: Problem) -> list[Hashable]:
        keys = _index_of(golds_of(problem, self.name)).keys
        forms = [normalize(answer) for answer in answers]
        return [keys.get(form, form) for form in forms] if keys else forms  # pyright: ignore[reportReturnType]


exact = ExactMatcher()


def golds_of(problem: Problem, matcher: str) -> tuple[Gold, ...]:
    """A problem's golds, for a matcher that needs them."""
    if problem.golds is None:
        raise lacks_golds(problem, matcher)
    return problem.golds


def equal_golds(answer: str, golds: tuple[Gold, ...]) -> tuple[int, ...]:
    """The golds that have the answer's normal form among their names. Several may share an alias.

    >>> equal_golds("Flu!", (Gold("influenza A", ("flu",)), Gold("gout"), Gold("influenza B", ("flu",))))
    (0, 2)
    """
    return _index_of(golds).numbers.get(normalize(answer), ())


def matches(earned: Sequence[int | None], problem: Problem) -> list[Match]:
    """Labels from an assignment; the evidence is the gold earned."""
    golds = problem.golds or ()
    return [WRONG if gold is None else Match(True, gold, golds[gold].text) for gold in earned]


def _index_of(golds: tuple[Gold, ...]) -> _Index:
    """The index of a gold set.

    Cached by identity, because hashing a gold set costs more than looking it up. The entry holds the tuple, so that its
    id cannot be reused.
    """
    known = _indexes.get(id(golds))
    if known is None:
        if len(_indexes) >= _MOST_INDEXES:
            _indexes.clear()
        known = _indexes[id(golds)] = _built(golds)
    return known


def _built(golds: tuple[Gold, ...]) -> _Index:
    index = _Index(golds)
    for number, gold in enumerate(golds):
        for form in {normalize(name) for name in (gold.text, *gold.aliases)}:
            index.numbers[form] = (*index.numbers.get(form, ()), number)
    if len(index.numbers) > len(golds) or any(len(numbers) > 1 for numbers in index.numbers.values()):
        keys = {form: key_of_golds(golds, numbers) for form, numbers in index.numbers.items()}
        index.keys = {form: key for form, key in keys.items() if key != form}
        index.shared = any(len(numbers) > 1 for numbers in index.numbers.values())
    return index
