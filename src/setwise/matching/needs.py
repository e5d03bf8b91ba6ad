"""Whether a matcher can judge a problem at all, checked before a model is asked."""

from typing import Literal

from setwise.errors import InputError
from setwise.matching.protocol import Matcher
from setwise.questions import Problem

Needs = Literal["golds", "tests"]
"""What a matcher compares answers with. A matcher without `needs` is given every problem."""


def require_judgeable(problem: Problem, matcher: Matcher) -> None:
    """Refuse a problem that lacks what the matcher needs.

    >>> from setwise.matching import exact
    >>> require_judgeable(Problem("1", "Who?", ["Ada"]), exact)
    """
    needs: Needs | None = getattr(matcher, "needs", None)
    if needs == "golds" and problem.golds is None:
        raise lacks_golds(problem, matcher.name)
    if needs == "tests" and not problem.tests:
        raise InputError(
            f"the {matcher.name} matcher needs tests, and this problem has golds instead",
            place=f"problem {problem.id}",
            remedy="use exact, fuzzy, math or judge as the matcher",
        )


def lacks_golds(problem: Problem, matcher: str) -> InputError:
    return InputError(
        f"the {matcher} matcher needs golds, and this problem has tests instead",
        place=f"problem {problem.id}",
        remedy="use code as the matcher",
    )
