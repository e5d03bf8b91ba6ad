"""What calibration changes on problems it was not learned from: Brier, ECE and AUROC, before and after."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from setwise.calibration.points import Floats
from setwise.calibration.ranked import FOLDS
from setwise.calibration.scale import learnt_scale
from setwise.calibration.table import SetTable
from setwise.metrics import set_confidence
from setwise.metrics.calibration import bin_sums
from setwise.metrics.stated import STATED, Stated
from setwise.objectives import Regime
from setwise.records.files import Record
from setwise.records.measured import Estimate
from setwise.statistics import interval, replicates

MEASURED = ("brier", "brier_base_rate", "ece", "ece_floor", "auroc")
LEVELS = ("answers", "sets")
INTERVAL_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class HeldOut:
    """By level (answers, sets), then by metric: the values for stated and for calibrated confidences."""

    before: Mapping[str, Mapping[str, Estimate]]
    after: Mapping[str, Mapping[str, Estimate]]
    curves: Mapping[str, Mapping[str, list[list[float]]]]
    """By level, then `before` and `after`: count, mean confidence and share right of each non-empty bin."""

    def to_record(self) -> Record:
        numbers = {
            name: {level: {key: asdict(each) for key, each in found.items()} for level, found in side.items()}
            for name, side in (("before", self.before), ("after", self.after))
        }
        return {**numbers, "curves": {level: dict(curve) for level, curve in self.curves.items()}}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "HeldOut":
        before, after = (
            {level: {key: Estimate(**each) for key, each in found.items()} for level, found in record[name].items()}
            for name in ("before", "after")
        )
        return cls(before, after, record["curves"])


def held_out(table: SetTable, regime: Regime, seed: int) -> HeldOut:
    """Calibrate each fold of problems with what the others teach, including the choice of the map."""
    answers, sets = np.zeros_like(table.stated), np.zeros(len(table.stated))
    for part in table.parts(FOLDS, seed):
        rest = np.setdiff1d(table.problem, part)
        scale = learnt_scale(table.of_problems(rest), regime, seed)
        rows = np.isin(table.problem, part)
        answers[rows] = scale.answer_chances(table.stated[rows])
        sets[rows] = scale.prefix_chances(table.stated[rows], table.there[rows])[:, -1]
    claimed = np.array([set_confidence(each, regime, clipped=True) for each in table.stated.tolist()])
    some = table.there[:, 0]
    pairs = {
        "answers": (table.stated[table.there], answers[table.there], table.right[table.there]),
        "sets": (claimed[some], sets[some], table.held[some, -1]),
    }
    problems = {
        "answers": np.broadcast_to(table.problem[:, None], table.there.shape)[table.there],
        "sets": table.problem[some],
    }
    before, after = (
        {level: _numbers(problems[level], pairs[level][side], pairs[level][2]) for level in LEVELS} for side in (0, 1)
    )
    curves = {
        level: {"before": _curve(stated, right), "after": _curve(calibrated, right)}
        for level, (stated, calibrated, right) in pairs.items()
    }
    return HeldOut(before, after, curves)


def _numbers(problem: NDArray[np.int64], stated: Floats, right: NDArray[np.bool_]) -> dict[str, Estimate]:
    _, index = np.unique(problem, return_inverse=True)
    index = index.astype(np.int64)
    pairs = Stated(index, stated, right.astype(np.float64), int(index.max()) + 1, place=np.zeros_like(index))
    values = {name: STATED[name].value(pairs) for name in MEASURED}
    statistics = {name: STATED[name].statistic(pairs) for name, value in values.items() if isfinite(value)}
    drawn = replicates(statistics, resamples=INTERVAL_RESAMPLES)
    numbers = {}
    for name, statistic in statistics.items():
        ends = interval(statistic, values[name], drawn[name])
        numbers[name] = Estimate(values[name], ends and ends.low, ends and ends.high)
    return numbers


def _curve(stated: Floats, right: NDArray[np.bool_]) -> list[list[float]]:
    n, q, c = bin_sums(stated, right)
    return [[float(n[i]), float(q[i] / n[i]), float(c[i] / n[i])] for i in np.flatnonzero(n)]
