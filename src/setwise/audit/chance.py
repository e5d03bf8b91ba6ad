"""How unlikely a count is. Every test uses a level so low that the many tests of an audit do not add up."""

from math import exp, inf, lgamma, log, log1p, sqrt

import numpy as np
from numpy.typing import ArrayLike

LEVEL = 1e-4
"""The level of each test. An audit makes some thirty tests per run, so about one honest run in 300 would be accused."""
FEWEST = 3
"""Cases that make a habit."""
TOLERATED = 0.002
"""Share of completions in which an honest model may slip."""
STANDS_OUT = 2.5
"""How many times as frequent as the next value the most frequent one may naturally be."""


_MANY = 10_000_000
"""Draws beyond which a binomial is Poisson for all purposes."""


def tail(count: int, n: int, p: float) -> float:
    """P(X >= count) of X ~ Binomial(n, p).

    >>> round(tail(2, 3, 0.5), 3), tail(0, 3, 0.5), tail(1, 3, 0.0)
    (0.5, 1.0, 0.0)
    """
    if count <= 0 or p >= 1:
        return 1.0
    if count > n or p <= 0:
        return 0.0
    if count <= n * p:  # Below the mean, the other side is the short one.
        return 1.0 - _sum(count - 1, n, p, -1)
    return _sum(count, n, p, 1)


def _sum(start: int, n: int, p: float, way: int) -> float:
    """The probability of `start` and of everything beyond it, away from the mean."""
    x, total = start, 0.0
    term = exp(lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) + x * log(p) + (n - x) * log1p(-p))
    while 0 <= x <= n and term > total * 1e-12:
        total += term
        odds = p / (1 - p)
        term *= (n - x) / (x + 1) * odds if way > 0 else x / ((n - x + 1) * odds)
        x += way
    return min(1.0, total)


def is_habit(count: int, n: int, tolerated: float = TOLERATED) -> bool:
    """Whether this many of n are more than an honest model's slips.

    >>> is_habit(2, 100), is_habit(8, 300), is_habit(8, 30_000)
    (False, True, False)
    """
    return count >= FEWEST and tail(count, n, tolerated) < LEVEL


def stands_out(count: int, following: int, times: float = STANDS_OUT) -> bool:
    """Whether a value is more frequent than the next one beyond what occurs naturally.

    The next one's count is random too, so a standard deviation plus one is added to it. Counts are Poisson.

    >>> stands_out(50, 6), stands_out(12, 6), stands_out(1000, 500), stands_out(27, 1)
    (True, False, False, True)
    """
    expected = times * (following + sqrt(following) + 1)
    return tail(count, _MANY, expected / _MANY) < LEVEL


def standard_error(values: ArrayLike, clusters: ArrayLike) -> float:
    """The standard error of the mean of some values, with values of one cluster taken together.

    Infinite with a single cluster, which does not show how others differ.

    >>> standard_error([0, 1, 1], ["a", "a", "a"])
    inf
    """
    numbers = np.asarray(values, float)
    own, index = np.unique(clusters, return_inverse=True)
    groups = own.size
    if groups < 2:
        return inf
    gaps = np.bincount(index, numbers - numbers.mean())
    return sqrt(float((gaps**2).sum()) * groups / (groups - 1)) / numbers.size
