"""Presets are data; each field does what it says."""

from collections.abc import Sequence

import pytest

from setwise import InputError, Objective, RewardPreset
from setwise.answers import AnswerSet, Rule
from setwise.objectives import PRESETS
from setwise.rewards import TERMS, JudgedSet, Reward, nothing, reward, term, terms_of


def paid(labels: Sequence[bool], confidences: Sequence[float], distinct: int, objective: Objective) -> Reward:
    return reward(JudgedSet(labels, confidences, distinct, objective))


def test_weights_weigh_their_own_term():
    preset = RewardPreset("mine", weights={"format": 3, "correctness": 5, "calibration": 2})
    r = paid([True, False], [0.5, 0.5], 2, Objective("rlcr-multi", k=2, preset=preset))
    assert r.total == pytest.approx(3 * r.terms["format"] + 5 * r.terms["correctness"] + 2 * r.terms["calibration"])
    assert r.terms == {"format": 1.0, "correctness": 1.0, "calibration": -0.25}


def test_rlvr_has_no_calibration_term():
    r = paid([True], [], 1, Objective("rlvr-single"))
    assert (r.total, r.terms) == (2.0, {"format": 1.0, "correctness": 1.0})


def test_duplicates_cost_a_multi_set_everything_and_a_single_one_nothing():
    sets = Objective("rlvr-multi", k=2)
    assert paid([True, False], [], 1, sets).total == 0.0
    assert paid([True, False], [], 1, sets) == nothing(sets, Rule.DUPLICATES)
    assert paid([True], [], 1, Objective("rlvr-single")).total == 2.0


def test_only_a_weak_format_weight_lets_an_invalid_answer_win():
    paper = PRESETS["paper"]
    assert not paper.valid_may_lose_to_invalid
    assert paper.reweighted({"format": 0.2}).valid_may_lose_to_invalid
    assert not PRESETS["released"].valid_may_lose_to_invalid


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "1", True])
def test_a_weight_is_a_finite_number_from_zero_up(weight: float):
    with pytest.raises(InputError, match="the weight of format must be a number >= 0"):
        RewardPreset("mine", weights={"format": weight})


def test_a_term_without_a_weight_is_not_paid():
    preset = RewardPreset("mine", weights={"correctness": 1.0})
    r = paid([True, False], [0.9, 0.2], 2, Objective("rlcr-multi", k=2, preset=preset))
    assert (r.total, r.terms) == (1.0, {"correctness": 1.0})


def test_a_term_of_ones_own_is_paid_by_its_weight(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TERMS, "added", dict(TERMS.added))

    @term("brevity", definition="1 for no thinking, falling to 0 at 100 characters.")
    def brevity(judged: JudgedSet) -> float:
        return 1 - judged.thinking_characters / 100

    objective = Objective("rlvr-single", preset=PRESETS["paper"].reweighted({"brevity": 0.5}))
    r = reward(JudgedSet([True], [], 1, objective, AnswerSet((), "x" * 40)))
    assert r.terms == {"format": 1.0, "correctness": 1.0, "brevity": pytest.approx(0.6)}
    assert r.total == pytest.approx(2.3)
    assert nothing(objective, Rule.FORMAT).terms["brevity"] == 0.0


def test_a_term_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TERMS, "added", dict(TERMS.added))
    term("lost", definition="Not a number.")(lambda judged: float("nan"))
    objective = Objective("rlvr-single", preset=PRESETS["paper"].reweighted({"lost": 1.0}))
    with pytest.raises(InputError, match="reward term lost: a reward term must be a finite number, got NaN"):
        paid([True], [], 1, objective)


def test_an_unknown_term_is_told_the_nearest_one():
    preset = PRESETS["paper"].reweighted({"calibraton": 1.0})
    with pytest.raises(InputError, match=r'a reward term .* not known, got "calibraton"; did you mean calibration\?'):
        terms_of(Objective("rlcr-multi", preset=preset))
