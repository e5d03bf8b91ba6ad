"""What it earns to give every problem the same answers: the best K that ignore the question.

Found greedily through the scorer: each answer is the name, a gold's text or an alias, that adds the most right answers
over all problems to those chosen before it. The exact matcher pays a name only if the problem has one with its normal
form, so every name is tried. Other matchers must be asked about each name and problem, so only the most frequent names
are tried, and the guess reports how many.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import compress

from setwise.contract import tagged, thinking
from setwise.matching import ExactMatcher, JudgeMatcher, Matcher
from setwise.matching.normalize import normalize
from setwise.objectives import Objective, Regime
from setwise.questions import Problem
from setwise.scoring import score_batch

MOST_PAIRS = 20_000
"""Names times problems that a matcher other than exact is asked about."""
MOST_NAMES = 50


@dataclass(frozen=True, slots=True)
class BlindGuess:
    """The same answers given to every problem."""

    answers: tuple[str, ...]
    """At most K: fewer if no further one would ever be right."""
    right: float
    """How many of them are right, on average."""
    any_right: float
    """The share of problems for which one is."""
    names_tried: int | None = None
    """The number of most frequent names that were tried; None if all were."""


@dataclass(slots=True)
class BlindSearch:
    """Collects all problems, then finds the answers that earn the most if every problem gets the same."""

    matcher: Matcher
    regime: Regime = Regime.INCLUSIVE
    problems: list[Problem] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)
    """By normal form of a name, the problems that have it."""
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, problem: Problem) -> None:
        if problem.golds is None:
            return
        names = {}
        for text in (text for gold in problem.golds for text in (gold.text, *gold.aliases)):
            names.setdefault(normalize(text), text)
        for form, text in names.items():
            self.texts.setdefault(form, text)
            self.places.setdefault(form, []).append(len(self.problems))
        # The exact matcher needs only golds, and a million questions take a gigabyte.
        kept = Problem(problem.id, "", problem.golds) if self._is_exact else problem
        self.problems.append(kept)

    def guess(self, k: int) -> BlindGuess | None:
        """None without golds, as for code, and if a judge would be asked thousands of questions.

        >>> search = BlindSearch(ExactMatcher())
        >>> for golds in (["Flu"], ["flu", "Gout"], ["Croup"]):
        ...     search.add(Problem("1", "?", golds))
        >>> search.guess(1)
        BlindGuess(answers=('Flu',), right=0.6666666666666666, any_right=0.6666666666666666, names_tried=None)
        """
        if not self.problems or isinstance(self.matcher, JudgeMatcher):
            return None
        names = list(self.places) if self._is_exact else self._most_frequent(k)
        answers = self._greedily(names, k)
        right = self._right(answers, range(len(self.problems)))
        return BlindGuess(
            answers=tuple(answers),
            right=sum(right) / len(right),
            any_right=sum(map(bool, right)) / len(right),
            names_tried=len(names) if len(names) < len(self.places) else None,
        )

    @property
    def _is_exact(self) -> bool:
        return isinstance(self.matcher, ExactMatcher)

    def _most_frequent(self, k: int) -> list[str]:
        count = max(2 * k, min(MOST_NAMES, MOST_PAIRS // len(self.problems)))
        return sorted(self.places, key=lambda form: -len(self.places[form]))[:count]

    def _greedily(self, names: Sequence[str], k: int) -> list[str]:
        """Names in the order they are chosen.

        What a name adds can only shrink as others are chosen. So a name whose new sum still beats all older sums is the
        best, and few sums must be recomputed.
        """
        chosen: list[str] = []
        right = [0] * len(self.problems)
        where = {form: self._where_right(form) for form in names}
        waiting = [(-len(where[form]), place, form) for place, form in enumerate(names) if where[form]]
        heapify(waiting)
        while waiting and len(chosen) < k:
            _, place, form = heappop(waiting)
            now = self._right([*chosen, self.texts[form]], where[form])
            added = sum(now) - sum(right[problem] for problem in where[form])
            if added <= 0:
                continue
            if waiting and (-added, place) > waiting[0][:2]:
                heappush(waiting, (-added, place, form))
                continue
            chosen.append(self.texts[form])
            for problem, count in zip(where[form], now, strict=True):
                right[problem] = count
        return chosen

    def _where_right(self, form: str) -> list[int]:
        """The problems for which a name alone is right."""
        if self._is_exact:
            return self.places[form]
        everywhere = range(len(self.problems))
        return list(compress(everywhere, self._right([self.texts[form]], everywhere)))

    def _right(self, answers: Sequence[str], problems: Iterable[int]) -> list[int]:
        """How many of the answers are right, problem by problem."""
        asked = [self.problems[number] for number in problems]
        if not answers:
            return [0] * len(asked)
        objective = Objective("rlvr-multi", len(answers), regime=self.regime)
        text = write_completion(answers, objective)
        return [sum(score.labels) for score in score_batch([text] * len(asked), asked, objective, matcher=self.matcher)]


def write_completion(answers: Sequence[str], objective: Objective) -> str:
    """A well-formed completion with exactly these answers.

    >>> write_completion(["a", "b"], Objective("rlvr-multi", 2))
    '<think>...</think><answer1>a</answer1><answer2>b</answer2>'
    """
    return thinking("...") + "".join(tag.around(text) for tag, text in tagged(objective, answers))
