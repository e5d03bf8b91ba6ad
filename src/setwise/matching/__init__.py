"""Candidates x golds -> labels, and which candidates are the same, by one relation.

Every matcher (`exact`, `FuzzyMatcher`, `MathMatcher`, `JudgeMatcher`, and `CodeMatcher` in `matching.code`) is a value
with a name. `named` finds one by the name that a user wrote.
"""

from setwise.matching.exact import ExactMatcher, exact
from setwise.matching.fuzzy import FuzzyMatcher
from setwise.matching.judge import JudgeMatcher
from setwise.matching.names import MATCHERS, NAMES, named, spec_of
from setwise.matching.normalize import normalize
from setwise.matching.protocol import BatchMatcher, Matcher
from setwise.matching.same import same_keys

__all__ = [
    "MATCHERS",
    "NAMES",
    "BatchMatcher",
    "ExactMatcher",
    "FuzzyMatcher",
    "JudgeMatcher",
    "Matcher",
    "exact",
    "named",
    "normalize",
    "same_keys",
    "spec_of",
]
