"""Stated confidences on a calibrated scale: for each answer, and for each prefix of the ranked set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from setwise.calibration.points import Floats
from setwise.calibration.ranked import FOLDS, Cells, RankedMap, chosen_map
from setwise.calibration.table import SetTable
from setwise.objectives import Regime
from setwise.records.files import Record


@dataclass(frozen=True, slots=True)
class ChanceScale:
    """Two maps: from a stated confidence to the probability of the answer, and from a prefix's claim to the prefix's
    probability.

    The claim of a prefix is what the calibrated confidences of its answers state together.
    """

    regime: Regime
    answers: RankedMap
    prefixes: RankedMap

    def answer_chances(self, stated: Floats) -> Floats:
        """(sets, ranks) of ranked confidences -> the probability of each answer."""
        return self.answers(stated)

    def prefix_chances(self, stated: Floats, there: NDArray[np.bool_]) -> Floats:
        """The probability that the first, the first two, ... answers include a right one; it never falls along the
        set."""
        return np.maximum.accumulate(self.prefixes(_claims(self.answers(stated), there, self.regime)), axis=1)

    def to_record(self) -> Record:
        return {"answers": self.answers.to_record(), "prefixes": self.prefixes.to_record()}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], regime: Regime) -> "ChanceScale":
        return cls(regime, *(RankedMap.from_record(record[name]) for name in ("answers", "prefixes")))


def learnt_scale(table: SetTable, regime: Regime, seed: int) -> ChanceScale:
    """The scale of these sets, with the kinds of map chosen by cross-fitting over problems."""
    fold = np.empty(len(table.problem), dtype=np.int64)
    for number, part in enumerate(table.parts(FOLDS, seed)):
        fold[np.isin(table.problem, part)] = number
    answers = chosen_map(Cells(table.stated, table.right, table.there, table.weight), fold)
    claims = _claims(answers(table.stated), table.there, regime)
    # If a set has no second answer, its first two are its first.
    anything = np.broadcast_to(table.there[:, :1], table.there.shape)
    prefixes = chosen_map(Cells(claims, table.held, anything, table.weight), fold)
    return ChanceScale(regime, answers, prefixes)


def _claims(chances: Floats, there: NDArray[np.bool_], regime: Regime) -> Floats:
    """What the answers' probabilities state about each prefix, as in `setwise.metrics.set_confidence`."""
    counted = np.where(there, chances, 0.0)
    if regime is Regime.INCLUSIVE:
        return np.asarray(1 - np.cumprod(1 - counted, axis=1), dtype=np.float64)
    return np.asarray(np.minimum(np.cumsum(counted, axis=1), 1.0), dtype=np.float64)
