"""Adds up the reward terms, as the objective's preset defines."""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

from setwise.answers import Rule
from setwise.errors import InputError
from setwise.objectives import Objective, sums_above_one
from setwise.rewards.terms import TERMS, JudgedSet, Term


class Reward(NamedTuple):
    """A total and its terms: the total is the sum of weight x value."""

    total: float
    terms: Mapping[str, float]
    violated: Rule | None = None
    """The rule that cost it some or all of its terms."""


def terms_of(objective: Objective) -> list[tuple[Term, float]]:
    """The terms that an objective pays for, with their weights.

    >>> [(term.name, weight) for term, weight in terms_of(Objective("rlvr-multi"))]
    [('format', 1.0), ('correctness', 1.0)]
    """
    known = _TERMS_OF.get(id(objective.preset))
    if known is None:
        if len(_TERMS_OF) >= _MOST_PRESETS:
            _TERMS_OF.clear()
        weighted = [(TERMS.find(name), float(weight)) for name, weight in objective.preset.weights.items()]
        without = [each for each in weighted if not each[0].needs_confidences]
        known = _TERMS_OF[id(objective.preset)] = (objective.preset, weighted, without)
    return known[1] if objective.confidences else known[2]


_TERMS_OF: dict[int, tuple[object, list[tuple[Term, float]], list[tuple[Term, float]]]] = {}
"""Cached by identity, because hashing a preset costs more than adding up its terms. The entry holds the preset, so that
its id cannot be reused."""
_MOST_PRESETS = 1024


def nothing(objective: Objective, violated: Rule) -> Reward:
    """The reward of a completion that broke a rule and loses everything."""
    return Reward(0.0, {term.name: 0.0 for term, _ in terms_of(objective)}, violated)


def reward(judged: JudgedSet) -> Reward:
    """The reward of a strictly valid set of candidates.

    Duplicates in a multi set cost every term. In the exclusive regime, a sum above 1 costs the format term. The preset
    decides when a sum is penalised, and what that costs.

    >>> r = reward(JudgedSet([True, True, False], [0.9, 0.8, 0.1], 3, Objective("rlcr-multi", k=3)))
    >>> r.terms["format"], r.terms["correctness"], round(r.terms["calibration"], 4), round(r.total, 4)
    (1.0, 2.0, -0.02, 2.98)
    """
    objective = judged.objective
    preset = objective.preset
    if judged.distinct < len(judged.labels) and objective.name in preset.unique_objectives:
        return nothing(objective, Rule.DUPLICATES)
    oversummed = objective.punishes_sums_above_one and sums_above_one(judged.confidences)
    if oversummed and preset.sum_penalty == "all":
        return nothing(objective, Rule.SUM_ABOVE_ONE)
    total, values = 0.0, {}
    for term, weight in terms_of(objective):
        value = 0.0 if oversummed and term.name == "format" else term.value(judged)
        values[term.name] = value
        total += weight * value
    if not isfinite(total):
        raise _not_finite(values)
    return Reward(total, values, Rule.SUM_ABOVE_ONE if oversummed else None)


def _not_finite(values: Mapping[str, float]) -> InputError:
    name, value = next((item for item in values.items() if not isfinite(item[1])), ("", float("nan")))
    return InputError("a reward term must be a finite number", place=f"reward term {name}", value=value)
