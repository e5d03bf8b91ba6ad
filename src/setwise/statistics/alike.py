"""Intervals for a mean when every problem gave the same value, so that a bootstrap has no spread."""

from math import isfinite

import numpy as np
from numpy.typing import NDArray

from setwise.statistics.statistic import Floats, Interval, Statistic


def alike_interval(statistic: Statistic, level: float = 0.95) -> Interval | None:
    """The exact interval of a bounded mean over problems with equal values; None for anything else."""
    if not statistic.is_mean:
        return None
    values, there = _values(statistic)
    return _interval(values[there], statistic.lowest, statistic.highest, level)


def alike_differences_interval(first: Statistic, second: Statistic, level: float = 0.95) -> Interval | None:
    """The same for the difference of two means, if it is equal in every problem."""
    if not (first.is_mean and second.is_mean):
        return None
    (before, there), (after, also) = _values(first), _values(second)
    if (there != also).any():
        return None
    lowest, highest = second.lowest - first.highest, second.highest - first.lowest
    return _interval((after - before)[there], lowest, highest, level)


def share_of_others(problems: int, level: float = 0.95) -> float:
    """The largest share of problems that may have another value although none of this many did (Clopper and Pearson
    1934).

    >>> round(share_of_others(3), 3), round(share_of_others(100), 3)
    (0.708, 0.036)
    """
    return 1 - ((1 - level) / 2) ** (1 / problems)


def _values(statistic: Statistic) -> tuple[Floats, NDArray[np.bool_]]:
    """The value of each problem, and whether it has one."""
    return statistic.columns[:, 0], statistic.columns[:, 1] > 0


def _interval(values: Floats, lowest: float, highest: float, level: float) -> Interval | None:
    bounded = isfinite(lowest) and isfinite(highest)
    if not bounded or not values.size or np.ptp(values) > 1e-9 * max(1.0, abs(float(values[0]))):
        return None
    value, others = float(values[0]), share_of_others(len(values), level)
    # The other problems may have any value from the lowest to the highest.
    return Interval(value - (value - lowest) * others, value + (highest - value) * others)
