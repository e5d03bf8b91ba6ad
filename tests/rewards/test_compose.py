"""Presets are data; each field does what it says."""

from dataclasses import replace

import pytest

from setwise import InputError, Objective, RewardPreset
from setwise.objectives import PRESETS
from setwise.rewards import reward


def test_weights_weigh_their_own_term():
    preset = RewardPreset("mine", format_weight=3, correctness_weight=5, calibration_weight=2)
    r = reward([True, False], [0.5, 0.5], 2, Objective("rlcr-multi", k=2, preset=preset))
    assert r.total == pytest.approx(3 * r.format + 5 * r.correctness + 2 * r.calibration)
    assert (r.format, r.correctness, r.calibration) == (1.0, 1.0, -0.25)


def test_rlvr_has_no_calibration_term():
    r = reward([True], [], 1, Objective("rlvr-single"))
    assert (r.total, r.calibration) == (2.0, 0.0)


def test_duplicates_cost_a_multi_set_everything_and_a_single_one_nothing():
    assert reward([True, False], [], 1, Objective("rlvr-multi", k=2)).total == 0.0
    assert reward([True], [], 1, Objective("rlvr-single")).total == 2.0


def test_only_a_weak_format_weight_lets_an_invalid_answer_win():
    paper = PRESETS["paper"]
    assert not paper.valid_may_lose_to_invalid
    assert replace(paper, format_weight=0.2).valid_may_lose_to_invalid
    assert not PRESETS["released"].valid_may_lose_to_invalid


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "1", True])
def test_a_weight_is_a_finite_number_from_zero_up(weight: float):
    with pytest.raises(InputError, match="format_weight must be a number >= 0"):
        RewardPreset("mine", format_weight=weight)
