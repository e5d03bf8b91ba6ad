"""A profile as those who ask and serve use it."""

import json
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setwise.calibration import Profile, profile_of
from setwise.calibration.rule import ALPHAS, PromiseRule
from setwise.errors import InputError
from setwise.objectives import Regime
from tests.calibration.made_up import attempts

STATED = st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=1, max_size=5)


def test_a_profile_survives_the_disk(profile: Profile, tmp_path: Path):
    profile.write(tmp_path / "profile.json")
    again = Profile.read(tmp_path / "profile.json")
    assert again == profile
    assert again.reach([0.9, 0.3], "why?") == profile.reach([0.9, 0.3], "why?")
    assert json.loads((tmp_path / "profile.json").read_text(encoding="utf-8"))["best_alpha"] == profile.best_alpha


def test_calibrated_confidences_come_in_the_order_given(profile: Profile):
    low, high = profile.calibrated([0.2, 0.9])
    assert [high, low] == profile.calibrated([0.9, 0.2])
    assert low < high < 0.9


def test_a_surer_set_is_likelier_to_hold_a_right_answer(profile: Profile):
    assert profile.set_confidence([0.9, 0.4, 0.3]) > profile.set_confidence([0.4, 0.3, 0.1])
    assert profile.set_confidence([]) == 0


@given(stated=STATED, alpha=st.sampled_from(ALPHAS), key=st.text(max_size=5))
@settings(max_examples=40)
def test_decisions_are_what_reach_says(profile: Profile, stated: list[float], alpha: float, key: str):
    reach = profile.reach(stated, key)
    assert reach == sorted(reach, reverse=True)
    decision = profile.decide(stated, alpha, key)
    enough = [length for length, least in enumerate(reach, start=1) if least <= alpha]
    assert decision.kept == (min(enough) if enough else 0)
    assert decision.abstained == (not enough)
    assert decision.alpha == alpha
    assert decision.reason


def test_what_cannot_be_promised_is_said_with_the_best_that_can(profile: Profile):
    best = profile.best_alpha
    assert 0.02 < best < 0.5
    assert profile.reachable(best)
    assert not profile.reachable(best - 0.01)
    decision = profile.decide([1.0, 0.1], 0.005)
    assert decision.reason == f"this model cannot promise 99.5 %, at best {100 * (1 - best):.3g} % (alpha = {best:g})"


def test_a_set_that_is_too_unsure_is_passed_on_and_an_empty_one_too(profile: Profile):
    decision = profile.decide([0.0, 0.0, 0.0], profile.best_alpha)
    assert decision.abstained
    assert decision.reason.startswith(
        f"even all 3 answers do not reach {100 * (1 - profile.best_alpha):.3g} %, but about "
    )
    assert profile.decide([], 0.5).reason == "there are no answers"
    assert profile.reach([]) == []


def test_an_answer_beyond_the_ranks_it_knows_is_never_needed(profile: Profile):
    reach = profile.reach([0.9, 0.5, 0.4, 0.3, 0.2])
    assert len(reach) == 5
    assert reach[2] == reach[3] == reach[4]


def test_more_samples_are_asked_for_where_the_run_has_them(profile: Profile):
    assert set(profile.best_by_samples) == {1, 2}
    assert profile.samples_needed(0.9) == 1
    assert profile.samples_needed(0.005) is None


def test_one_completion_of_each_problem_leaves_the_number_of_samples_unknown(profile: Profile):
    single = replace(profile, best_by_samples={})
    with pytest.raises(
        InputError, match=r"one completion of each problem; evaluate with several, such as --samples 10"
    ):
        single.samples_needed(0.1)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, float("nan"), True])
def test_an_alpha_that_is_none_is_refused(profile: Profile, alpha: float):
    with pytest.raises(InputError, match="alpha is a number between 0 and 1"):
        profile.decide([0.5], alpha)


@pytest.mark.parametrize("stated", [[1.2], [-0.1], [float("nan")], [None], ["0.5"], [True]])
def test_a_confidence_that_is_none_is_refused(profile: Profile, stated: list):
    with pytest.raises(InputError, match="a stated confidence is a number from 0 to 1"):
        profile.reach(stated)


@pytest.mark.parametrize("text", ["{}", '{"kind": "recipe"}', '{"kind": "calibration profile", "about": []}'])
def test_another_file_is_no_profile(tmp_path: Path, text: str):
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.json: the file lacks what setwise calibrate writes"):
        Profile.read(path)


def test_calibration_lowers_the_brier_score_of_exaggerated_confidences(profile: Profile):
    before, after = profile.held_out.before["answers"], profile.held_out.after["answers"]
    assert after["brier"].value < before["brier"].value
    assert after["brier"].value < after["brier_base_rate"].value
    assert after["ece"].value < before["ece"].value
    assert after["brier"].span is not None


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (attempts(30), "a profile needs at least 60 labelled problems, got 30; evaluate on more"),
        (
            [each for each in attempts(300) if any(each.correct)][:80],
            "5 problems with a right answer and as many without",
        ),
    ],
)
def test_too_little_to_learn_from_is_refused_in_one_line(given: list, rule: str):
    with pytest.raises(InputError, match=rule) as refused:
        profile_of(given, Regime.EXCLUSIVE, place="runs/x")
    assert str(refused.value).startswith("runs/x: ")
    assert "\n" not in str(refused.value)


def test_more_completions_than_a_run_has_cannot_be_joined():
    with pytest.raises(InputError, match="the run has fewer than 5 completions of a problem"):
        profile_of(attempts(80, 2), Regime.EXCLUSIVE, samples=5)


def test_the_best_alpha_of_a_profile_without_a_promise_is_infinite(profile: Profile):
    none = replace(profile, rule=PromiseRule((inf,) * 99, (inf,) * 99))
    assert none.best_alpha == inf
    assert none.decide([0.9], 0.5).reason == "this model cannot promise 50 %"
    assert Profile.from_record(none.to_record()) == none
