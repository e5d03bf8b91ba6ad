"""What a set is worth as it grows."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.objectives import PRESETS, Objective
from setwise.rewards import JudgedSet, reward
from setwise.rewards.set_value import gains, prefix_values

LABELS = st.lists(st.booleans(), min_size=1, max_size=6)


@given(LABELS)
def test_the_sum_and_any_are_those_of_the_paper_and_of_its_code(labels):
    assert prefix_values(labels)[-1] == sum(labels)
    assert prefix_values(labels, "any")[-1] == any(labels)
    paper, released = Objective("rlvr-multi", len(labels)), Objective("rlvr-multi", len(labels), preset="released")
    for objective in (paper, released):
        judged = JudgedSet(labels, (), len(labels), objective)
        assert reward(judged).terms["correctness"] == prefix_values(labels, objective.preset.set_value)[-1]


@pytest.mark.parametrize("value", ["sum", "any", "vpo"])
@given(labels=LABELS, tests=st.integers(1, 5), data=st.data())
def test_no_answer_makes_a_set_worse_and_gains_add_up(value, labels, tests, data):
    passed = data.draw(st.lists(st.integers(0, 2**tests - 1), min_size=len(labels), max_size=len(labels)))
    for n_golds, own in ((len(labels), []), (tests, passed)):
        values = prefix_values(labels, value, n_golds=n_golds, passed=own)
        assert all(after >= before for before, after in pairwise([0.0, *values]))
        assert sum(gains(values)) == pytest.approx(values[-1])


def test_vpo_is_the_expected_best_answer_of_a_set():
    """Against a direct draw of the weights."""
    chance = random.Random(7)
    passed, tests = [0b0011, 0b0110, 0b1000], 4
    drawn = []
    for _ in range(40_000):
        sizes = [chance.expovariate(1) for _ in range(tests)]
        worth = [sum(size for test, size in enumerate(sizes) if answer >> test & 1) for answer in passed]
        drawn.append(max(worth) / sum(sizes))
    values = prefix_values([False] * 3, "vpo", n_golds=tests, passed=passed)
    assert values[0] == 0.5
    assert values[-1] == pytest.approx(sum(drawn) / len(drawn), abs=0.01)


def test_vpo_over_golds_is_vpo_over_tests_that_one_answer_each_passes():
    golds = prefix_values([True, True, False, True], "vpo", n_golds=5)
    tests = prefix_values([True, True, False, True], "vpo", n_golds=5, passed=[1, 2, 0, 4])
    assert golds == pytest.approx([0.2, 0.3, 0.3, (1 + 1 / 2 + 1 / 3) / 5])
    assert tests == pytest.approx(golds, abs=0.01)


def test_a_program_that_another_surpasses_adds_nothing():
    assert gains(prefix_values([True, False], "vpo", n_golds=3, passed=[0b111, 0b010])) == [1.0, 0.0]


def test_presets_name_what_they_pay():
    assert {name: preset.set_value for name, preset in PRESETS.items()} == {"paper": "sum", "released": "any"}
