"""Broken problems, for which no answer can be judged. They are reported once, as problems, and left out."""

from collections.abc import Mapping, Sequence

from setwise.errors import BrokenProblem
from setwise.matching.protocol import Matcher
from setwise.questions import Problem

SHOWN_IDS = 5


def broken_problems(problems: Sequence[Problem], matcher: Matcher) -> list[BrokenProblem | None]:
    """For each problem, why it is broken, or None. Only matchers with a `broken` method find any."""
    find = getattr(matcher, "broken", None)
    return [None] * len(problems) if find is None else find(problems)


def name_broken(broken: Mapping[str, str]) -> str:
    """One line about the problems left out: how many, the first ids, and why the first is broken.

    >>> name_broken({"7": "problem 7: its reference does not pass its own tests (failed: 1 of 2 asserts)"})
    '1 broken problem is left out: 7 (problem 7: its reference does not pass its own tests (failed: 1 of 2 asserts))'
    """
    ids = list(broken)
    count = "1 broken problem is" if len(ids) == 1 else f"{len(ids):,} broken problems are"
    more = ", ..." if len(ids) > SHOWN_IDS else ""
    first = "" if len(ids) == 1 else "first: "
    why = broken[ids[0]].removeprefix(f"{BrokenProblem.__name__}: ")
    return f"{count} left out: {', '.join(ids[:SHOWN_IDS])}{more} ({first}{why})"
