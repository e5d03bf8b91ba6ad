"""A scale and the rule built on it, and what they do to sets."""

from dataclasses import dataclass

import numpy as np

from setwise.calibration.points import Floats
from setwise.calibration.rule import ALPHAS, PromiseRule, heights, learnt_rule, step_of
from setwise.calibration.scale import ChanceScale, learnt_scale
from setwise.calibration.table import SetTable
from setwise.objectives import Regime


@dataclass(frozen=True, slots=True)
class Decider:
    """What one half of the problems teaches about deciding, made exact by the other half."""

    scale: ChanceScale
    rule: PromiseRule
    second: SetTable


def decider_of(table: SetTable, regime: Regime, seed: int) -> Decider:
    """A scale from one half of the problems, and the rule that the other half derives from it."""
    first, second = (table.of_problems(part) for part in table.parts(2, seed))
    scale = learnt_scale(first, regime, seed)
    return Decider(scale, learnt_rule(scale, first, second), second)


def outcomes(decider: Decider, table: SetTable | None = None) -> dict[str, list[float]]:
    """What the rule does to sets at each alpha: the share answered and, among those, the mean size and the share right.

    By default on the second half, where the share right is what the rule was set by.
    """
    sets = decider.second if table is None else table
    high = heights(decider.scale.prefix_chances(sets.stated, sets.there), sets.keys)
    rows = [outcome(decider.rule, alpha, high, sets) for alpha in ALPHAS]
    return {name: [row[place] for row in rows] for place, name in enumerate(("answered", "size", "right"))}


def outcome(rule: PromiseRule, alpha: float, high: Floats, sets: SetTable) -> tuple[float, float, float]:
    """The same at one alpha, for sets of these heights."""
    step = step_of(alpha) - 1
    weight = sets.weight * (sets.there[:, 0] & (high[:, -1] > rule.answering[step]))
    if not weight.sum():
        return 0.0, 0.0, 0.0
    enough = high > rule.keeping[step]
    enough[:, -1] = True
    kept = np.argmax(enough, axis=1)
    size = np.minimum(kept + 1, sets.there.sum(axis=1))
    right = sets.held[np.arange(len(kept)), kept]
    total = weight.sum()
    return float(total / sets.weight.sum()), float(weight @ size / total), float(weight @ right / total)
