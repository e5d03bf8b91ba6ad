"""The confidence that a set holds a right answer at all."""

from collections.abc import Sequence
from math import fsum, prod

from setwise.objectives import Regime

SUM_SLACK = 1e-6
"""The same slack as the reward's rule on sums."""


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


def exceeds_one(confidences: Sequence[float]) -> bool:
    """Whether the confidences of a set sum to more than 1, beyond the error of floats.

    >>> exceeds_one([0.33, 0.56, 0.11]), exceeds_one([0.6, 0.6])
    (False, True)
    """
    return fsum(confidences) > 1 + SUM_SLACK
