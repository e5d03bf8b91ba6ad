"""From terms to a total, by the preset an objective carries."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from setwise.objectives import Objective
from setwise.rewards.terms import any_correct, count_correct, multi_brier, sums_above_one


class Broken(StrEnum):
    """A rule that cost a completion some or all of its reward."""

    FORMAT = "format"
    DUPLICATES = "duplicates"
    SUM_ABOVE_ONE = "sum_above_one"


@dataclass(frozen=True, slots=True)
class Reward:
    """A total with its breakdown: total = w_f format + w_c correctness (+ w_q calibration for rlcr)."""

    total: float = 0.0
    format: float = 0.0
    correctness: float = 0.0
    calibration: float = 0.0
    broken: Broken | None = None


NOTHING = Reward(broken=Broken.FORMAT)
DUPLICATED = Reward(broken=Broken.DUPLICATES)
OVERSUMMED = Reward(broken=Broken.SUM_ABOVE_ONE)


def reward(labels: Sequence[bool], confidences: Sequence[float], distinct: int, objective: Objective) -> Reward:
    """The reward of a strictly valid set of candidates, `distinct` of which are different answers.

    `confidences` is empty for rlvr. Duplicates in a multi set cost every term; a sum above 1 in the exclusive
    regime costs the format term (what a sum costs, and where, is the preset's).

    >>> r = reward([True, True, False], [0.9, 0.8, 0.1], 3, Objective("rlcr-multi", k=3))
    >>> r.format, r.correctness, round(r.calibration, 4), round(r.total, 4)
    (1.0, 2.0, -0.02, 2.98)
    """
    preset = objective.preset
    if distinct < len(labels) and objective.name in preset.unique_objectives:
        return DUPLICATED
    oversummed = objective.punishes_sums_above_one and sums_above_one(confidences)
    if oversummed and preset.sum_penalty == "all":
        return OVERSUMMED
    formatted = 0.0 if oversummed else 1.0
    correctness = any_correct(labels) if preset.correctness == "any" else count_correct(labels)
    calibration = preset.calibration_offset - multi_brier(confidences, labels) if objective.has_confidences else 0.0
    total = (
        preset.format_weight * formatted
        + preset.correctness_weight * correctness
        + preset.calibration_weight * calibration
    )
    return Reward(total, formatted, correctness, calibration, Broken.SUM_ABOVE_ONE if oversummed else None)
