"""Whether two runs differ, from few problems: counts every exchange of their problems instead of resampling.

If it made no difference which run a result came from, each of the 2^n ways to exchange the two runs' results would be
equally likely. The share of exchanges that puts the runs at least as far apart is an exact p, for any distribution. For
a mean over problems this is the sign-flip test of the paired differences.
"""

import numpy as np

from setwise.statistics.statistic import Floats, Statistic

EXACT_UP_TO = 20
"""In problems, which is about a million exchanges; above that the bootstrap is good enough."""
_BLOCK = 1 << 14


def paired_problems(first: Statistic, second: Statistic) -> int:
    """Problems that contribute to at least one of the two."""
    return int((first.columns.any(axis=1) | second.columns.any(axis=1)).sum())


def least_exact_p(problems: int) -> float:
    """The smallest two-sided p that this many problems can give: only exchanging none or all is as far apart.

    >>> least_exact_p(3), least_exact_p(6)
    (0.25, 0.03125)
    """
    return min(1.0, 2.0 ** (1 - problems))


def can_exchange(first: Statistic, second: Statistic) -> bool:
    """Whether equal sums mean the same in both, so that a problem can move from one to the other."""
    same_columns = first.columns.shape == second.columns.shape and first.basis == second.basis
    return same_columns and first.value is second.value


def exchange_p(first: Statistic, second: Statistic) -> float:
    """Two-sided exact p for "it does not matter which run a problem's result came from".

    The share of all exchanges with |d*| >= |d|, including ties and the exchange of nothing. Exchanges that leave a
    statistic undefined count as at least as far.

    >>> mean = lambda sums: sums[:, 0] / sums[:, 1]
    >>> low, high = (Statistic(np.column_stack([each, np.ones(3)]), mean) for each in ([0, 0, 0], [1, 1, 2]))
    >>> exchange_p(low, high)
    0.25
    """
    differing = (first.columns != second.columns).any(axis=1)
    moved = (second.columns - first.columns)[differing]
    if not len(moved):
        return 1.0
    # Exchanging the complement only flips the sign of the difference, so one problem may stay in place.
    moved = moved[1:]
    here, there = first.columns.sum(axis=0), second.columns.sum(axis=0)
    exchanges, as_far, distance = 1 << len(moved), 0, 0.0
    for start in range(0, exchanges, _BLOCK):
        numbers = np.arange(start, min(start + _BLOCK, exchanges))
        shift = ((numbers[:, None] >> np.arange(len(moved))) & 1).astype(float) @ moved
        apart = np.abs(_values(second, there - shift) - _values(first, here + shift))
        if start == 0:
            distance = float(apart[0])
        as_far += int((~(apart < distance - 1e-9 * max(1.0, distance))).sum())
    return as_far / exchanges


def _values(statistic: Statistic, sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return statistic.value(sums)
