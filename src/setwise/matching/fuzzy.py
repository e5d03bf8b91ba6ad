"""Near-equality of normal forms, for names with many spellings."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from setwise.answers import Match
from setwise.errors import InputError
from setwise.matching.bipartite import assign_golds
from setwise.matching.exact import golds_of, matches
from setwise.matching.normalize import normalize
from setwise.questions import Problem

_COMPARED_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class FuzzyMatcher:
    """Matches where the similarity of the sorted words reaches `threshold`, in percent.

    Word order does not count ("embolism, pulmonary"); a missing or extra word does, since in medicine it is
    usually another disease. Longer texts than a name ever is are compared exactly, which keeps the cost linear.
    """

    threshold: float = 90.0
    name: str = "fuzzy"

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 100:
            raise InputError("a fuzzy threshold is a percentage above 0 and at most 100", value=self.threshold)

    @property
    def spec(self) -> str:
        return f"fuzzy:{self.threshold:g}"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        names = [[normalize(name) for name in (gold.text, *gold.aliases)] for gold in golds_of(problem, self.name)]
        edges = [self._edges(normalize(answer), names) for answer in answers]
        return matches(assign_golds(edges), problem)

    def forms(self, answers: Sequence[str]) -> list[Hashable]:
        return [normalize(answer) for answer in answers]

    def _edges(self, answer: str, golds: Sequence[Sequence[str]]) -> list[int]:
        """Golds similar enough, best first, so that the nearest one is tried before the others."""
        similarity = [max(self._similarity(answer, name) for name in names) for names in golds]
        near = [gold for gold, value in enumerate(similarity) if value >= self.threshold]
        return sorted(near, key=lambda gold: -similarity[gold])

    def _similarity(self, answer: str, name: str) -> float:
        if answer == name:
            return 100.0
        if len(answer) > _COMPARED_CHARACTERS or len(name) > _COMPARED_CHARACTERS:
            return 0.0
        return fuzz.token_sort_ratio(answer, name, score_cutoff=self.threshold)
