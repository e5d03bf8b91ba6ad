"""What a model is asked for, and what it is paid.

An `Objective` is single or multi, with confidences (RLCR) or without (RLVR). A `RewardPreset` is the
arithmetic as data: every difference between the paper and its released code is a field, not a branch.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, get_args

from setwise.errors import InputError

OBJECTIVES = ("rlvr-single", "rlcr-single", "rlvr-multi", "rlcr-multi")
PAPER_K = 3
MOST_K = 1000

SumToOne = Literal["exclusive", "always"]


class Regime(StrEnum):
    """How many of a problem's candidates can be true."""

    EXCLUSIVE = "exclusive"
    """At most one: confidences are a distribution and sum to at most 1."""
    INCLUSIVE = "inclusive"
    """Several: each confidence is about its own candidate alone."""


@dataclass(frozen=True, slots=True)
class RewardPreset:
    """One way to turn labels and confidences into a reward."""

    name: str
    format_weight: float = 1.0
    correctness_weight: float = 1.0
    calibration_weight: float = 1.0
    correctness: Literal["count", "any"] = "count"
    calibration_offset: float = 0.0
    """Added to minus the Brier score of a valid set."""
    sum_rule: SumToOne = "exclusive"
    """Where confidences that sum to more than 1 are punished."""
    sum_penalty: Literal["format", "all"] = "format"
    """Which terms that costs."""
    uniqueness: Literal["matcher", "lowercase"] = "matcher"
    """What makes two candidates the same: the form the matcher compares, or the stripped lower-case text."""
    unique_objectives: tuple[str, ...] = ("rlvr-multi", "rlcr-multi")
    analysis_objectives: tuple[str, ...] = ("rlcr-single",)

    def __post_init__(self) -> None:
        for name in ("format_weight", "correctness_weight", "calibration_weight"):
            weight = getattr(self, name)
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < float("inf"):
                raise InputError(f"{name} must be a number >= 0", value=weight)

    @property
    def valid_may_lose_to_invalid(self) -> bool:
        """True where a badly calibrated set that earns the format term can be worth less than no set (w_f < w_q)."""
        return self.format_weight < self.calibration_weight * (1 - self.calibration_offset)


PRESETS = {
    "paper": RewardPreset("paper"),
    "released": RewardPreset(
        "released",
        format_weight=0.5,
        correctness_weight=0.5,
        calibration_weight=0.5,
        correctness="any",
        calibration_offset=1.0,
        sum_rule="always",
        sum_penalty="all",
        uniqueness="lowercase",
        unique_objectives=("rlcr-multi",),
        analysis_objectives=("rlcr-single", "rlcr-multi"),
    ),
}


@dataclass(frozen=True, slots=True, init=False)
class Objective:
    """One of the four objectives with its K, regime and reward.

    >>> Objective("rlvr-single").k
    1
    >>> Objective("rlcr-multi", k=2).tags
    ('answer1', 'confidence1', 'answer2', 'confidence2')
    """

    name: str
    k: int
    regime: Regime
    preset: RewardPreset
    analysis: bool
    """Whether an objective that asks for an `<analysis>` keeps it."""
    think_opened: bool
    """The chat template has already written `<think>`, so the completion starts inside it."""
    sum_to_one: SumToOne
    """When the prompt asks for confidences that sum to at most 1; `always` is the paper's prompt."""
    tags: tuple[str, ...] = field(compare=False)
    """What must follow `</think>`, in order."""

    def __init__(
        self,
        name: str,
        k: int | None = None,
        *,
        regime: Regime | str = Regime.INCLUSIVE,
        preset: RewardPreset | str = "paper",
        analysis: bool = True,
        think_opened: bool = False,
        sum_to_one: SumToOne = "exclusive",
    ) -> None:
        """K is 1 for single and, unless given, the paper's 3 for multi."""
        if name not in OBJECTIVES:
            raise InputError(f"an objective is one of {', '.join(OBJECTIVES)}", value=name)
        assign = object.__setattr__
        assign(self, "name", name)
        assign(self, "k", _checked_k(name, k))
        assign(self, "regime", _checked_regime(regime))
        assign(self, "preset", _checked_preset(preset))
        assign(self, "analysis", analysis)
        assign(self, "think_opened", think_opened)
        if sum_to_one not in get_args(SumToOne):
            raise InputError("sum_to_one is exclusive or always", value=sum_to_one)
        assign(self, "sum_to_one", sum_to_one)
        assign(self, "tags", self._tags())

    @property
    def is_multi(self) -> bool:
        return self.name.endswith("-multi")

    @property
    def has_confidences(self) -> bool:
        return self.name.startswith("rlcr-")

    @property
    def has_analysis(self) -> bool:
        return self.analysis and self.name in self.preset.analysis_objectives

    @property
    def punishes_sums_above_one(self) -> bool:
        """Whether the reward does; single sets cannot break the rule."""
        return self.has_confidences and (self.regime is Regime.EXCLUSIVE or self.preset.sum_rule == "always")

    @property
    def asks_for_sums_up_to_one(self) -> bool:
        """Whether the prompt does: always where the reward punishes, or on request."""
        return self.is_multi and self.has_confidences and (self.punishes_sums_above_one or self.sum_to_one == "always")

    def _tags(self) -> tuple[str, ...]:
        analysis = ("analysis",) if self.has_analysis else ()
        if not self.is_multi:
            return ("answer", *analysis, "confidence") if self.has_confidences else ("answer",)
        kinds = ("answer", "confidence") if self.has_confidences else ("answer",)
        return (*analysis, *(f"{kind}{i}" for i in range(1, self.k + 1) for kind in kinds))


def _checked_k(name: str, k: int | None) -> int:
    single = name.endswith("-single")
    if k is None:
        return 1 if single else PAPER_K
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_K:
        raise InputError(f"k must be a whole number from 1 to {MOST_K}", value=k)
    if single and k != 1:
        raise InputError(f"{name} has k = 1", value=k, remedy=f"use {name.replace('single', 'multi')} for more")
    return k


def _checked_regime(regime: Regime | str) -> Regime:
    try:
        return Regime(regime)
    except ValueError:
        raise InputError(f"a regime is one of {', '.join(Regime)}", value=regime) from None


def _checked_preset(preset: RewardPreset | str) -> RewardPreset:
    if isinstance(preset, RewardPreset):
        return preset
    if preset not in PRESETS:
        raise InputError(f"a reward preset is one of {', '.join(PRESETS)}", value=preset)
    return PRESETS[preset]
