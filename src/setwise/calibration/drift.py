"""Whether new questions get different confidences from those that a profile was learned from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from setwise.calibration.points import Floats
from setwise.metrics import set_confidence
from setwise.objectives import Regime
from setwise.records.files import Record

LEVEL = 0.01
FEWEST = 20
KEPT = 1000
"""Sets that a profile keeps for the comparison, one per problem."""
_PERMUTATIONS = 1999


@dataclass(frozen=True, slots=True)
class Drift:
    """The test of "these confidences come from the same distribution as the profile's"."""

    statistic: float
    """The larger of two Kolmogorov-Smirnov distances: of the highest confidences, and of the sets' claims."""
    p: float
    """The share of random exchanges of new and old sets that put them at least as far apart."""
    drifted: bool
    message: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What sets stated: the highest confidence of each, and what its confidences claim together."""

    highest: tuple[float, ...]
    claimed: tuple[float, ...]

    @classmethod
    def of(cls, stated_sets: Sequence[Sequence[float]], regime: Regime) -> "Seen":
        highest = tuple(round(max(stated, default=0.0), 6) for stated in stated_sets)
        return cls(highest, tuple(round(set_confidence(stated, regime, clipped=True), 6) for stated in stated_sets))

    def drift(self, new: "Seen", seed: int = 0) -> Drift:
        """Assumes no distribution. Confidences have few distinct values, so p is counted rather than looked up."""
        if len(new.highest) < FEWEST:
            message = f"too few sets to tell: {len(new.highest)} of the {FEWEST} needed"
            return Drift(0.0, 1.0, drifted=False, message=message)
        is_new = np.repeat([False, True], [len(self.highest), len(new.highest)])
        rng = np.random.default_rng(seed)
        labels = np.stack([is_new, *(rng.permutation(is_new) for _ in range(_PERMUTATIONS))])
        both = ((self.highest, new.highest), (self.claimed, new.claimed))
        distance = np.max([_distances(np.concatenate(pair), labels) for pair in both], axis=0)
        p = float((distance >= distance[0] - 1e-12).mean())
        return Drift(float(distance[0]), p, p < LEVEL, _message(p, self, new))

    def to_record(self) -> Record:
        return {"highest": list(self.highest), "claimed": list(self.claimed)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Seen":
        return cls(*(tuple(map(float, record[name])) for name in ("highest", "claimed")))


def _distances(values: Floats, labels: Any) -> Floats:
    """For each row of labels, the largest gap between the two distribution functions."""
    order = np.argsort(values, kind="stable")
    last = np.append(np.diff(values[order]) > 0, True)
    new = labels[0].sum()
    steps = np.where(labels[:, order], 1 / new, -1 / (len(values) - new))
    return np.abs(np.cumsum(steps, axis=1)[:, last]).max(axis=1)


def _message(p: float, old: Seen, new: Seen) -> str:
    means = f"mean highest confidence {np.mean(new.highest):.2f} against {np.mean(old.highest):.2f}"
    if p < LEVEL:
        return f"the confidences have changed (p = {p:.4f}; {means}): calibrate again before relying on the promise"
    return f"no change of the confidences was found (p = {p:.2f}; {means})"
