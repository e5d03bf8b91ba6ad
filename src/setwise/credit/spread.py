"""Spreads the credit of a group's parts over tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import stdev
from types import MappingProxyType
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from setwise.answers import Rule
from setwise.credit.decoder import SampledCompletion
from setwise.credit.numbers import NumberTokens
from setwise.credit.parts import part_ends, part_pays, parts_of, writes_confidence
from setwise.credit.tokens import TokenText
from setwise.errors import InputError
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.records.score import Score
from setwise.rewards import terms_of
from setwise.rewards.credit import Credit, Member, Pay, Weights, charges, pay_group
from setwise.rewards.set_value import gains, prefix_values
from setwise.scoring import evidence_of_set
from setwise.settings import ConfidenceScore

STD_SLACK = 1e-4
"""What TRL adds to a standard deviation before dividing by it."""

PER_ANSWER = Credit()
CREDITS: Mapping[str, Credit | None] = MappingProxyType(
    {
        "completion": None,
        "answer": PER_ANSWER,
        "dcpo": Credit(baseline="group"),
        "bae": Credit(baseline="equal_labels"),
    }
)
"""By name in a recipe. `completion` is the paper's: every token is paid the same."""
FOR_ONE_ANSWER = ("dcpo", "bae")


@dataclass(frozen=True, slots=True)
class TokenCredit:
    """The advantages of one completion's tokens, and which of them explore confidences."""

    advantages: NDArray[np.float64]
    confidence: NDArray[np.bool_]
    charged: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)
    """By token that chose a confidence: what is charged with each of the number tokens there; NaN if that is no
    confidence. Such a token's advantage has nothing for its score."""


def credit_named(
    name: str, objective: Objective, later: float = PER_ANSWER.later, score: ConfidenceScore = PER_ANSWER.score
) -> Credit | None:
    """The credit of that name, checked against the objective; None for the paper's."""
    if name not in CREDITS:
        raise InputError(f"credit is one of {', '.join(CREDITS)}", value=name)
    if name in FOR_ONE_ANSWER and not (objective.k == 1 and objective.confidences):
        rule = f"credit {name} is for one answer with a confidence"
        raise InputError(rule, value=objective.name, remedy="credit answer is for every objective")
    if score not in get_args(ConfidenceScore):
        raise InputError(f"a confidence is scored by one of {', '.join(get_args(ConfidenceScore))}", value=score)
    found = CREDITS[name]
    return found and replace(found, later=later, score=score)


@dataclass(frozen=True, slots=True)
class TokenCrediting:
    """Pays the tokens of one group at a time."""

    objective: Objective
    credit: Credit
    tokens: TokenText
    divide_by_std: bool = False
    """Whether to divide advantages by the standard deviation of the group's rewards."""
    numbers: NumberTokens | None = None
    """If given, a token that chose a confidence is charged for all that it could have chosen."""

    def of_group(
        self,
        scores: Sequence[Score],
        problem: Problem,
        sampled: Sequence[SampledCompletion],
        calibration_share: float = 1.0,
    ) -> list[TokenCredit]:
        """Credit for the completions of one problem, with confidences at this share of their weight. Those that could
        not be scored are paid nothing."""
        scored = [score for score in scores if score.reward is not None]
        scale = _scale(scored) if self.divide_by_std else 1.0
        weights = weights_of(self.objective, calibration_share)
        paid = iter(pay_scores(scored, problem, self.objective, self.credit, weights))
        return [
            self._spread(next(paid) if score.reward is not None else Pay(0.0), scale, weights, score, own)
            for score, own in zip(scores, sampled, strict=True)
        ]

    def _spread(
        self, pay: Pay, scale: float, weights: Weights, score: Score, sampled: SampledCompletion
    ) -> TokenCredit:
        size = len(sampled.ids)
        if not pay.answers or score.parsed is None:
            return TokenCredit(np.full(size, pay.whole * scale), np.zeros(size, bool))
        starts = np.full(size, len(sampled.text))
        starts[: sampled.shown] = self.tokens.starts(sampled.ids[: sampled.shown], sampled.text)
        spans = score.parsed.spans
        parts = parts_of(starts, part_ends(spans, self.objective))
        deciding = writes_confidence(starts, sampled.text, spans)
        advantages = np.array(part_pays(pay, self.objective))[parts] * scale
        charged = {}
        for choice in self.numbers.choices(sampled.ids, starts, sampled.text, spans) if self.numbers else ():
            if_right, if_wrong = charges(choice.numbers, self.credit.score)
            charge = if_right if score.labels[choice.place] else if_wrong
            charged[choice.token] = weights.calibration * scale * charge
            advantages[choice.token] -= pay.calibration[choice.place] * scale
        return TokenCredit(advantages, deciding, charged)


def weights_of(objective: Objective, calibration_share: float = 1.0) -> Weights:
    """The objective's weights of the terms that belong to parts, with this share of calibration's."""
    weights = dict.fromkeys(Weights._fields, 0.0) | {term.name: weight for term, weight in terms_of(objective)}
    weights["calibration"] *= calibration_share
    return Weights(*(weights[name] for name in Weights._fields))


def pay_scores(
    scores: Sequence[Score], problem: Problem, objective: Objective, credit: Credit, weights: Weights
) -> list[Pay]:
    """What each part of one problem's scored completions is paid."""
    return pay_group([member_of(score, problem, objective) for score in scores], weights, credit) if scores else []


def member_of(score: Score, problem: Problem, objective: Objective) -> Member:
    """A scored completion as numbers."""
    if not score.strictly_valid:
        return Member()
    preset = objective.preset
    oversummed = score.violated is Rule.SUM_ABOVE_ONE
    kept = score.violated is not Rule.DUPLICATES and not (oversummed and preset.sum_penalty == "all")
    values = prefix_values(score.labels, preset.set_value, **evidence_of_set(score.matches, problem))
    other = 0.0
    for term, weight in terms_of(objective) if kept else ():
        if term.name == "calibration":
            other += weight * preset.calibration_offset
        elif term.name not in Weights._fields:
            other += weight * score.terms[term.name]
    confidences = [q or 0.0 for q in score.confidences] if objective.confidences else []
    return Member(gains(values), score.labels, confidences, kept, oversummed, other)


def _scale(scores: Sequence[Score]) -> float:
    rewards = [score.reward for score in scores if score.reward is not None]
    return 1 / (stdev(rewards) + STD_SLACK) if len(rewards) > 1 else 1.0
