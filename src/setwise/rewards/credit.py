"""Which part of a completion earned what: the reward of a group, parted by what the tokens write.

The paper pays every token its completion's reward less the group's mean. Here the thinking is paid for the set, each
answer for what the set gained when it joined, each confidence for its own Brier score. docs/credit.md says which of
these leave the expected gradient as it is, and proves it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Baseline = Literal["own_label", "equal_labels", "group"]


@dataclass(frozen=True, slots=True)
class Credit:
    """How the parts of a completion share its reward."""

    later: float = 0.25
    """Of the gain of the answers that follow, how much an answer is paid too: this much of the next one's, its square
    of the one after that. 1 is the reward to go."""
    baseline: Baseline = "own_label"
    """What a confidence is compared with: what the group's confidences at its place would have scored on this answer's
    label; what those scored whose answers were as right; what all scored, each on its own label."""


class Weights(NamedTuple):
    """Of the terms that belong to parts."""

    format: float = 1.0
    correctness: float = 1.0
    calibration: float = 1.0


class Member(NamedTuple):
    """One completion of a group, as numbers."""

    gains: Sequence[float] = ()
    """Of each answer, as it joined the set; empty where the completion is malformed."""
    labels: Sequence[bool] = ()
    confidences: Sequence[float] = ()
    kept: bool = False
    """Whether it is paid for its answers: neither malformed nor a set with a duplicate."""
    oversummed: bool = False
    other: float = 0.0
    """What it is paid for as a whole: the terms of others, weighted."""


class Pay(NamedTuple):
    """The advantage of each part's tokens."""

    whole: float
    """Of the thinking; of every token where the completion is malformed."""
    answers: Sequence[float] = ()
    confidences: Sequence[float] = ()
    end: float = 0.0
    """Of what follows the last tag: it can keep the format and nothing else."""


def pay_group(members: Sequence[Member], weights: Weights, credit: Credit) -> list[Pay]:
    """The advantages of completions that answer one problem."""
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

    # What came before is no longer this token's to earn, and it is known when the token is written. Its mean is
    # over the sets that were read, valid or not: so it depends on nothing that the token decides.
    past = gained - gained.mean(0)
    later = paid - paid.sum(0) / len(members)
    answers = whole[read, None] - weights.correctness * (_before(past) + later @ _unpaid(later.shape[1], credit.later))
    end = whole[read] - weights.correctness * past.sum(1)
    confidences = np.zeros((len(read), 0))
    if members[read[0]].confidences:
        confidences = end[:, None] + _stated([members[number] for number in read], weights, credit.baseline)

    pays = [Pay(pay) for pay in whole.tolist()]
    for place, number in enumerate(read):
        own = answers[place].tolist(), confidences[place].tolist(), float(end[place])
        pays[number] = Pay(pays[number].whole, *own)
    return pays


def _centred(values: Floats) -> Floats:
    return values - values.mean()


def _before(values: Floats) -> Floats:
    """For each answer, the sum over those before it."""
    return np.cumsum(values, 1) - values


def _unpaid(k: int, later: float) -> Floats:
    """For each pair of answers, the share of the row's gain that the column is not paid; its own and what came before
    are none of this."""
    distance = np.arange(k)[:, None] - np.arange(k)
    return np.where(distance > 0, 1 - later ** np.maximum(distance, 0), 0.0)


def _stated(members: Sequence[Member], weights: Weights, baseline: Baseline) -> Floats:
    """What each confidence earned above its baseline. In a set with a duplicate too: a confidence is about its own
    answer, and what a later one does is not its doing."""
    stated = np.array([member.confidences for member in members], float)
    labels = np.array([member.labels for member in members], float)
    oversummed = np.array([member.oversummed for member in members], float)
    error = (stated - labels) ** 2
    own = weights.calibration * (_expected_error(stated, labels, error, baseline) - error)
    return own - weights.format * _centred(oversummed)[:, None]


def _expected_error(stated: Floats, labels: Floats, error: Floats, baseline: Baseline) -> Floats:
    """The squared error that each confidence is compared with, place by place."""
    if baseline == "group":
        return np.broadcast_to(error.mean(0), error.shape)
    if baseline == "own_label":
        mean, square = stated.mean(0), (stated**2).mean(0)
        return square - 2 * labels * mean + labels
    right = labels.sum(0)
    wrong = len(labels) - right
    of_right = (error * labels).sum(0) / np.maximum(right, 1)
    of_wrong = (error * (1 - labels)).sum(0) / np.maximum(wrong, 1)
    return np.where(labels > 0, of_right, of_wrong)
