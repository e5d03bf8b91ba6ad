"""An objective is checked when it is made."""

import pytest

from setwise import InputError, Objective, Regime


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
