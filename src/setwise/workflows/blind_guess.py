"""What it earns to answer every problem alike.

The most common golds are the best such answers for the number right; another choice may have any right more often.
They are counted by their text, without aliases.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from setwise.matching.normalize import normalize
from setwise.questions import Problem


@dataclass(frozen=True, slots=True)
class BlindGuess:
    """The golds that most problems have, given to all of them."""

    answers: tuple[str, ...]
    right: float
    """How many of them are right, on average."""
    any_right: float
    """The share of problems for which one is."""


@dataclass(slots=True)
class GoldCounter:
    """Told about every problem, knows which golds are most common."""

    problems: Counter[frozenset[str]] = field(default_factory=Counter)
    """How many problems have these golds."""
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, problem: Problem) -> None:
        golds = {normalize(gold.text): gold.text for gold in problem.golds or ()}
        self.problems[frozenset(golds)] += 1
        for form, text in golds.items():
            self.texts.setdefault(form, text)

    def guess(self, k: int) -> BlindGuess | None:
        """None where there are no golds, as for code.

        >>> counter = GoldCounter()
        >>> for golds in (["Flu"], ["flu", "Gout"], ["Croup"]):
        ...     counter.add(Problem("1", "?", golds))
        >>> counter.guess(1)
        BlindGuess(answers=('Flu',), right=0.6666666666666666, any_right=0.6666666666666666)
        """
        common = [form for form, _ in _by_gold(self.problems).most_common(k)]
        if not common:
            return None
        hits = [(len(golds.intersection(common)), count) for golds, count in self.problems.items()]
        total = self.problems.total()
        return BlindGuess(
            answers=tuple(self.texts[form] for form in common),
            right=sum(hit * count for hit, count in hits) / total,
            any_right=sum(count for hit, count in hits if hit) / total,
        )


def _by_gold(problems: Mapping[frozenset[str], int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for golds, count in problems.items():
        for form in sorted(golds):
            counts[form] += count
    return counts
