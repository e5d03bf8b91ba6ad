"""Near-equality of normal forms, for names with many spellings."""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from rapidfuzz import fuzz

from setwise.answers import Match
from setwise.errors import InputError
from setwise.matching.bipartite import assign_golds
from setwise.matching.brakes import differ
from setwise.matching.exact import golds_of, matches
from setwise.matching.needs import Needs
from setwise.matching.normalize import normalize
from setwise.matching.same import each_once, key_of_golds
from setwise.questions import Gold, Problem

_COMPARED_CHARACTERS = 1000
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['\u2019\u02bc](?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class FuzzyMatcher:
    """Matches if the similarity of the sorted words reaches `threshold`, in percent.

    Word order does not count ("embolism, pulmonary"). A missing or extra word does, since in medicine it usually means
    another disease. What is never just spelling must be equal (`matching.brakes`). Texts too long to be a name are
    compared exactly, which keeps the cost linear.
    """

    threshold: float = 90.0
    needs: ClassVar[Needs] = "golds"
    name: str = "fuzzy"

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 100:
            raise InputError("a fuzzy threshold is a percentage above 0 and at most 100", value=self.threshold)

    @property
    def spec(self) -> str:
        return f"fuzzy:{self.threshold:g}"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        return matches(assign_golds(each_once(self._edges(answers, golds_of(problem, self.name)))), problem)

    def same(self, answers: Sequence[str], problem: Problem) -> list[Hashable]:
        """Answers that earn the same golds are the same. Other answers are the same if a chain of similar ones connects
        them."""
        golds = golds_of(problem, self.name)
        edges = self._edges(answers, golds)
        joined = self._joined({answer for answer, numbers in zip(answers, edges, strict=True) if not numbers})
        pairs = zip(answers, edges, strict=True)
        return [key_of_golds(golds, numbers) if numbers else joined[answer] for answer, numbers in pairs]

    def _edges(self, answers: Sequence[str], golds: tuple[Gold, ...]) -> list[list[int]]:
        """For each answer, the golds that are similar enough, most similar first."""
        names = [(gold.text, *gold.aliases) for gold in golds]
        edges = []
        for answer in answers:
            similarity = [max(self._similarity(answer, name) for name in each) for each in names]
            near = [number for number, value in enumerate(similarity) if value >= self.threshold]
            edges.append(sorted(near, key=lambda number: -similarity[number]))
        return edges

    def _joined(self, answers: set[str]) -> dict[str, str]:
        """The group of similar answers that each belongs to, named by its smallest normal form, so that order does not
        matter."""
        ordered = sorted(answers, key=lambda answer: (normalize(answer), answer))
        key = {answer: normalize(answer) for answer in ordered}
        left = ordered
        while left:
            group, *left = left
            reached = [group]
            for member in reached:
                near = {other for other in left if self._similarity(member, other) >= self.threshold}
                left = [other for other in left if other not in near]
                reached += near
            key |= dict.fromkeys(reached, key[group])
        return key

    def _similarity(self, answer: str, name: str) -> float:
        if normalize(answer) == normalize(name):
            return 100.0
        if len(answer) > _COMPARED_CHARACTERS or len(name) > _COMPARED_CHARACTERS:
            return 0.0
        form, other = _spelling(answer), _spelling(name)
        similarity = fuzz.token_sort_ratio(form, other, score_cutoff=self.threshold)
        return 0.0 if similarity and differ(form, other) else similarity


@lru_cache(maxsize=1 << 14)
def _spelling(text: str) -> str:
    """The normal form with Crohn's as one word, so that its s is not a separate letter."""
    return normalize(_APOSTROPHE.sub("", text))
