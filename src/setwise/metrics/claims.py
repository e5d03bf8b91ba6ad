"""What the confidences of one set claim together."""

from collections.abc import Sequence
from math import fsum, prod
from typing import Any

from setwise.objectives import Regime
from setwise.records.attempt import Attempt, Construction


def set_confidence(confidences: Sequence[float], regime: Regime | str, *, clipped: bool = False) -> float:
    """What the confidences of a set say about "one of these is right".

    Exclusive: the sum, since at most one can be true; a sum above 1 is kept as it is unless `clipped`.
    Inclusive: 1 - prod(1 - q_i), the candidates taken as independent.

    >>> set_confidence([0.5, 0.25], "exclusive"), set_confidence([0.5, 0.5], "inclusive")
    (0.75, 0.75)
    """
    if Regime(regime) is Regime.INCLUSIVE:
        return 1 - prod(1 - q for q in confidences)
    total = fsum(confidences)
    return min(total, 1.0) if clipped else total


def whole_claim(attempt: Attempt) -> Sequence[float] | None:
    """All confidences of a set; None where one is missing, and for repeated samples, which claim nothing together."""
    stated: Any = attempt.confidences
    lacking = len(stated) != len(attempt.correct) or None in stated
    return None if not stated or lacking or attempt.construction is Construction.SAMPLED else stated
