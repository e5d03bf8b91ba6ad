"""How certain a number is: clustered bootstrap, paired differences, exact tests for few problems, multiple
comparisons."""

from setwise.statistics.alike import alike_interval, share_of_others
from setwise.statistics.bootstrap import RESAMPLES, interval, replicates, resample_weights
from setwise.statistics.differences import Tested, difference_interval, holm, left_of_difference, p_value, paired_test
from setwise.statistics.exchange import EXACT_UP_TO, exchange_p, least_exact_p
from setwise.statistics.seeds import SeedTest, difference_over_seeds, mean_over_seeds
from setwise.statistics.statistic import Ends, Interval, Statistic

__all__ = [
    "EXACT_UP_TO",
    "RESAMPLES",
    "Ends",
    "Interval",
    "SeedTest",
    "Statistic",
    "Tested",
    "alike_interval",
    "difference_interval",
    "difference_over_seeds",
    "exchange_p",
    "holm",
    "interval",
    "least_exact_p",
    "left_of_difference",
    "mean_over_seeds",
    "p_value",
    "paired_test",
    "replicates",
    "resample_weights",
    "share_of_others",
]
