"""What a model is asked for, and how it is rewarded.

An `Objective` is single or multi, with confidences (RLCR) or without (RLVR). A `RewardPreset` is the arithmetic as
data: every difference between the paper and its released code is a field, not a branch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import fsum
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from setwise.errors import InputError

_FORMATS = {
    "rlvr-single": (False, False),
    "rlcr-single": (False, True),
    "rlvr-multi": (True, False),
    "rlcr-multi": (True, True),
}
"""By name: whether a completion has several candidates, and whether each has a confidence."""
OBJECTIVES = tuple(_FORMATS)
PAPER_K = 3
MOST_K = 1000
SUM_TOLERANCE = 1e-6

SumToOne = Literal["exclusive", "always"]
SetValue = Literal["sum", "any", "vpo"]


class Regime(StrEnum):
    """How many of a problem's candidates can be true."""

    EXCLUSIVE = "exclusive"
    """At most one is true: confidences are a distribution and sum to at most 1."""
    INCLUSIVE = "inclusive"
    """Several may be true: each confidence is about its own candidate only."""


class Format(NamedTuple):
    """What determines the tags of a completion."""

    multi: bool
    confidences: bool
    analysis: bool
    k: int


PAPER_WEIGHTS: Mapping[str, float] = MappingProxyType({"format": 1.0, "correctness": 1.0, "calibration": 1.0})


@dataclass(frozen=True, slots=True)
class RewardPreset:
    """One way to turn labels and confidences into a reward: a weighted sum of named terms."""

    name: str
    """The name in records and recipes."""
    weights: Mapping[str, float] = field(default_factory=lambda: dict(PAPER_WEIGHTS), hash=False)
    """One weight per reward term. Your own terms are named `module:name`, or as their package registers them."""
    set_value: SetValue = "sum"
    """What the `correctness` term pays: `sum` counts the right candidates, `any` pays if one is right, `vpo` is VPO's
    value of the set."""
    calibration_offset: float = 0.0
    """Added to the negative Brier score of a valid set."""
    sum_rule: SumToOne = "exclusive"
    """When confidences that sum to more than 1 are penalised: in the exclusive regime, or always."""
    sum_penalty: Literal["format", "all"] = "format"
    """What that costs: the format term, or every term."""
    uniqueness: Literal["matcher", "lowercase"] = "matcher"
    """When two candidates are the same: by the matcher's form, or by their stripped lower-case text."""
    unique_objectives: tuple[str, ...] = ("rlvr-multi", "rlcr-multi")
    """Objectives in which a repeated answer costs the whole reward."""
    analysis_objectives: tuple[str, ...] = ("rlcr-single",)
    """Objectives whose format has an `<analysis>`."""

    def __post_init__(self) -> None:
        for name, weight in self.weights.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < float("inf"):
                raise InputError(f"the weight of {name} must be a number >= 0", value=weight)

    @property
    def valid_may_lose_to_invalid(self) -> bool:
        """Whether a badly calibrated valid set can be worth less than an invalid one (w_f < w_q)."""
        calibration = self.weights.get("calibration", 0.0)
        return self.weights.get("format", 0.0) < calibration * (1 - self.calibration_offset)

    def reweighted(self, weights: Mapping[str, float]) -> "RewardPreset":
        """The same rules with other weights, or with your own terms."""
        return replace(self, name=f"{self.name}-reweighted", weights={**self.weights, **weights})


PRESETS = {
    "paper": RewardPreset("paper"),
    "released": RewardPreset(
        "released",
        weights={"format": 0.5, "correctness": 0.5, "calibration": 0.5},
        set_value="any",
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
    """One of the four objectives, with its K, regime and reward.

    >>> Objective("rlvr-single").k
    1
    >>> objective = Objective("rlcr-multi", k=2)
    >>> objective.multi, objective.confidences, objective.without_confidences().name
    (True, True, 'rlvr-multi')
    """

    name: str
    """`rlvr-single`, `rlcr-single`, `rlvr-multi` or `rlcr-multi`."""
    k: int
    """Answers per completion: 1 for single objectives."""
    regime: Regime
    """Whether several answers can be right."""
    preset: RewardPreset
    """How the answers are rewarded."""
    analysis: bool
    """Whether to keep the `<analysis>` tag of objectives that have one."""
    think_opened: bool
    """Whether the chat template has already written `<think>`, so that the completion starts inside it."""
    sum_to_one: SumToOne
    """When the prompt asks for confidences that sum to at most 1; `always` is the paper's prompt."""
    multi: bool = field(init=False, compare=False)
    """Whether a completion holds a set of candidates rather than one."""
    confidences: bool = field(init=False, compare=False)
    """Whether each candidate has a confidence (RLCR) or not (RLVR)."""
    format: Format = field(init=False, compare=False, repr=False)
    """What determines the tags of a completion."""

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
        """K is 1 for single objectives; for multi it defaults to the paper's 3."""
        if name not in _FORMATS:
            raise InputError(f"an objective is one of {', '.join(OBJECTIVES)}", value=name)
        if sum_to_one not in get_args(SumToOne):
            raise InputError("sum_to_one is exclusive or always", value=sum_to_one)
        multi, confidences = _FORMATS[name]
        preset = _checked_preset(preset)
        fields: dict[str, Any] = {
            "name": name,
            "k": _checked_k(name, k, multi),
            "regime": _checked_regime(regime),
            "preset": preset,
            "analysis": analysis,
            "think_opened": think_opened,
            "sum_to_one": sum_to_one,
            "multi": multi,
            "confidences": confidences,
        }
        fields["format"] = Format(multi, confidences, analysis and name in preset.analysis_objectives, fields["k"])
        for field_name, value in fields.items():
            object.__setattr__(self, field_name, value)

    @property
    def has_analysis(self) -> bool:
        """Whether a completion has an `<analysis>`."""
        return self.format.analysis

    @property
    def punishes_sums_above_one(self) -> bool:
        """Whether the reward penalises sums above one. A single answer cannot break this rule."""
        return self.confidences and (self.regime is Regime.EXCLUSIVE or self.preset.sum_rule == "always")

    @property
    def asks_for_sums_up_to_one(self) -> bool:
        """Whether the prompt asks for it: always if the reward penalises it, otherwise on request."""
        return self.multi and self.confidences and (self.punishes_sums_above_one or self.sum_to_one == "always")

    def without_confidences(self) -> "Objective":
        """The same objective without confidences."""
        return replace(self, name=objective_name(multi=self.multi, confidences=False))


def objective_name(*, multi: bool, confidences: bool) -> str:
    """
    >>> objective_name(multi=True, confidences=False)
    'rlvr-multi'
    """
    return next(name for name, fields in _FORMATS.items() if fields == (multi, confidences))


def sums_above_one(confidences: Sequence[float]) -> bool:
    """Whether confidences sum to more than 1, within rounding: .33 + .56 + .11 counts as 1.

    >>> sums_above_one([0.33, 0.56, 0.11]), sums_above_one([0.9, 0.2])
    (False, True)
    """
    return fsum(confidences) > 1 + SUM_TOLERANCE


def is_multi(name: str) -> bool:
    """Whether the objective of this name has several candidates.

    >>> is_multi("rlcr-multi"), is_multi("rlcr-single")
    (True, False)
    """
    return _FORMATS[name][0]


def _checked_k(name: str, k: int | None, multi: bool) -> int:
    if k is None:
        return PAPER_K if multi else 1
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_K:
        raise InputError(f"k must be a whole number from 1 to {MOST_K}", value=k)
    if not multi and k != 1:
        more = objective_name(multi=True, confidences=_FORMATS[name][1])
        raise InputError(f"{name} has k = 1", value=k, remedy=f"use {more} for more")
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
