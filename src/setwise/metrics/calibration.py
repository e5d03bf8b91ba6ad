"""How far confidences are from the truth, over pooled (confidence, correct) pairs.

All functions take flat sequences of equal length, one entry per (candidate, attempt); nothing is averaged over attempts
first. The result for an empty input is nan. Values that are not confidences or labels are refused.
"""

from math import erf, nan, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from setwise.metrics.inputs import Floats, confidences_from, labels_from, pairs, require_bins

BINS = 10
_EDGE_SLACK = 1e-9


def brier(confidences: ArrayLike, correct: ArrayLike) -> float:
    """Mean squared error of the confidences: (1/n) sum_i (q_i - c_i)^2, in [0, 1].

    >>> brier([1.0, 0.5], [True, False])
    0.125
    """
    q, c = pairs(confidences, correct)
    return float(np.mean((q - c) ** 2)) if q.size else nan


def base_rate_brier(correct: ArrayLike) -> float:
    """The Brier score of the best constant confidence, the base rate p: p (1 - p).

    >>> base_rate_brier([True, False, False, False])
    0.1875
    """
    c = labels_from(correct)
    return float(c.mean() * (1 - c.mean())) if c.size else nan


def brier_skill(confidences: ArrayLike, correct: ArrayLike) -> float:
    """1 - Brier / base-rate Brier: 0 for a model that only learned the base rate, 1 for a perfect one.

    nan if all answers are right or all are wrong, since there is nothing to predict.

    >>> brier_skill([0.5, 0.5], [True, False])
    0.0
    """
    score, reference = brier(confidences, correct), base_rate_brier(correct)
    return 1 - score / reference if reference > 0 else nan


def bin_index(confidences: ArrayLike, bins: int = BINS) -> NDArray[np.intp]:
    """The bin of each confidence: M equal bins, closed on the left; the last is closed on both sides.

    b = min(floor(q M + 1e-9), M - 1). The slack puts 0.3 into the bin that starts at 0.3 even if rounding in a sum made
    it slightly smaller. Values above 1 go into the last bin.

    >>> bin_index([0.0, 0.3, 0.6, 0.7, 1.0, 1.4]).tolist()
    [0, 3, 6, 7, 9, 9]
    """
    require_bins(bins)
    q = confidences_from(confidences)
    return np.minimum(np.floor(q * bins + _EDGE_SLACK), bins - 1).astype(np.intp)


def bin_sums(confidences: ArrayLike, correct: ArrayLike, bins: int = BINS) -> Floats:
    """For each bin: count, summed confidence and summed correctness, as rows."""
    q, c = pairs(confidences, correct)
    index = bin_index(q, bins)
    return np.stack([sums(index, w, bins) for w in (np.ones_like(q), q, c)])


def ece(confidences: ArrayLike, correct: ArrayLike, bins: int = BINS) -> float:
    """Expected calibration error: sum_b (n_b / n) |accuracy_b - confidence_b|.

    >>> round(ece([0.9, 0.9, 0.3], [True, False, False]), 12)
    0.366666666667
    """
    n, q, c = bin_sums(confidences, correct, bins)
    return float(np.abs(c - q).sum() / n.sum()) if n.sum() else nan


def ece_floor(confidences: ArrayLike, bins: int = BINS) -> float:
    """The expected ECE of a perfectly calibrated model that states these confidences.

    E[ECE] if every c_i is an independent Bernoulli(q_i). It is due to the finite sample alone: an ECE near it is
    indistinguishable from perfect calibration. Exact: per bin, the mean absolute deviation of a Poisson binomial count.
    A confidence above 1 (a sum) counts as 1 and adds its excess.

    >>> ece_floor([0.5])
    0.5
    """
    q = confidences_from(confidences)
    if not q.size:
        return nan
    index = bin_index(q, bins)
    return sum(_mean_absolute_deviation(q[index == b]) for b in np.unique(index)) / q.size


def _mean_absolute_deviation(q: Floats) -> float:
    """E|sum c_i - sum q_i|, c_i ~ Bernoulli(min(q_i, 1)).

    The distribution of the count is the discrete Fourier transform of its characteristic function on as many
    points as hold all but a negligible part of it; the count is then known modulo that number, which is enough.
    """
    p, repeats = np.unique(np.clip(q, 0.0, 1.0), return_counts=True)
    mean, target = float(p @ repeats), float(q.sum())
    spread = sqrt(float((p * (1 - p)) @ repeats))
    width = min(q.size, int(20 * spread) + 40) + 1
    lowest = max(0, min(round(mean) - width // 2, q.size + 1 - width))
    angles = 2 * pi * np.arange(width // 2 + 1) / width
    transform = np.ones(angles.size, dtype=complex)
    for probability, times in zip(p, repeats, strict=True):
        transform *= (1 + probability * (np.exp(-1j * angles) - 1)) ** int(times)
    masses = np.fft.irfft(transform, n=width)
    counts = lowest + (np.arange(width) - lowest) % width
    return float(np.abs(counts - target) @ np.maximum(masses, 0.0))


def debiased_ece(confidences: ArrayLike, correct: ArrayLike, bins: int = BINS) -> float:
    """ECE minus its estimated finite-sample bias, at least 0.

    With gap d_b and standard error s_b = sqrt(acc_b (1 - acc_b) / n_b), the bias of |d_b| is E|N(d_b, s_b^2)| -
    |d_b| (Kumar, Liang and Ma 2019, "Verified uncertainty calibration", whose simulation has this closed form).

    >>> debiased_ece([0.9] * 10, [True] * 9 + [False])
    0.0
    """
    n, q, c = bin_sums(confidences, correct, bins)
    if not n.sum():
        return nan
    filled = np.where(n > 0, n, 1.0)
    accuracy = c / filled
    gap = np.abs(c - q) / filled
    error = np.sqrt(np.clip(accuracy * (1 - accuracy), 0.0, None) / filled)
    bias = folded_normal_mean(gap, error) - gap
    return max(0.0, float((n * (gap - bias)).sum() / n.sum()))


def folded_normal_mean(mean: Floats, deviation: Floats) -> Floats:
    """E|N(mean, deviation^2)| for mean >= 0.

    >>> folded_normal_mean(np.array([2.0, 0.0]), np.array([0.0, 1.0])).round(4).tolist()
    [2.0, 0.7979]
    """
    scale = np.where(deviation > 0, deviation, 1.0)
    z = mean / scale
    spread = scale * sqrt(2 / pi) * np.exp(-z * z / 2) + mean * _erf(z / sqrt(2))
    return np.where(deviation > 0, spread, mean)


_erf = np.vectorize(erf, otypes=[float])


def sums(index: NDArray[np.integer], weights: Floats, size: int) -> Floats:
    """The sum of the weights at each of `size` indices."""
    return np.asarray(np.bincount(index, weights=weights, minlength=size), dtype=float)
