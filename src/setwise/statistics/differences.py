"""Whether two statistics differ, and whether the difference survives the correction for the whole table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real

import numpy as np

from setwise.errors import InputError
from setwise.statistics.alike import alike_differences_interval
from setwise.statistics.bootstrap import around
from setwise.statistics.exchange import EXACT_UP_TO, can_exchange, exchange_p, least_exact_p, paired_problems
from setwise.statistics.statistic import Ends, Floats, Interval, Statistic


@dataclass(frozen=True, slots=True)
class Tested:
    """The test of one difference."""

    p: float
    least_p: float
    """The smallest p that this many problems, or resamples, can give."""
    problems: int
    """Number of problems that contribute."""
    exact: bool
    """Whether p counts every exchange of the two runs' problems; otherwise it comes from the bootstrap."""
    interval: Interval | None


def paired_test(first: Statistic, second: Statistic, value: float, drawn: Floats) -> Tested:
    """Whether `value`, `second` minus `first`, could be due to chance; `drawn` has its value on every resample.

    Up to `EXACT_UP_TO` problems it counts all exchanges of the runs' problems; above that it uses the bootstrap. If
    noise raises both statistics, few problems must pass both tests, because equally calibrated runs are not always
    exchangeable.
    """
    left = left_of_difference(first, second)
    problems = paired_problems(first, second)
    ends = difference_interval(value, drawn, left) if len(first.columns) > 1 else None
    ends = alike_differences_interval(first, second) or ends if ends else None
    resampled = p_value(value, drawn, left) if ends else 1.0
    if problems > EXACT_UP_TO:
        return Tested(resampled, 1 / (1 + len(drawn)), problems, exact=False, interval=ends)
    least = least_exact_p(problems)
    if not can_exchange(first, second):
        return Tested(max(least, resampled), least, problems, exact=False, interval=ends)
    p = exchange_p(first, second)
    return Tested(p if left is None else max(p, resampled), least, problems, exact=True, interval=ends)


def left_of_difference(first: Statistic, second: Statistic) -> Ends | None:
    """The smallest and the largest value of `second` minus `first` without what noise adds to them."""
    if first.unlifted is None or second.unlifted is None:
        return None
    (first_least, first_most), (least, most) = first.unlifted(first.columns), second.unlifted(second.columns)
    return least - first_most, most - first_least


def difference_interval(value: float, drawn: Floats, left: Ends | None, *, level: float = 0.95) -> Interval | None:
    """A bootstrap interval for the difference of two statistics on the same resamples."""
    return around(value, drawn, left, 0.0, level)


def p_value(difference: float, drawn: Floats, left: Ends | None = None) -> float:
    """Two-sided bootstrap p for "there is no difference": how often resampling alone moves it this far.

    (1 + #{|d* - d| >= |d|}) / (R + 1), so it is never 0; 1 if no resample is usable. If noise raises both statistics,
    it uses the end closer to zero of what is left of the difference, and how far resampling moves it from its mean.

    >>> p_value(3.0, np.array([2.0, 3.0, 4.0])), p_value(3.0, np.array([3.0, 4.0, 5.0]), left=(-0.5, 3.0))
    (0.25, 1.0)
    """
    usable = drawn[np.isfinite(drawn)]
    if not usable.size or not isfinite(difference):
        return 1.0
    middle = difference if left is None else usable.mean()
    distance = abs(difference) if left is None else max(0.0, left[0], -left[1])
    moved = np.abs(usable - middle) >= distance - 1e-12
    return float((1 + moved.sum()) / (1 + usable.size))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: the i-th smallest times (m - i + 1), made monotone, at most 1.

    A comparison survives at level a if its adjusted p is at most a. The chance of any false survivor in the table is
    then at most a, however the comparisons depend on each other.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    for place, p in enumerate(p_values):
        if isinstance(p, bool) or not isinstance(p, Real) or not 0 <= p <= 1:
            raise InputError("a p-value is a number from 0 to 1", place=f"p_values[{place}]", value=p)
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [1.0] * len(p_values)
    worst = 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = worst
    return adjusted
