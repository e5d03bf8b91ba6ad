"""What the confidences of one set claim together."""

from collections.abc import Hashable, Mapping, Sequence
from math import fsum, prod
from typing import Any, TypeVar

from setwise.objectives import Regime
from setwise.records.attempt import Attempt, Construction

Answer = TypeVar("Answer", bound=Hashable)

_DIGITS = 9
"""Rounded, so that summing in another order does not break a tie."""
_HALF_A_HUNDREDTH = 0.005 + 1e-9
"""How far rounding to two decimals moves a number, with room for sums of floats."""


def set_confidence(confidences: Sequence[float], regime: Regime | str, *, clipped: bool = False) -> float:
    """The confidence that at least one answer of the set is right.

    Exclusive: the sum, since at most one can be true; a sum above 1 is kept unless `clipped`.
    Inclusive: 1 - prod(1 - q_i), treating the candidates as independent.

    >>> set_confidence([0.5, 0.25], "exclusive"), set_confidence([0.5, 0.5], "inclusive")
    (0.75, 0.75)
    """
    if Regime(regime) is Regime.INCLUSIVE:
        return 1 - prod(1 - q for q in confidences)
    total = fsum(confidences)
    return min(total, 1.0) if clipped else total


def shares_out_one(confidences: Sequence[float]) -> bool:
    """Whether the confidences of a set divide 1 among them: they sum to 1 or are all 1/K, up to rounding.

    >>> shares_out_one([0.5, 0.3, 0.2]), shares_out_one([0.33, 0.33, 0.33]), shares_out_one([0.5, 0.49])
    (True, True, False)
    """
    even = all(abs(q - 1 / len(confidences)) <= _HALF_A_HUNDREDTH for q in confidences)
    return even or abs(fsum(confidences) - 1) <= _HALF_A_HUNDREDTH


def pooled_confidences(stated: Mapping[Answer, Sequence[float]], completions: int) -> list[tuple[Answer, float]]:
    """The answers of several completions with their mean confidences, most confident first; ties keep their order.

    `stated` has an answer's confidence in each completion that contains it. In the others its confidence is 0.

    >>> pooled_confidences({"gout": [0.8], "flu": [0.2, 0.9]}, 2)
    [('flu', 0.55), ('gout', 0.4)]
    """
    means = [(answer, round(fsum(own) / max(1, completions), _DIGITS)) for answer, own in stated.items()]
    return sorted(means, key=lambda pair: -pair[1])


def whole_claim(attempt: Attempt) -> Sequence[float] | None:
    """All confidences of a set. None if one is missing, and for repeated samples, which make no joint claim."""
    stated: Any = attempt.confidences
    lacking = len(stated) != len(attempt.correct) or None in stated
    return None if not stated or lacking or attempt.construction is Construction.SAMPLED else stated
