"""Candidates x golds -> labels.

Every matcher (`exact`, `FuzzyMatcher`, `MathMatcher`, `JudgeMatcher`, and `CodeMatcher` in `matching.code`)
is a value with a name; `named` finds one by what a user wrote.
"""

from setwise.errors import InputError
from setwise.matching.exact import ExactMatcher, exact
from setwise.matching.fuzzy import FuzzyMatcher
from setwise.matching.judge import JudgeMatcher
from setwise.matching.normalize import normalize
from setwise.matching.protocol import BatchMatcher, Match, Matcher

__all__ = [
    "BatchMatcher",
    "ExactMatcher",
    "FuzzyMatcher",
    "JudgeMatcher",
    "Match",
    "Matcher",
    "exact",
    "named",
    "normalize",
]

NAMES = ("exact", "fuzzy", "math", "code")


def named(name: str) -> Matcher:
    """A matcher by its name, `fuzzy:85` for one with a threshold. A judge needs a model and has no name."""
    kind, _, argument = name.partition(":")
    if kind == "exact" and not argument:
        return exact
    if kind == "fuzzy":
        return FuzzyMatcher(_percentage(argument)) if argument else FuzzyMatcher()
    if kind == "math" and not argument:
        from setwise.matching.math import MathMatcher

        return MathMatcher()
    if kind == "code" and not argument:
        from setwise.matching.code import CodeMatcher

        return CodeMatcher()
    raise InputError(f"a matcher is one of {', '.join(NAMES)} (fuzzy takes a threshold: fuzzy:85)", value=name)


def _percentage(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError("a fuzzy threshold is a number", value=text) from None
