"""The sums per problem that each formula is a function of, from which its interval is computed."""

from collections.abc import Callable
from functools import cache, partial
from itertools import chain
from math import nan, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from setwise.metrics.calibration import bin_index, folded_normal_mean
from setwise.metrics.ranking import auroc_from_counts
from setwise.metrics.smooth import cosine_waves, smooth_ece_from_moments
from setwise.metrics.stated.pairs import Floats, Stated
from setwise.statistics import Ends, Statistic, resample_weights

AUROC_LEVELS = 128
"""Most distinct confidences in the resamples of AUROC, all places together; beyond that they are grouped. The point
value is exact."""
SMOOTH_MOMENTS = 96


def squared_error(stated: Stated) -> Statistic:
    return Statistic(stated.errors[:, [0, 2]], _ratio)


def base_rate(stated: Stated) -> Statistic:
    return Statistic(stated.errors[:, [1, 2]], _base_rate)


def skill(stated: Stated) -> Statistic:
    return Statistic(stated.errors, _skill)


def accuracy(stated: Stated) -> Statistic:
    return Statistic(stated.errors[:, [1, 2]], _ratio)


def confidence(stated: Stated) -> Statistic:
    return Statistic(stated.columns([stated.q, stated.ones]), _ratio)


def binned(stated: Stated) -> Statistic:
    index = bin_index(stated.q, stated.bins)
    columns = [stated.grid(index, weights, stated.bins) for weights in (stated.ones, stated.q, stated.c)]
    return Statistic(np.concatenate(columns, axis=1), _binned_ece, _unlifted_ece, 0.0)


def _ratio(totals: Floats) -> Floats:
    return totals[:, 0] / np.where(totals[:, 1] > 0, totals[:, 1], nan)


def _base_rate(totals: Floats) -> Floats:
    rate = _ratio(totals)
    return rate * (1 - rate)


def _skill(totals: Floats) -> Floats:
    reference = _base_rate(totals[:, 1:])
    return 1 - _ratio(totals[:, [0, 2]]) / np.where(reference > 0, reference, nan)


def _thirds(totals: Floats) -> Floats:
    return totals.reshape(len(totals), 3, -1)


def _binned_ece(totals: Floats) -> Floats:
    n, q, c = np.moveaxis(_thirds(totals), 1, 0)
    total = n.sum(axis=1)
    return np.abs(c - q).sum(axis=1) / np.where(total > 0, total, nan)


def _unlifted_ece(columns: Floats) -> Ends:
    """The gap of each bin without the bias of its absolute value.

    The lower end subtracts all that noise could add, if the gap is within two standard errors of zero. The upper end
    subtracts the bias expected if the gap were the true one. Standard errors are of sums over problems, so that answers
    to one problem are not counted as independent evidence.
    """
    n, q, c = np.moveaxis(_thirds(columns), 1, 0)
    error = np.sqrt(len(columns) * (c - q).var(axis=0))
    gap = np.abs((c - q).sum(axis=0))
    least = gap - np.where(gap < 2 * error, folded_normal_mean(np.zeros_like(gap), error), 0.0)
    most = gap - (folded_normal_mean(gap, error) - gap)
    return float(least.sum() / n.sum()), float(most.sum() / n.sum())


def floor(stated: Stated) -> Statistic:
    spread = np.clip(stated.q, 0, 1) * (1 - np.clip(stated.q, 0, 1))
    spreads = stated.grid(bin_index(stated.q, stated.bins), spread, stated.bins)
    return Statistic(np.column_stack([spreads, stated.columns([stated.ones])]), _gaussian_floor, lowest=0.0)


def _gaussian_floor(totals: Floats) -> Floats:
    """sqrt(2 / pi) sum_b sqrt(V_b) / n, the large-sample form of `ece_floor`."""
    n = totals[:, -1]
    return sqrt(2 / pi) * np.sqrt(totals[:, :-1]).sum(axis=1) / np.where(n > 0, n, nan)


def smooth(stated: Stated) -> Statistic:
    clipped = np.clip(stated.q, 0.0, 1.0)
    residuals = stated.c - clipped
    waves = cosine_waves(clipped, SMOOTH_MOMENTS)
    columns = stated.columns(chain((residuals * wave for wave in waves), [stated.ones]))
    return Statistic(columns, _smooth, _unlifted_smooth, 0.0, 1.0)


def _smooth(totals: Floats) -> Floats:
    n = totals[:, -1:]
    return smooth_ece_from_moments(totals[:, :-1] / np.where(n > 0, n, nan))


def _unlifted_smooth(columns: Floats) -> Ends:
    """The same as for ECE, without bins: the lower end subtracts what noise alone would give, the upper end what noise
    adds."""
    totals = columns.sum(axis=0)
    drawn = np.concatenate([weights @ columns for weights in resample_weights(len(columns), 200, seed=0)])
    noise = drawn - totals
    noise[:, -1] = drawn[:, -1]
    value = float(_smooth(totals[None])[0])
    return value - float(_smooth(noise).mean()), 2 * value - float(_smooth(drawn).mean())


def ranking(stated: Stated) -> Statistic:
    levels, index = _levels(stated.q, AUROC_LEVELS)
    width = int(index.max()) + 1
    columns = np.concatenate([stated.grid(index, w, width) for w in (stated.c, 1 - stated.c)], axis=1)
    return Statistic(columns, _auroc, lowest=0.0, highest=1.0, basis=levels)


def _levels(q: Floats, most: int) -> tuple[tuple[float, ...], NDArray[np.intp]]:
    """The distinct confidences, grouped if they are more than `most`, and the number of each pair's."""
    levels, index = np.unique(q, return_inverse=True)
    if levels.size > most:
        levels = np.quantile(q, np.linspace(0, 1, most + 1)[1:-1])
        index = np.searchsorted(levels, q, side="right")
    return tuple(levels.tolist()), index


def _auroc(totals: Floats) -> Floats:
    width = totals.shape[1] // 2
    return auroc_from_counts(totals[:, :width], totals[:, width:])


def ranking_within_places(stated: Stated) -> Statistic:
    """The same with a histogram of right answers and one of wrong answers for each place."""
    places = int(stated.place.max()) + 1
    levels, index = _levels(stated.q, AUROC_LEVELS // places + 1)
    width = int(index.max()) + 1
    wrong = stated.c == 0
    columns = stated.grid((2 * stated.place + wrong) * width + index, stated.ones, 2 * places * width)
    return Statistic(columns, _within_places(places), lowest=0.0, highest=1.0, basis=levels)


@cache
def _within_places(places: int) -> Callable[[Floats], Floats]:
    """Cached, since only statistics with the same function can be mixed."""
    return partial(_auroc_within_places, places=places)


def _auroc_within_places(totals: Floats, places: int) -> Floats:
    """`mean_area` over the places that have right answers and wrong ones."""
    right, wrong = np.moveaxis(totals.reshape(len(totals), places, 2, -1), 2, 0)
    counts = np.stack([right.sum(axis=-1), wrong.sum(axis=-1)])
    weights = counts.prod(axis=0) / np.maximum(counts.sum(axis=0), 1.0)
    areas = np.where(weights > 0, auroc_from_counts(right, wrong), 0.0)
    total = weights.sum(axis=-1)
    return (weights * areas).sum(axis=-1) / np.where(total > 0, total, nan)
