"""The forms that a map from a stated value to a probability can have, on disk and in use. All are non-decreasing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from setwise.calibration.points import Floats
from setwise.records.files import Record

EDGE = 0.005
"""Stated values keep this distance from 0 and 1 before a logarithm: half of the last digit of a percentage."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Straight lines between knots, flat before the first and after the last. Isotonic and Venn-Abers maps have this
    form."""

    knots: tuple[float, ...]
    chances: tuple[float, ...]

    def __call__(self, stated: ArrayLike) -> Floats:
        return np.interp(np.asarray(stated, dtype=np.float64), self.knots, self.chances)

    def to_record(self) -> Record:
        return {"knots": list(self.knots), "chances": list(self.chances)}


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """1 / (1 + exp(-(a q + b ln q - c ln(1 - q) + d))), without negative slopes. Platt's uses a only, the beta map b
    and c."""

    linear: float
    log: float
    log_rest: float
    intercept: float

    def __call__(self, stated: ArrayLike) -> Floats:
        slopes = np.array([self.linear, self.log, self.log_rest])
        return logistic(features(np.asarray(stated, dtype=np.float64)) @ slopes + self.intercept)

    def to_record(self) -> Record:
        return {"slopes": [self.linear, self.log, self.log_rest], "intercept": self.intercept}


Map = Broken | Sigmoid


def map_from_record(record: Mapping[str, Any]) -> Map:
    if "knots" in record:
        return Broken(tuple(map(float, record["knots"])), tuple(map(float, record["chances"])))
    linear, log, log_rest = map(float, record["slopes"])
    return Sigmoid(linear, log, log_rest, float(record["intercept"]))


def features(stated: Floats) -> Floats:
    """q, ln q and -ln(1 - q), as columns."""
    inside = np.clip(stated, EDGE, 1 - EDGE)
    return np.stack([stated, np.log(inside), -np.log1p(-inside)], axis=-1)


def logistic(value: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(value, -500.0, 500.0)))
