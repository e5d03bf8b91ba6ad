"""How sure a number is: clustered bootstrap, paired differences, correction for many comparisons."""

from setwise.statistics.bootstrap import RESAMPLES, Ends, Interval, Statistic, interval, replicates, resample_weights
from setwise.statistics.differences import difference_interval, holm, left_of_difference, p_value

__all__ = [
    "RESAMPLES",
    "Ends",
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
