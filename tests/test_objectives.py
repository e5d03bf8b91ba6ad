"""An objective is checked when it is made."""

from dataclasses import replace

import pytest

from setwise import InputError, Objective, Regime
from setwise.objectives import OBJECTIVES, PRESETS


def test_single_has_one_candidate_and_multi_the_papers_three():
    assert Objective("rlvr-single", regime=Regime.EXCLUSIVE).k == 1
    assert Objective("rlcr-multi").k == 3


@pytest.mark.parametrize("k", [0, -1, 1.5, "3", True, 10**9])
def test_k_is_a_whole_number_from_one_up(k: object):
    with pytest.raises(InputError, match="k must be a whole number from 1 to 1000, got"):
        Objective("rlvr-multi", k=k)  # type: ignore[arg-type]


def test_a_single_objective_refuses_more_than_one_candidate():
    with pytest.raises(InputError, match="rlvr-single has k = 1, got 3; use rlvr-multi for more"):
        Objective("rlvr-single", k=3)


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"name": "rlvr"}, "an objective is one of rlvr-single"),
        ({"name": "rlvr-multi", "regime": "maybe"}, "a regime is one of exclusive, inclusive"),
        ({"name": "rlvr-multi", "preset": "mine"}, "a reward preset is one of paper, released"),
        ({"name": "rlvr-multi", "sum_to_one": "never"}, "sum_to_one is exclusive or always"),
    ],
)
def test_what_an_objective_may_be_is_said(wrong: dict[str, str], rule: str):
    with pytest.raises(InputError, match=rule):
        Objective(**wrong)  # type: ignore[arg-type]


def test_equal_objectives_are_equal_and_hashable():
    assert {Objective("rlcr-multi", k=3), Objective("rlcr-multi")} == {Objective("rlcr-multi")}


@pytest.mark.parametrize("name", OBJECTIVES)
def test_without_confidences_everything_else_stays(name: str):
    given = {"regime": "exclusive", "think_opened": True, "analysis": False, "sum_to_one": "always"}
    objective = Objective(name, preset="released", **given)
    bare = objective.without_confidences()
    assert bare == Objective(name.replace("rlcr", "rlvr"), preset="released", **given)
    assert (bare.multi, bare.k, bare.confidences) == (objective.multi, objective.k, False)
    assert bare.without_confidences() == bare


def test_a_changed_copy_is_made_and_checked_anew():
    objective = Objective("rlcr-single", regime="exclusive")
    opened = replace(objective, think_opened=True)
    assert opened == Objective("rlcr-single", regime="exclusive", think_opened=True)
    assert opened.format == objective.format
    assert replace(objective, analysis=False).format == objective.format._replace(analysis=False)
    assert replace(objective, name="rlcr-multi", k=4).format.k == 4
    with pytest.raises(InputError, match="rlcr-single has k = 1, got 2; use rlcr-multi for more"):
        replace(objective, k=2)


def test_other_weights_make_another_preset():
    paper = PRESETS["paper"]
    gentle = paper.reweighted({"calibration": 0.5})
    assert gentle.weights == {"format": 1.0, "correctness": 1.0, "calibration": 0.5}
    assert (gentle.name, paper.weights["calibration"]) == ("paper-reweighted", 1.0)
    assert Objective("rlcr-multi", preset=gentle) != Objective("rlcr-multi")
