"""The terms of a reward: arithmetic on labels and confidences. No text, no I/O.

A term is a named function of a `JudgedSet`. To add your own, write

    @term("brevity", definition="1 for a thought of no characters, falling to 0 at 2,000.")
    def brevity(judged: JudgedSet) -> float:
        return max(0.0, 1 - judged.thinking_characters / 2000)

and in the recipe `reward: {weights: {"my_terms:brevity": 0.1}}`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

from setwise.answers import AnswerSet
from setwise.objectives import Objective
from setwise.plugins import Registry
from setwise.rewards.set_value import prefix_values


class JudgedSet(NamedTuple):
    """What is known about a strictly valid set once it is labelled. Terms are functions of its numbers."""

    labels: Sequence[bool]
    confidences: Sequence[float]
    """Empty for RLVR."""
    distinct: int
    """Number of different answers among the candidates."""
    objective: Objective
    said: AnswerSet | None = None
    """The parsed set, for its lengths. A term that reads its text is no longer arithmetic."""
    n_golds: int | None = None
    """The number of right answers or, for code, of tests."""
    passed: Sequence[int] = ()
    """The tests each candidate passed, as bits; empty for problems with golds."""

    @property
    def thinking_characters(self) -> int:
        return len(self.said.thinking) if self.said else 0


@dataclass(frozen=True, slots=True)
class Term:
    """One number that a completion is paid for, before it is weighted."""

    name: str
    value: Callable[[JudgedSet], float]
    definition: str = ""
    needs_confidences: bool = False
    """Whether the term needs confidences. It is left out for sets without them."""

    def __call__(self, judged: JudgedSet) -> float:
        return self.value(judged)


TERMS: Registry[Term] = Registry(Term, "a reward term", "setwise.terms")


def term(
    name: str, *, definition: str, needs_confidences: bool = False
) -> Callable[[Callable[[JudgedSet], float]], Term]:
    """Register a function of a `JudgedSet` as a reward term."""

    def named(value: Callable[[JudgedSet], float]) -> Term:
        return TERMS.add(name, Term(name, value, definition, needs_confidences))

    return named


@term("format", definition="1 if the completion follows the format exactly and its confidences may sum so, else 0.")
def format_term(judged: JudgedSet) -> float:
    return 1.0


@term("correctness", definition="What the set is worth: by default, the number of right candidates.")
def correctness(judged: JudgedSet) -> float:
    value = judged.objective.preset.set_value
    if value == "sum":
        return count_correct(judged.labels)
    return prefix_values(judged.labels, value, n_golds=judged.n_golds, passed=judged.passed)[-1]


@term(
    "calibration",
    definition="Minus the mean squared gap between the confidences and the correctness of their candidates.",
    needs_confidences=True,
)
def calibration(judged: JudgedSet) -> float:
    return judged.objective.preset.calibration_offset - multi_brier(judged.confidences, judged.labels)


def count_correct(labels: Sequence[bool]) -> float:
    """Number of right candidates: sum_i c_i, in [0, K] (eq. 4 of the paper; pass@K when N = 1).

    >>> count_correct([True, False, True])
    2.0
    """
    return float(sum(labels))


def multi_brier(confidences: Sequence[float], labels: Sequence[bool]) -> float:
    """Mean squared gap between confidence and truth.

    (1/K) sum_i (q_i - c_i)^2, in [0, 1]; lowest in expectation when every q_i is the true probability.

    >>> multi_brier([0.5, 0.5], [True, False])
    0.25
    """
    return fsum([(q - c) ** 2 for q, c in zip(confidences, labels, strict=True)]) / len(labels)
