"""What a matcher is: a value that compares candidates with one problem.

A matcher has a name. It decides which candidates are correct and, if it has a `same` method, which are the same answer.
Both must use one notion of equality, or a model is paid for spelling.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from setwise.answers import Match
from setwise.errors import MachineryError
from setwise.questions import Problem


@runtime_checkable
class Matcher(Protocol):
    """Compares the candidates of one completion with one problem.

    It may also have `same(answers, problem) -> list[Hashable]`, with one key per answer; equal keys are the same
    answer. Without it, `matching.same` derives the keys from `match`.
    """

    @property
    def name(self) -> str: ...

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        """One `Match` per answer. Raises `MachineryError` if no verdict is possible."""
        ...


@runtime_checkable
class BatchMatcher(Matcher, Protocol):
    """A matcher that is faster on many completions at once (a sandbox, a judge)."""

    def match_batch(self, sets: Sequence[tuple[Sequence[str], Problem]]) -> list[list[Match] | MachineryError]:
        """One result per set, in order; for a set that could not be judged, its error."""
        ...


@contextmanager
def let_go_after(matcher: Matcher) -> Iterator[Matcher]:
    """When the block ends, stop what a matcher keeps running (a sandbox). It restarts when used again."""
    try:
        yield matcher
    finally:
        getattr(matcher, "close", lambda: None)()
