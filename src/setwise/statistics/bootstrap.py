"""Bootstrap clustered by problem, as matrix products.

A resample of problems is a row of multiplicities. Every metric here is a function of sums over problems, so the sums of
a block of resamples are one product: (resamples x problems) @ (problems x columns). Nothing loops over resamples, and
memory holds one block at a time.
"""

from collections.abc import Iterator, Mapping
from math import isfinite

import numpy as np

from setwise.statistics.alike import alike_interval
from setwise.statistics.statistic import Ends, Floats, Interval, Statistic

RESAMPLES = 10_000
_BLOCK_CELLS = 2_500_000


def resample_weights(problems: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Blocks of rows; each row counts how often each problem was drawn in one resample.

    The rows depend only on the seed and the two numbers, so two runs on the same problems get the same resamples. This
    is what pairs them.
    """
    rng = np.random.default_rng(seed)
    block = max(1, min(resamples, _BLOCK_CELLS // max(problems, 1)))
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = rng.integers(0, problems, size=(rows, problems))
        drawn += np.arange(rows)[:, None] * problems
        yield np.bincount(drawn.ravel(), minlength=rows * problems).reshape(rows, problems).astype(float)


def replicates(statistics: Mapping[str, Statistic], *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Floats]:
    """The value of every statistic on every resample. All statistics must be over the same problems."""
    if not statistics:
        return {}
    matrix = np.concatenate([each.columns for each in statistics.values()], axis=1)
    values: dict[str, list[Floats]] = {name: [] for name in statistics}
    for weights in resample_weights(len(matrix), resamples, seed):
        sums = weights @ matrix
        start = 0
        for name, each in statistics.items():
            stop = start + each.columns.shape[1]
            with np.errstate(invalid="ignore", divide="ignore"):
                values[name].append(each.value(sums[:, start:stop]))
            start = stop
    return {name: np.concatenate(parts) for name, parts in values.items()}


def interval(statistic: Statistic, point: float, drawn: Floats, *, level: float = 0.95) -> Interval | None:
    """A bootstrap interval for `point`; None if the data cannot give one (a single problem, or no value).

    Uses percentiles. If the statistic is a fast approximation, they are shifted by the difference between `point` and
    the statistic's own value. If noise raises the statistic, resampling raises it again; then the spread of the
    percentiles about their mean is placed around what is left without noise, and always includes `point`. A bounded
    mean with the same value in every problem gets the exact interval of `alike`, since its resamples have no spread.
    """
    if len(statistic.columns) < 2:
        return None
    ends = statistic.unlifted and statistic.unlifted(statistic.columns)
    found = around(point, drawn, ends, point - statistic.point, level)
    if found is None:
        return None
    if exact := alike_interval(statistic, level):
        return exact
    if drawn.size > 1 and np.ptp(drawn[np.isfinite(drawn)]) <= 1e-9 * max(1.0, abs(point)):
        return Interval(point, point)
    return Interval(*(float(np.clip(end, statistic.lowest, statistic.highest)) for end in (found.low, found.high)))


def around(point: float, drawn: Floats, ends: Ends | None, moved: float, level: float) -> Interval | None:
    """Percentiles, shifted by `moved`. If noise raises the statistic, their spread around the `ends` instead."""
    usable = drawn[np.isfinite(drawn)]
    if not isfinite(point) or not usable.size or usable.size < 0.95 * drawn.size:
        return None
    low, high = (float(end) for end in np.quantile(usable, [(1 - level) / 2, (1 + level) / 2]))
    if ends is None:
        return Interval(low + moved, high + moved)
    middle = float(usable.mean())
    return Interval(min(point, ends[0] + low - middle), max(point, ends[1] + high - middle))
