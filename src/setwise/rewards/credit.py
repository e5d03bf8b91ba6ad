"""Which part of a completion earned what: splits the rewards of a group by what the tokens write.

The paper pays every token its completion's reward minus the group's mean. Here, the thinking is paid for the set, each
answer for what it added to the set, and each confidence for its own score. docs/concepts/credit.md shows which of these
leave the expected gradient unchanged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from setwise.settings import ConfidenceScore

Floats = NDArray[np.float64]

Baseline = Literal["own_label", "equal_labels", "group"]

LEAST_CHANCE = 0.01
"""The log score takes no confidence to be nearer to 0 or to 1 than this, so that no charge is infinite."""


@dataclass(frozen=True, slots=True)
class Credit:
    """How the parts of a completion share its reward."""

    later: float = 0.25
    """Share of the next answer's gain that an answer is also paid; squared for the one after it, and so on. 1 is
    reward-to-go."""
    baseline: Baseline = "own_label"
    """What a confidence is compared with. `own_label`: the group's confidences at the same place, scored on this
    answer's label. `equal_labels`: the scores of those whose answers have the same label. `group`: the scores of all,
    each on its own label."""
    score: ConfidenceScore = "brier"
    """What a confidence is charged. `log` is minus half the log likelihood of the label: around one half both charge an
    error alike, and `log` charges more where answers are rarely right or rarely wrong."""


class Weights(NamedTuple):
    """The weights of the terms that belong to parts."""

    format: float = 1.0
    correctness: float = 1.0
    calibration: float = 1.0


class Member(NamedTuple):
    """One completion of a group, as numbers."""

    gains: Sequence[float] = ()
    """The gain of each answer as it joined the set; empty if the completion is malformed."""
    labels: Sequence[bool] = ()
    confidences: Sequence[float] = ()
    kept: bool = False
    """Whether its answers are paid for: it is not malformed and has no duplicates."""
    oversummed: bool = False
    other: float = 0.0
    """What the completion is paid for as a whole: all other terms, weighted."""


class Pay(NamedTuple):
    """The advantage of each part's tokens."""

    whole: float
    """For the thinking, or for every token if the completion is malformed."""
    answers: Sequence[float] = ()
    confidences: Sequence[float] = ()
    end: float = 0.0
    """For what follows the last tag, which can affect the format only."""
    calibration: Sequence[float] = ()
    """The part of each confidence's pay that is for its score."""


def pay_group(members: Sequence[Member], weights: Weights, credit: Credit) -> list[Pay]:
    """The advantages of the completions of one problem."""
    read = [number for number, member in enumerate(members) if member.gains]
    kept = np.array([member.kept for member in members], float)
    gained = np.array([members[number].gains for number in read] or np.zeros((0, 1)))
    paid = gained * kept[read, None]
    value = np.zeros(len(members))
    value[read] = paid.sum(1)
    other = np.array([member.other for member in members])
    whole = weights.format * _centred(kept) + weights.correctness * _centred(value) + _centred(other)
    if not read:
        return [Pay(pay) for pay in whole.tolist()]

    # A token cannot earn what came before it, which is known when the token is written. Its mean is over all parsed
    # sets, valid or not, so that it does not depend on anything the token decides.
    past = gained - gained.mean(0)
    later = paid - paid.sum(0) / len(members)
    answers = whole[read, None] - weights.correctness * (_before(past) + later @ _unpaid(later.shape[1], credit.later))
    end = whole[read] - weights.correctness * past.sum(1)
    confidences = calibration = np.zeros((len(read), 0))
    if members[read[0]].confidences:
        calibration = weights.calibration * _earned([members[number] for number in read], credit)
        oversummed = np.array([members[number].oversummed for number in read], float)
        confidences = (end - weights.format * _centred(oversummed))[:, None] + calibration

    pays = [Pay(pay) for pay in whole.tolist()]
    for place, number in enumerate(read):
        own = (part[place].tolist() for part in (answers, confidences, end, calibration))
        pays[number] = Pay(pays[number].whole, *own)
    return pays


def _centred(values: Floats) -> Floats:
    return values - values.mean()


def _before(values: Floats) -> Floats:
    """For each answer, the sum over those before it."""
    return np.cumsum(values, 1) - values


def _unpaid(k: int, later: float) -> Floats:
    """For each pair of answers, the share of the row's gain that the column is not paid; zero for its own and for
    earlier gains."""
    distance = np.arange(k)[:, None] - np.arange(k)
    return np.where(distance > 0, 1 - later ** np.maximum(distance, 0), 0.0)


def _earned(members: Sequence[Member], credit: Credit) -> Floats:
    """What the score of each confidence earned above its baseline. Sets with duplicates count too: a confidence is
    about its own answer and is not responsible for a later one."""
    stated = np.array([member.confidences for member in members], float)
    labels = np.array([member.labels for member in members], float)
    if_right, if_wrong = charges(stated, credit.score)
    charge = np.where(labels > 0, if_right, if_wrong)
    return _expected_charge(if_right, if_wrong, labels, credit.baseline) - charge


def charges(stated: Floats, score: ConfidenceScore) -> tuple[Floats, Floats]:
    """What each confidence is charged if its answer is right, and if it is wrong."""
    if score == "brier":
        return (1 - stated) ** 2, stated**2
    held = np.clip(stated, LEAST_CHANCE, 1 - LEAST_CHANCE)
    return -np.log(held) / 2, -np.log(1 - held) / 2


def _expected_charge(if_right: Floats, if_wrong: Floats, labels: Floats, baseline: Baseline) -> Floats:
    """The charge that each confidence is compared with, place by place."""
    if baseline == "own_label":
        return np.where(labels > 0, if_right.mean(0), if_wrong.mean(0))
    if baseline == "group":
        return np.broadcast_to(np.where(labels > 0, if_right, if_wrong).mean(0), labels.shape)
    right = labels.sum(0)
    wrong = len(labels) - right
    of_right = (if_right * labels).sum(0) / np.maximum(right, 1)
    of_wrong = (if_wrong * (1 - labels)).sum(0) / np.maximum(wrong, 1)
    return np.where(labels > 0, of_right, of_wrong)
