"""Whether two statistics differ, and whether that survives the size of the table."""

from collections.abc import Sequence
from math import isfinite, nan

import numpy as np

from setwise.statistics.bootstrap import Ends, Floats, Interval, Statistic, around


def left_of_difference(first: Statistic, second: Statistic) -> Ends | None:
    """The least and the most that may be left of `second` minus `first` without what noise lifts them by."""
    if first.unlifted is None or second.unlifted is None:
        return None
    (first_least, first_most), (least, most) = first.unlifted(first.columns), second.unlifted(second.columns)
    return least - first_most, most - first_least


def difference_interval(value: float, drawn: Floats, left: Ends | None, *, level: float = 0.95) -> Interval | None:
    """A bootstrap interval for the difference of two statistics on the same resamples."""
    return around(value, drawn, left, 0.0, level)


def p_value(difference: float, drawn: Floats, left: Ends | None = None) -> float:
    """Two-sided bootstrap p of "there is no difference": how often resampling alone moves it as far.

    (1 + #{|d* - d| >= |d|}) / (R + 1), so it is never 0. Where noise lifts both statistics, what counts is the
    smaller end of what may be left of the difference, and how far resampling moves it from its mean.

    >>> p_value(3.0, np.array([2.0, 3.0, 4.0])), p_value(3.0, np.array([3.0, 4.0, 5.0]), left=(-0.5, 3.0))
    (0.25, 1.0)
    """
    usable = drawn[np.isfinite(drawn)]
    if not usable.size or not isfinite(difference):
        return nan
    middle = difference if left is None else usable.mean()
    distance = abs(difference) if left is None else max(0.0, left[0], -left[1])
    moved = np.abs(usable - middle) >= distance - 1e-12
    return float((1 + moved.sum()) / (1 + usable.size))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: the i-th smallest times (m - i + 1), made monotone, at most 1.

    A comparison survives at level a if its adjusted p is at most a; the chance of any false survivor in the table is
    then at most a, whatever the dependence.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [1.0] * len(p_values)
    worst = 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = worst
    return adjusted
