"""The promise: kept prefixes hold a right answer as often as they must, and no more often than that."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setwise.calibration.decider import decider_of, outcome
from setwise.calibration.rule import ALPHAS, FULL, PromiseRule, drawn_from, heights, learnt_rule
from setwise.calibration.scale import ChanceScale, learnt_scale
from setwise.calibration.table import SetTable
from setwise.objectives import Regime
from tests.calibration.made_up import table

EXCLUSIVE = Regime.EXCLUSIVE


def heights_of(scale: ChanceScale, sets: SetTable) -> np.ndarray:
    return heights(scale.prefix_chances(sets.stated, sets.there), sets.keys)


@pytest.fixture(scope="module")
def scale() -> ChanceScale:
    return learnt_scale(table(300, seed=1), EXCLUSIVE, 0)


@pytest.mark.parametrize("per_problem", [1, 4])
def test_coverage_is_what_was_promised(scale: ChanceScale, per_problem: int):
    """Over many draws of the problems: the promise, and not much more, ties or not."""
    first, new = table(300, seed=1), table(1500, seed=2)
    high = heights_of(scale, new)
    right: dict[float, list[float]] = {0.2: [], 0.3: []}
    for seed in range(30):
        rule = learnt_rule(scale, first, table(80, per_problem, seed=100 + seed))
        for alpha, found in right.items():
            found.append(outcome(rule, alpha, high, new)[2])
    for alpha, found in right.items():
        error = np.std(found) / np.sqrt(len(found))
        sampled = np.sqrt(alpha * (1 - alpha) / 1500)
        assert abs(np.mean(found) - (1 - alpha)) < 3 * (error + sampled) + 1 / 81


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.1, 0.2])
def test_coverage_holds_with_all_that_is_learnt(alpha: float):
    """Maps, levels and thresholds anew from each draw of 160 problems."""
    new, found = table(4000, seed=3), []
    for seed in range(100):
        decider = decider_of(table(160, seed=1000 + seed), EXCLUSIVE, seed)
        if decider.rule.is_reachable(alpha):
            found.append(outcome(decider.rule, alpha, heights_of(decider.scale, new), new)[2])
    assert len(found) > 40
    assert 1 - alpha - 0.02 < np.mean(found) < 1 - alpha + 0.03


def test_stricter_promises_keep_more_and_pass_on_more(scale: ChanceScale):
    rule, new = learnt_rule(scale, table(300, seed=1), table(300, seed=5)), table(200, seed=6)
    high = heights_of(scale, new)
    reached = [alpha for alpha in ALPHAS if rule.is_reachable(alpha)]
    assert reached == list(ALPHAS[ALPHAS.index(reached[0]) :])
    answered = [outcome(rule, alpha, high, new)[0] for alpha in reached]
    assert answered == sorted(answered)
    for row in high[:50]:
        reach = rule.reach(row.tolist(), 3)
        assert reach == sorted(reach, reverse=True)


def test_confidences_that_know_nothing_cannot_promise_more_than_the_model_gets_right():
    blind = table(400, seed=7, knows=0.0)
    rate = float((blind.weight @ blind.held[:, -1]) / blind.weight.sum())
    decider = decider_of(blind, EXCLUSIVE, 0)
    best = next(alpha for alpha in ALPHAS if decider.rule.is_reachable(alpha))
    assert best > 1 - rate - 0.06
    assert not decider.rule.is_reachable(0.05)


def test_level_sets_are_told_apart_by_their_text():
    chances = np.full((200, 1), 0.5)
    high = heights(chances, [f"question {n}" for n in range(200)])[:, 0]
    assert len(set(high)) == 200
    assert np.ptp(high) < 1
    assert heights(chances[:1], ["question 7"])[0, 0] == high[7]
    assert 0.4 < np.mean([drawn_from(f"question {n}") for n in range(500)]) < 0.6


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 8))
@settings(max_examples=40)
def test_reach_never_rises_and_says_what_is_enough_at_every_alpha(seed: int, ranks: int, size: int):
    rng = np.random.default_rng(seed)
    answering, keeping = (np.sort(rng.integers(0, 20, len(ALPHAS)))[::-1].astype(float) for _ in range(2))
    high = np.sort(rng.integers(0, 20, ranks)).astype(float).tolist()
    reach = PromiseRule(tuple(answering), tuple(keeping)).reach(high, size)
    assert len(reach) == size
    assert all(before >= after for before, after in pairwise(reach))
    for length, least in enumerate(reach, start=1):
        full = length >= min(size, ranks)
        enough = (high[-1] > answering) & (full | (high[min(length, ranks) - 1] > keeping))
        assert enough.tolist() == [alpha >= least for alpha in ALPHAS]


def test_a_rule_survives_the_disk():
    rule = PromiseRule((inf, inf, 3.5, *[0.0] * 96), (inf, inf, FULL, *[-1.0] * 96))
    assert PromiseRule.from_record(rule.to_record()) == rule
    assert not rule.is_reachable(0.02)
    assert rule.is_reachable(0.03)
    assert not rule.is_reachable(0.001)


def test_too_few_answered_problems_promise_nothing():
    scale, few = learnt_scale(table(100, seed=8), EXCLUSIVE, 0), table(10, seed=9)
    rule = learnt_rule(scale, table(100, seed=8), few)
    assert not any(map(rule.is_reachable, ALPHAS))
