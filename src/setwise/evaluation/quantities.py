"""Turns a tally into named statistics: a point value and, for the bootstrap, a function of sums over problems."""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from setwise.evaluation.tally import Means, Tally
from setwise.metrics import Metric
from setwise.metrics.calibration import BINS
from setwise.metrics.stated import STATED
from setwise.statistics import Statistic

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of the table: its exact value, and the statistic its interval comes from."""

    value: float
    statistic: Statistic


def quantities(tally: Tally, bins: int = BINS) -> dict[str, Quantity]:
    """Every metric that the attempts allow, in the order of the table."""
    size = len(tally.problems)
    known = filter(tally.is_known, tally.metrics)
    found = {metric.key: mean_quantity(tally.means[metric.key], size, metric) for metric in known}
    for family, claims in tally.families.items():
        if claims.confidence:
            stated = claims.stated(size, bins)
            formulas = [metric for metric in STATED.values() if family in metric.families]
            statistics = {make: make(stated) for make in {metric.statistic for metric in formulas}}
            for metric in formulas:
                found[f"{family}/{metric.name}"] = Quantity(metric.value(stated), statistics[metric.statistic])
    if tally.clipped_sets.confidence:
        stated = tally.clipped_sets.stated(size, bins)
        found["set/ece_clipped"] = Quantity(STATED["ece"].value(stated), STATED["ece"].statistic(stated))
    return found


def mean_quantity(means: Means, size: int, metric: Metric) -> Quantity:
    """Mean over problems of the mean over each problem's attempts."""
    totals, times = means.arrays(size)
    columns = np.column_stack([totals / np.where(times > 0, times, 1), times > 0])
    values = columns.astype(float)
    statistic = Statistic(values, _ratio, lowest=metric.lowest, highest=metric.highest, is_mean=True)
    return Quantity(statistic.point, statistic)


def _ratio(totals: Floats) -> Floats:
    return totals[:, 0] / np.where(totals[:, 1] > 0, totals[:, 1], nan)
