"""Intervals over seeds and problems hold the truth as often as they say."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from setwise.errors import InputError
from setwise.statistics import difference_over_seeds, mean_over_seeds
from setwise.statistics.student import quantile, upper_tail


@pytest.mark.parametrize("freedom", [1.0, 1.3, 2.0, 3.7, 10.0, 150.0, 999.0])
def test_students_t_is_that_of_scipy(freedom: float):
    for t in (0.0, 0.3, 1.0, 2.5, 8.0):
        assert upper_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-4, abs=1e-12)
        assert upper_tail(-t, freedom) == pytest.approx(stats.t.cdf(t, freedom), rel=1e-4)
    for probability in (0.025, 0.5, 0.9, 0.975, 0.995):
        assert quantile(probability, freedom) == pytest.approx(stats.t.ppf(probability, freedom), rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(("seeds", "between"), [(2, 0.03), (3, 0.03), (5, 0.0), (3, 0.1)])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(seeds: int, between: float):
    assert share_held(seeds, (between, between), of_problems=0.3) >= 0.94


@pytest.mark.parametrize(("seeds", "least", "most"), [(2, 0.86, 0.92), (3, 0.91, 0.945)])
def test_it_is_too_narrow_if_the_trainings_of_one_method_alone_vary(seeds: int, least: float, most: float):
    """As docs/concepts/intervals.md says."""
    assert least <= share_held(seeds, (0.05, 0.002), of_problems=0.01) <= most


def share_held(seeds: int, between: tuple[float, float], of_problems: float) -> float:
    """How often the truth is held: problems differ, trainings of either method differ, and so does a training's luck
    with single problems."""
    rng = np.random.default_rng(0)
    problems, truth, held, times = 100, 0.05, 0, 400
    for _ in range(times):
        effect = truth + 0.2 * rng.standard_normal(problems)
        groups = []
        for moved, spread in zip((0.0, effect), between, strict=True):
            luck = spread * rng.standard_normal((seeds, 1)) + of_problems * rng.standard_normal((seeds, problems))
            groups.append(0.5 + moved + luck)
        means = [group.mean(axis=0) for group in groups]
        over_problems = float(np.var(means[1] - means[0], ddof=1) / problems)
        found = difference_over_seeds(
            groups[0].mean(axis=1).tolist(), groups[1].mean(axis=1).tolist(), over_problems, problems
        )
        held += found.interval.low <= truth <= found.interval.high
    return held / times


def test_one_training_says_nothing_about_another():
    with pytest.raises(InputError, match="takes two trainings or more"):
        difference_over_seeds([0.5], [0.6, 0.7], 0.01, 100)


def test_the_mean_of_differences_is_a_plain_t_interval():
    values = [-0.027, 0.001, -0.014, 0.035, -0.011]
    expected: Any = stats.ttest_1samp(values, 0.0)
    found = mean_over_seeds(values)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-3)
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(expected.confidence_interval()), rel=1e-3)


def test_more_problems_do_not_help_when_seeds_differ():
    few = difference_over_seeds([0.5, 0.6], [0.6, 0.7], 1e-3, 100)
    many = difference_over_seeds([0.5, 0.6], [0.6, 0.7], 1e-9, 10**6)
    assert many.interval.high - many.interval.low > 0.3
    assert few.p > 0.1
