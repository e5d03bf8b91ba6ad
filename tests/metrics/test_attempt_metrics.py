"""Counting right and different answers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.metrics import Metric
from setwise.metrics.attempts import (
    attainable_coverage,
    count_error,
    count_gap,
    coverage,
    distinct_correct,
    most_confident,
    n_correct,
    n_correct_with_repeats,
    pass_at_1,
    pass_at_k,
    recall,
    solved,
    strictly_valid,
    sum_above_one,
    truncated,
    uniqueness,
    uniqueness_fraction,
)
from setwise.records.attempt import Attempt, Construction


def attempt(correct: list[bool], k: int | None = None, **fields: Any) -> Attempt:
    """A set of so many labels, at a problem of its own."""
    return Attempt.from_record({"problem": "1", "correct": correct, "k": k or max(1, len(correct)), **fields})


def value(metric: Metric, of: Attempt) -> float:
    found = metric(of)
    assert found is not None
    return found


@given(st.lists(st.booleans(), max_size=6), st.integers(1, 4))
def test_the_four_ways_to_count_agree_with_each_other(correct, golds):
    made = attempt(correct, n_golds=golds)
    found = value(n_correct, made)
    assert found == sum(correct)
    assert value(coverage, made) * made.k == pytest.approx(found)
    assert value(recall, made) * golds == pytest.approx(found)
    assert value(attainable_coverage, made) == pytest.approx(
        max(value(coverage, made), value(recall, made)) if found else 0
    )
    assert value(pass_at_k, made) == (found > 0)


def test_what_depends_on_the_number_of_golds_is_blank_without_it():
    assert recall(attempt([True])) is None
    assert attainable_coverage(attempt([True])) is None


def test_a_repeated_right_answer_counts_once_except_where_it_is_said_to():
    made = attempt([True, True, False], credited=[True, False, False], n_golds=2, forms=["a", "a", "b"])
    assert [value(each, made) for each in (n_correct, n_correct_with_repeats, distinct_correct)] == [1, 2, 1]
    assert (value(coverage, made), value(recall, made)) == (pytest.approx(1 / 3), 0.5)


def test_a_set_cut_short_is_wrong_where_it_is_missing():
    assert coverage(attempt([True], k=3)) == pytest.approx(1 / 3)
    assert pass_at_1(attempt([], k=3)) == 0
    assert pass_at_1(attempt([True], k=3, construction=Construction.SAMPLED)) == pytest.approx(1 / 3)


def test_pass_at_1_of_samples_is_the_expectation_of_a_random_pick():
    correct = [True, False, False, True]
    picks = [value(pass_at_1, attempt([c])) for c in correct]
    assert pass_at_1(attempt(correct, construction=Construction.SAMPLED)) == sum(picks) / 4


def test_the_most_confident_candidate_decides_and_the_first_of_equals():
    assert most_confident(attempt([False, True, True], confidences=[0.1, 0.8, None])) == 1
    assert most_confident(attempt([False, True], confidences=[0.5, 0.5])) == 0


def test_a_set_without_confidences_has_picked_nothing_right_and_is_no_evidence_that_any_were_asked_for():
    silent = attempt([True], confidences=[None])
    assert most_confident(silent) == 0
    assert not most_confident.evidence(silent)
    assert most_confident.evidence(attempt([True], confidences=[0.0]))


def test_uniqueness_counts_forms():
    made = attempt([False] * 3, k=4, forms=["a", "b", "a"])
    assert (uniqueness(made), uniqueness_fraction(made)) == (2, 0.5)
    assert uniqueness(attempt([])) == 0
    assert uniqueness(attempt([True, False], forms=["a", None])) == 1
    assert uniqueness(attempt([True])) is None, "nothing tells its answers apart"


def test_shares_of_completions():
    made = attempt([True], completions=4, strictly_valid=3, truncated=1)
    assert (strictly_valid(made), truncated(made)) == (0.75, 0.25)
    assert strictly_valid(attempt([True], completions=0)) is None


def test_claiming_more_right_answers_than_given_is_a_positive_gap():
    assert count_gap(attempt([True, False], confidences=[0.9, 0.8])) == pytest.approx(0.7)
    assert count_gap(attempt([True, True], confidences=[0.0, 0.0])) == -2
    assert count_error(attempt([True, True], confidences=[0.0, 0.0])) == 2


@pytest.mark.parametrize(
    "made",
    [
        attempt([True, False]),
        attempt([True, False], confidences=[0.9, None]),
        attempt([True, False], confidences=[0.9, 0.8], construction=Construction.SAMPLED),
    ],
    ids=["none stated", "one missing", "sampled"],
)
def test_only_a_whole_set_claims_something_together(made: Attempt):
    assert [metric(made) for metric in (count_gap, count_error, sum_above_one)] == [None] * 3


def test_a_problem_is_solved_by_half_of_its_attempts():
    right, wrong = attempt([False, True]), attempt([False])
    assert solved([right, wrong])
    assert not solved([right, wrong, wrong])
