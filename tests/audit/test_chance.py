"""Chances are those of the binomial distribution, whichever side is the short one."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.audit.chance import is_habit, standard_error, stands_out, tail


@given(st.integers(1, 60), st.integers(0, 60), st.floats(0.01, 0.99))
def test_a_tail_is_the_sum_of_its_chances(n: int, count: int, p: float):
    exact = sum(comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(count, n + 1))
    assert tail(count, n, p) == pytest.approx(exact, abs=1e-9)


def test_far_below_the_mean_a_tail_is_one_and_takes_no_time():
    assert tail(40, 10_000_000, 0.0001) == pytest.approx(1.0)


def test_a_few_slips_in_a_long_run_are_no_habit():
    assert is_habit(8, 300)
    assert not is_habit(8, 5_000)
    assert not is_habit(2, 10)


def test_what_stands_out_needs_more_where_the_next_is_frequent():
    assert stands_out(30, 2)
    assert not stands_out(30, 20)


def test_repeats_of_one_problem_add_no_certainty():
    values = np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    once = standard_error(values, range(5))
    often = standard_error(np.repeat(values, 10), np.repeat(range(5), 10))
    assert often == pytest.approx(once)
