"""What every matcher is: something that compares candidates with one problem.

A matcher is a value with a name. It says which candidates are correct and, where it has a `same`, which two candidates
are the same answer; both judgements must come from one idea of equality, or a model is paid for spelling.
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

    It may also have `same(answers, problem) -> list[Hashable]`: one key per answer, and equal keys are the same
    answer. For a matcher without it, `matching.same` works the keys out of `match`.
    """

    @property
    def name(self) -> str: ...

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        """One `Match` per answer. Raises `MachineryError` where no verdict can be had."""
        ...


@runtime_checkable
class BatchMatcher(Matcher, Protocol):
    """A matcher that is faster with many completions at once (a sandbox, a judge)."""

    def match_batch(self, sets: Sequence[tuple[Sequence[str], Problem]]) -> list[list[Match] | MachineryError]:
        """One result per set, in order; a set that could not be judged is its error."""
        ...


@contextmanager
def let_go_after(matcher: Matcher) -> Iterator[Matcher]:
    """Ends what a matcher keeps running (a sandbox); it starts again by itself when it is asked again."""
    try:
        yield matcher
    finally:
        getattr(matcher, "close", lambda: None)()
