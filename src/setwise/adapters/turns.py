"""Lets several threads call a matcher, one at a time."""

from collections.abc import Hashable, Sequence
from threading import Lock

from setwise.answers import Match
from setwise.errors import BrokenProblem, MachineryError
from setwise.matching import BatchMatcher, Matcher, same_keys
from setwise.matching.broken import broken_problems
from setwise.questions import Problem


class OneAtATime:
    """Wraps a matcher whose child process serves one caller at a time (a sandbox, a computer-algebra system)."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher, self._floor = matcher, Lock()

    @property
    def name(self) -> str:
        return self._matcher.name

    def broken(self, problems: Sequence[Problem]) -> list[BrokenProblem | None]:
        with self._floor:
            return broken_problems(problems, self._matcher)

    def same(self, answers: Sequence[str], problem: Problem) -> list[Hashable]:
        with self._floor:
            return same_keys(self._matcher, answers, problem)

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        with self._floor:
            return self._matcher.match(answers, problem)

    def match_batch(self, sets: Sequence[tuple[Sequence[str], Problem]]) -> list[list[Match] | MachineryError]:
        with self._floor:
            if isinstance(self._matcher, BatchMatcher):
                return self._matcher.match_batch(sets)
            return [self._attempt(answers, problem) for answers, problem in sets]

    def _attempt(self, answers: Sequence[str], problem: Problem) -> list[Match] | MachineryError:
        try:
            return self._matcher.match(answers, problem)
        except MachineryError as error:
            return error
