"""Intervals where every problem gave the same value."""

import numpy as np
import pytest

from setwise.evaluation.measure import evaluate
from setwise.statistics import Interval, Statistic, alike_interval, interval, replicates
from setwise.statistics.alike import alike_differences_interval


def _mean(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def mean_of(values: list[float], lowest: float = 0.0, highest: float = 1.0) -> Statistic:
    columns = np.column_stack([values, np.ones(len(values))])
    return Statistic(columns, _mean, lowest=lowest, highest=highest, is_mean=True)


def ends(found: Interval | None) -> tuple[float, float]:
    assert found is not None
    return found.low, found.high


@pytest.mark.parametrize("problems", [1, 3, 20, 500])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_rate_of_none_or_all_has_the_interval_of_clopper_and_pearson(value: float, problems: int):
    stats = pytest.importorskip("scipy.stats")
    exact = stats.binomtest(int(value) * problems, problems).proportion_ci(method="exact")
    assert ends(alike_interval(mean_of([value] * problems))) == pytest.approx((exact.low, exact.high))


def test_three_of_three_by_hand():
    assert ends(alike_interval(mean_of([1.0] * 3))) == pytest.approx((0.025 ** (1 / 3), 1.0))
    assert ends(alike_interval(mean_of([0.25] * 3))) == pytest.approx((0.25 * 0.2924, 1 - 0.75 * 0.2924), abs=1e-4)


def test_means_that_nothing_bounds_or_that_differ_have_none():
    assert alike_interval(mean_of([3.0] * 3, highest=np.inf)) is None
    assert alike_interval(mean_of([1.0, 1.0, 0.0])) is None
    assert alike_interval(Statistic(np.ones((3, 2)), _mean, lowest=0, highest=1)) is None


def test_a_difference_that_every_problem_shows_excludes_none_from_six_problems_on():
    """Where it is as large as can be: the same number from which the exact test can be below 0.05."""
    for problems in range(1, 12):
        low, high = ends(alike_differences_interval(mean_of([0.0] * problems), mean_of([1.0] * problems)))
        assert (low > 0) == (problems >= 6)
        assert high == 1


def test_the_interval_of_resamples_is_replaced_only_where_all_problems_are_alike():
    for values, alike in (([1.0] * 8, True), ([1.0] * 7 + [0.0], False)):
        statistic = mean_of(values)
        found = interval(statistic, statistic.point, replicates({"x": statistic}, resamples=200)["x"])
        assert (found == alike_interval(statistic)) == alike


def test_no_interval_of_a_run_is_without_width_and_without_a_word():
    records = [
        {"problem": i, "correct": [True, False], "confidences": [0.9, 0.2], "answers": ["a", "b"]} for i in range(3)
    ]
    metrics = evaluate(records, resamples=200)
    assert str(metrics["pass_at_k"]) == "1.000 [0.292, 1.000]"
    assert str(metrics["uniqueness"]) == "2.000 [no spread]"
    assert str(metrics["top1/smooth_ece"]).endswith(" [no spread]")
    for each in metrics.estimates.values():
        assert each.low is not None
        assert each.high is not None
        assert f"{each.low:.3f}" != f"{each.high:.3f}" or str(each).endswith(" [no spread]")
    [doubt] = metrics.doubts
    assert doubt.startswith("No spread: no resample of the problems gives another value")


def test_one_problem_is_said_to_give_no_intervals():
    assert evaluate([{"problem": 1, "correct": [True]}], resamples=50).doubts == ["One problem gives no intervals."]
    differing = [{"problem": i, "correct": [i < 2, False], "answers": ["a", "ab"[i % 2]]} for i in range(4)]
    assert evaluate(differing, resamples=50).doubts == []
