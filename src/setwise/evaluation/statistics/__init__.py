"""How sure a number is: clustered bootstrap, paired differences, correction for many comparisons."""

from setwise.evaluation.statistics.bootstrap import (
    RESAMPLES,
    Interval,
    Statistic,
    difference_interval,
    interval,
    left_of_difference,
    p_value,
    replicates,
    resample_weights,
)
from setwise.evaluation.statistics.holm import holm

__all__ = [
    "RESAMPLES",
    "Interval",
    "Statistic",
    "difference_interval",
    "holm",
    "interval",
    "left_of_difference",
    "p_value",
    "replicates",
    "resample_weights",
]
