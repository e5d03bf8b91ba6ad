"""Student's t, for means of a few training runs. numpy can sample it, but has neither its tails nor its quantiles."""

from math import atan, cos, exp, inf, lgamma, pi, sqrt
from statistics import NormalDist

import numpy as np

NEARLY_NORMAL = 1000.0
"""Degrees of freedom above which the normal distribution is as good."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)


def upper_tail(t: float, freedom: float) -> float:
    """The probability of a value above `t`, for any positive degrees of freedom.

    With t = sqrt(freedom) tan(a), the density is that of the angle: proportional to cos(a) ^ (freedom - 1).

    >>> round(upper_tail(1.0, 1.0), 6), round(upper_tail(2.0, 10.0), 6)
    (0.25, 0.036694)
    """
    if t < 0:
        return 1 - upper_tail(-t, freedom)
    if freedom > NEARLY_NORMAL:
        return 1 - NormalDist().cdf(t)
    start = atan(t / sqrt(freedom))
    half = (pi / 2 - start) / 2
    angles = start + half * (1 + _NODES)
    whole = sqrt(pi) * exp(lgamma(freedom / 2) - lgamma((freedom + 1) / 2))
    # Exact for Cauchy's distribution, where the integrand is constant; steep at the end below that, which nobody needs.
    return float(half * (_WEIGHTS @ np.cos(angles) ** (freedom - 1)) / whole) if cos(start) > 0 else 0.0


def quantile(probability: float, freedom: float) -> float:
    """The value that is exceeded with probability 1 - `probability`.

    >>> round(quantile(0.975, 1.0), 2), round(quantile(0.975, 4.0), 3)
    (12.71, 2.776)
    """
    if probability < 0.5:
        return -quantile(1 - probability, freedom)
    low, high = 0.0, 1.0
    while upper_tail(high, freedom) > 1 - probability:
        low, high = high, 2 * high
        if high == inf:
            return inf
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(middle, freedom) > 1 - probability else (low, middle)
    return (low + high) / 2
