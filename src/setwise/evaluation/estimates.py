"""A tally turned into named statistics: each a point value and, for the bootstrap, a function of sums over problems."""

from dataclasses import dataclass
from math import nan, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from setwise.evaluation.metrics import (
    auroc,
    base_rate_brier,
    bin_index,
    brier,
    brier_skill,
    debiased_ece,
    ece,
    ece_floor,
    smooth_ece,
)
from setwise.evaluation.metrics.calibration import BINS, folded_normal_mean, sums
from setwise.evaluation.metrics.ranking import auroc_from_counts
from setwise.evaluation.metrics.smooth import cosine_waves, smooth_ece_from_moments
from setwise.evaluation.statistics import Statistic, resample_weights
from setwise.evaluation.statistics.bootstrap import Ends
from setwise.evaluation.tally import Means, Pairs, Tally

Floats = NDArray[np.float64]

AUROC_LEVELS = 128
"""Distinct confidences kept apart in the resamples of AUROC; more are grouped, the point value is exact."""
SMOOTH_MOMENTS = 96

MEANS = (
    "coverage",
    "n_correct",
    "n_correct_with_repeats",
    "recall",
    "attainable_coverage",
    "pass_at_k",
    "pass_at_1",
    "pass_at_1/most_confident",
    "uniqueness",
    "uniqueness/fraction",
    "uniqueness/canonical",
    "distinct_correct",
    "distinct_correct/canonical",
    "tokens",
    "truncated",
    "strictly_valid",
    "reasoning_overlap",
    "set/count_gap",
    "set/count_error",
    "set/sum_above_one",
)
"""Metrics that are a mean over problems, in the order of the table."""
DISTINCT = ("uniqueness", "uniqueness/fraction", "distinct_correct")
"""Unknown where records say nothing of what tells answers apart; a set without answers has none either way."""
SHARES = ("coverage", "recall", "attainable_coverage", "pass_at", "truncated", "strictly_valid", "set/sum", "reasoning")


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of the table: its exact value, and the statistic its interval comes from."""

    value: float
    statistic: Statistic


def quantities(tally: Tally, bins: int = BINS) -> dict[str, Quantity]:
    """Every metric the attempts allow, in the order of the table."""
    size = len(tally.problems)
    unknown = DISTINCT if tally.have_forms == {False} else ()
    names = [name for name in MEANS if name in tally.means and name not in unknown]
    found = {name: mean_quantity(tally.means[name], size, _highest(name)) for name in names}
    # A set that could not be read has no different programs, and where confidences were asked for, one without any has
    # picked nothing right.
    zero_where_missing = {"uniqueness/canonical": "uniqueness", "distinct_correct/canonical": "uniqueness"}
    if tally.top1.confidence:
        zero_where_missing["pass_at_1/most_confident"] = "coverage"
    for name in zero_where_missing.keys() & found.keys():
        means = Means(tally.means[name].sums, tally.means[zero_where_missing[name]].times)
        found[name] = mean_quantity(means, size, _highest(name))
    families = {"top1": tally.top1, "pooled": tally.pooled, "set": tally.sets}
    for family, pairs in families.items():
        if pairs.confidence:
            found |= {f"{family}/{name}": each for name, each in _calibration(pairs, size, bins).items()}
    if tally.clipped_sets.confidence:
        found["set/ece_clipped"] = _ece(tally.clipped_sets, size, bins)
    return found


def mean_quantity(means: Means, size: int, highest: float = np.inf) -> Quantity:
    """Mean over problems of the mean over a problem's attempts."""
    totals, times = means.arrays(size)
    columns = np.column_stack([totals / np.where(times > 0, times, 1), times > 0])
    statistic = Statistic(columns.astype(float), _ratio, highest=highest)
    return Quantity(statistic.point, statistic)


def _highest(name: str) -> float:
    return 1.0 if name.startswith(SHARES) else np.inf


def _calibration(pairs: Pairs, size: int, bins: int) -> dict[str, Quantity]:
    problem, q, c = pairs.arrays()
    ones = np.ones_like(q)
    errors = _per_problem(problem, size, (q - c) ** 2, c, ones)
    binned = _ece(pairs, size, bins)
    variance = np.clip(q, 0, 1) * (1 - np.clip(q, 0, 1))
    floor = np.column_stack(
        [_grid(problem, bin_index(q, bins), variance, size, bins), _per_problem(problem, size, ones)]
    )
    return {
        "brier": Quantity(brier(q, c), Statistic(errors[:, [0, 2]], _ratio)),
        "brier_base_rate": Quantity(base_rate_brier(c), Statistic(errors[:, [1, 2]], _base_rate)),
        "brier_skill": Quantity(brier_skill(q, c), Statistic(errors, _skill)),
        "ece": binned,
        "ece_floor": Quantity(ece_floor(q, bins), Statistic(floor, _gaussian_floor, lowest=0.0)),
        # An estimate of the same truth, so its interval is the same.
        "ece_debiased": Quantity(debiased_ece(q, c, bins), binned.statistic),
        "smooth_ece": Quantity(
            smooth_ece(q, c), Statistic(_moments(problem, q, c, size), _smooth, _unlifted_smooth, 0.0, 1.0)
        ),
        "auroc": Quantity(auroc(q, c), Statistic(_levels(problem, q, c, size), _auroc, lowest=0.0, highest=1.0)),
        "confidence": Quantity(float(q.mean()), Statistic(_per_problem(problem, size, q, ones), _ratio)),
        "accuracy": Quantity(float(c.mean()), Statistic(errors[:, [1, 2]], _ratio)),
    }


def _ece(pairs: Pairs, size: int, bins: int) -> Quantity:
    problem, q, c = pairs.arrays()
    columns = _bin_columns(problem, q, c, size, bins)
    return Quantity(ece(q, c, bins), Statistic(columns, _binned_ece, _unlifted_ece, 0.0))


def _per_problem(problem: NDArray[np.int64], size: int, *weights: Floats) -> Floats:
    return np.column_stack([sums(problem, w, size) for w in weights])


def _grid(problem: NDArray[np.int64], column: NDArray[np.intp], weights: Floats, size: int, width: int) -> Floats:
    """(problems, width) sums of `weights`, each pair falling into its problem's row and its own column."""
    return sums(problem * width + column, weights, size * width).reshape(size, width)


def _bin_columns(problem: NDArray[np.int64], q: Floats, c: Floats, size: int, bins: int) -> Floats:
    index = bin_index(q, bins)
    return np.concatenate([_grid(problem, index, w, size, bins) for w in (np.ones_like(q), q, c)], axis=1)


def _moments(problem: NDArray[np.int64], q: Floats, c: Floats, size: int) -> Floats:
    clipped = np.clip(q, 0.0, 1.0)
    residuals = c - clipped
    waves = cosine_waves(clipped, SMOOTH_MOMENTS)
    return np.column_stack(
        [*(sums(problem, residuals * wave, size) for wave in waves), sums(problem, np.ones_like(q), size)]
    )


def _levels(problem: NDArray[np.int64], q: Floats, c: Floats, size: int) -> Floats:
    levels, index = np.unique(q, return_inverse=True)
    if levels.size > AUROC_LEVELS:
        cuts = np.quantile(q, np.linspace(0, 1, AUROC_LEVELS + 1)[1:-1])
        index = np.searchsorted(cuts, q, side="right")
    width = int(index.max()) + 1
    return np.concatenate([_grid(problem, index, w, size, width) for w in (c, 1 - c)], axis=1)


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
    """Bin by bin, the gap without the bias of its absolute value: at the least without all that noise can lift, where
    the gap is within two standard errors of none; at the most without what is expected were the gap the true one.

    Standard errors are those of sums over problems, so that answers to one problem are not independent evidence.
    """
    n, q, c = np.moveaxis(_thirds(columns), 1, 0)
    error = np.sqrt(len(columns) * (c - q).var(axis=0))
    gap = np.abs((c - q).sum(axis=0))
    least = gap - np.where(gap < 2 * error, folded_normal_mean(np.zeros_like(gap), error), 0.0)
    most = gap - (folded_normal_mean(gap, error) - gap)
    return float(least.sum() / n.sum()), float(most.sum() / n.sum())


def _unlifted_smooth(columns: Floats) -> Ends:
    """As for ECE, without bins: at the least without what noise alone would give, at the most without what it adds."""
    totals = columns.sum(axis=0)
    drawn = np.concatenate([weights @ columns for weights in resample_weights(len(columns), 200, seed=0)])
    noise = drawn - totals
    noise[:, -1] = drawn[:, -1]
    value = float(_smooth(totals[None])[0])
    return value - float(_smooth(noise).mean()), 2 * value - float(_smooth(drawn).mean())


def _gaussian_floor(totals: Floats) -> Floats:
    """sqrt(2 / pi) sum_b sqrt(V_b) / n, the large-sample form of `ece_floor`."""
    n = totals[:, -1]
    return sqrt(2 / pi) * np.sqrt(totals[:, :-1]).sum(axis=1) / np.where(n > 0, n, nan)


def _smooth(totals: Floats) -> Floats:
    n = totals[:, -1:]
    return smooth_ece_from_moments(totals[:, :-1] / np.where(n > 0, n, nan))


def _auroc(totals: Floats) -> Floats:
    width = totals.shape[1] // 2
    return auroc_from_counts(totals[:, :width], totals[:, width:])
