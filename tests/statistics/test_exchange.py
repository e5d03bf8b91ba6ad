"""The exact test for few problems, held against hand values, against scipy and against a loop."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import ArrayLike

from setwise.evaluation.quantities import Quantity, quantities
from setwise.evaluation.tally import Tally
from setwise.records.attempt import Attempt
from setwise.statistics import EXACT_UP_TO, Statistic, exchange_p, p_value, paired_test, replicates
from setwise.statistics.exchange import can_exchange
from tests.evaluation.made_up import attempts
from tests.statistics.test_bootstrap import measured, stated


def _mean(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def mean_of(values: ArrayLike) -> Statistic:
    each = np.asarray(values, dtype=float)
    return Statistic(np.column_stack([each, np.ones(len(each))]), _mean, is_mean=True)


def exact_p(differences: ArrayLike) -> float:
    return exchange_p(mean_of(np.zeros_like(differences)), mean_of(differences))


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1.0], 1.0),
        ([1, 1], 2 / 4),
        ([1, 2, 3], 2 / 8),
        ([1, 1, 0], 4 / 8),  # the problem without a difference may be exchanged or not
        ([3, -1, -1], 8 / 8),  # no way to sign 3, 1 and 1 comes nearer to 0 than 1
        ([4, 1, 1, -1], 8 / 16),  # 5 or more: the three small ones sum to 1 in three ways and to 3 in one, and mirrored
        ([0.1, 0.2, 0.3, 0.4, 0.5], 2 / 32),
        ([0, 0, 0], 1.0),
    ],
)
def test_p_by_hand(differences: list[float], p: float):
    assert exact_p(differences) == p


def test_p_is_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(0)
    for size in (2, 5, 9):
        first, second = rng.integers(0, 4, size) / 3, rng.integers(0, 5, size) / 3
        if first.sum() == second.sum():
            second[0] += 1
        found = stats.permutation_test(
            (second, first), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=np.inf
        )
        assert exchange_p(mean_of(first), mean_of(second)) == pytest.approx(found.pvalue)


def test_p_is_that_of_a_loop_over_every_exchange_of_attempts():
    metrics = ("coverage", "tokens", "pooled/brier", "pooled/ece", "top1/ece", "set/ece")
    runs = [attempts(4, 2, seed=seed, honesty=honesty) for seed, honesty in ((1, 0.9), (2, 0.4))]

    def measured_after(exchanged: Sequence[bool]) -> list[dict[str, Quantity]]:
        swapped = [[runs[own ^ swap] for swap in exchanged] for own in (0, 1)]
        made = [[each for i, run in enumerate(own) for each in run if each.problem == f"p{i}"] for own in swapped]
        return [quantities(Tally().add_all(own)) for own in made]

    exchanges = [measured_after(exchanged) for exchanged in product((False, True), repeat=4)]
    for metric in metrics:
        distances = [abs(second[metric].value - first[metric].value) for first, second in exchanges]
        expected = np.mean([each >= distances[0] - 1e-9 for each in distances])
        found = exchange_p(*(run[metric].statistic for run in exchanges[0]))
        assert 1 / 8 <= found == pytest.approx(expected), metric


def test_without_a_difference_p_is_uniform():
    rng = np.random.default_rng(0)
    found = np.array([exact_p(rng.normal(0, rng.uniform(0.5, 2, 8))) for _ in range(1000)])
    for level in (0.02, 0.05, 0.1, 0.25, 0.5):
        attainable = np.floor(level * 128) / 128
        assert np.mean(found <= level) == pytest.approx(attainable, abs=4 * np.sqrt(attainable / 1000))


def test_no_block_of_exchanges_is_lost_with_as_many_problems_as_are_counted_exactly(monkeypatch):
    differences = np.random.default_rng(0).normal(0.4, 1, 12)
    whole = exact_p(differences)
    monkeypatch.setattr("setwise.statistics.exchange._BLOCK", 100)
    assert exact_p(differences) == whole
    monkeypatch.undo()
    assert exact_p(np.ones(EXACT_UP_TO)) == 2 / 2**EXACT_UP_TO


def test_ranks_over_other_confidences_cannot_be_exchanged():
    def ranking(confidences: Sequence[float]) -> Statistic:
        made = [Attempt(str(i), (i % 2 == 0,), 1, confidences=(q,)) for i, q in enumerate(confidences)]
        return quantities(Tally().add_all(made))["top1/auroc"].statistic

    first, same, other = ranking([0.1, 0.2, 0.3]), ranking([0.3, 0.1, 0.2]), ranking([0.1, 0.2, 0.4])
    assert first.columns.shape == other.columns.shape
    assert can_exchange(first, same)
    assert not can_exchange(first, other)
    drawn = np.full(1000, other.point - first.point)
    assert paired_test(first, other, other.point - first.point, drawn).p >= 0.25


def compared(first: Statistic, second: Statistic):
    drawn = replicates({"a": first, "b": second}, resamples=500, seed=0)
    return paired_test(first, second, second.point - first.point, drawn["b"] - drawn["a"])


def test_three_problems_are_tested_exactly_and_twenty_five_by_the_bootstrap():
    few, many = (compared(mean_of(np.zeros(n)), mean_of(np.ones(n))) for n in (3, 25))
    assert (few.p, few.least_p, few.problems, few.exact) == (0.25, 0.25, 3, True)
    assert (many.p, many.least_p, many.problems, many.exact) == (1 / 501, 1 / 501, 25, False)
    assert many.p == p_value(1.0, np.ones(500))


def test_what_counts_is_how_many_problems_have_a_say():
    values, there = np.zeros(200), np.zeros(200)
    there[:3] = 1
    first = Statistic(np.column_stack([values, there]), _mean, is_mean=True)
    second = replace(first, columns=np.column_stack([there, there]))
    found = compared(first, second)
    assert (found.problems, found.exact, found.p) == (3, True, 0.25)


def test_few_problems_rarely_call_two_calibrated_models_different():
    """One fills all bins and the other one bin: their problems are not exchangeable, though both are calibrated."""
    chance = np.random.default_rng(0)
    trials = 40
    alarms = {"exchange": 0, "ours": 0}
    for _ in range(trials):
        (first, before), (second, after) = measured(stated(chance, 12)), measured(stated(chance, 12, 0.0, True))
        found = paired_test(first.statistic, second.statistic, second.value - first.value, after - before)
        assert found.exact
        alarms["exchange"] += exchange_p(first.statistic, second.statistic) <= 0.05
        alarms["ours"] += found.p <= 0.05
    assert alarms["exchange"] / trials > 0.15
    assert alarms["ours"] / trials <= 0.1
