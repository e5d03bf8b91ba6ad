"""Plain records in, metrics out."""

from dataclasses import replace

import pytest

from setwise.errors import InputError
from setwise.evaluation.measure import evaluate
from setwise.records.attempt import Attempt
from tests.evaluation.made_up import as_single, attempts


def values(records):
    return {name: each.value for name, each in evaluate(records, resamples=0).estimates.items()}


def test_a_repeated_right_sample_counts_once_and_is_still_right_each_time():
    record = {
        "problem": "1",
        "correct": [True, True, False],
        "credited": [True, False, False],
        "confidences": [0.9, 0.8, 0.3],
        "answers": ["Flu", "the flu", "Gout"],
        "construction": "sampled",
        "n_golds": 2,
        "completions": 3,
    }
    found = values([record])
    assert found["n_correct"] == 1
    assert found["n_correct_with_repeats"] == 2
    assert found["coverage"] == pytest.approx(1 / 3)
    assert found["recall"] == 0.5
    assert found["attainable_coverage"] == 0.5
    assert found["pass_at_1"] == pytest.approx(2 / 3)
    assert found["uniqueness"] == 2
    assert found["distinct_correct"] == 1
    assert found["top1/brier"] == pytest.approx((0.1**2 + 0.2**2 + 0.3**2) / 3)


def test_a_parse_failure_is_k_wrong_answers_and_never_a_perfect_brier():
    failure = Attempt("2", (), 3, n_golds=1, tokens=500, strictly_valid=0, malformed={"missing_answer": 1})
    good = {"problem": "1", "correct": [True, False, False], "confidences": [0.8, 0.1, 0.1], "answers": list("abc")}
    metrics = evaluate([{**good, "n_golds": 1, "tokens": 100}, failure], resamples=0)
    assert metrics["coverage"].value == pytest.approx(1 / 6)
    assert metrics["uniqueness"].value == 1.5
    assert metrics["tokens"].value == 300
    assert metrics["strictly_valid"].value == 0
    assert metrics["pass_at_1/most_confident"].value == 0.5
    assert metrics["pooled/brier"].value == pytest.approx((0.2**2 + 0.1**2 + 0.1**2) / 3)
    assert metrics.counts["parse/missing_answer"] == 1
    assert metrics.counts["top1/n_excluded"] == 1
    assert metrics.counts["pooled/n_excluded"] == 3
    assert metrics.counts["set/n_excluded"] == 1


def test_missing_confidences_leave_calibration_and_are_counted():
    record = {"problem": "1", "correct": [True, True], "confidences": [None, 0.6]}
    metrics = evaluate([record, {"problem": "2", "correct": [False, False], "confidences": [0.3, 0.4]}], resamples=0)
    assert metrics.counts["top1/n"] == 1
    assert metrics.counts["top1/n_excluded"] == 1
    assert metrics.counts["pooled/n"] == 3
    assert metrics.counts["set/n_excluded"] == 1


def test_the_two_regimes_disagree_about_what_a_set_claims():
    record = {"problem": "1", "correct": [True, False], "confidences": [0.8, 0.8]}
    exclusive = values([{**record, "regime": "exclusive"}])
    inclusive = values([record])
    assert exclusive["set/ece"] == pytest.approx(0.6)
    assert exclusive["set/ece_clipped"] == pytest.approx(0.0)
    assert exclusive["set/sum_above_one"] == 1
    assert inclusive["set/ece"] == pytest.approx(0.04)
    assert exclusive["set/count_gap"] == pytest.approx(0.6)


def test_a_run_without_confidences_has_no_calibration():
    assert not [name for name in values([{"problem": "1", "correct": [True]}]) if name.startswith(("top1", "set"))]


def test_attempts_of_a_problem_weigh_as_one_problem():
    records = [{"problem": "1", "correct": [True]}] * 9 + [{"problem": "2", "correct": [False]}]
    assert values(records)["coverage"] == 0.5


def test_metrics_with_unknown_n_are_blank():
    found = values([{"problem": "1", "correct": [True, False], "forms": ["a", None]}])
    assert "recall" not in found
    assert found["uniqueness"] == 1


def test_what_a_record_does_not_say_of_its_completions_stays_unknown():
    record = {"problem": "1", "correct": [True], "completions": 4}
    assert not {"strictly_valid", "truncated"} & values([record]).keys()
    assert not {"strictly_valid", "truncated"} & values([Attempt("1", (True,), 1)]).keys()
    found = values([{**record, "strictly_valid": 1, "truncated": 2}, {"problem": "2", "correct": [True]}])
    assert (found["strictly_valid"], found["truncated"]) == (0.25, 0.5)
    assert "strictly_valid" not in values([{**record, "strictly_valid": None}])


def test_attempts_of_our_own_runs_that_left_out_what_was_as_it_should_be_still_read_so():
    stored = {"schema": 1, "problem": "1", "correct": [True], "k": 1, "completions": 3}
    assert (Attempt.from_record(stored).strictly_valid, Attempt.from_record(stored).truncated) == (3, 0)
    assert values([{**stored, "schema": 2}])["strictly_valid"] == 1
    assert Attempt.from_record({**stored, "strictly_valid": 1}).strictly_valid == 1


def test_answers_that_nothing_tells_apart_have_no_uniqueness():
    assert "uniqueness" not in values([{"problem": "1", "correct": [True]}, {"problem": "2", "correct": [], "k": 1}])
    assert values([{"problem": "1", "correct": [], "k": 1}])["uniqueness"] == 0


def test_an_attempt_survives_being_written_down():
    samples = as_single(attempts(1, 1)[0])
    half_valid = [replace(samples, completions=3, strictly_valid=valid) for valid in (None, 0, 1, 2, 3)]
    for attempt in [*attempts(3, 2), samples, *half_valid]:
        for schema in ({}, {"schema": 2}):
            assert Attempt.from_record({**schema, **attempt.to_record()}) == attempt


def test_methods_cannot_be_mixed_in_one_evaluation():
    one = attempts(1, 1)[0]
    with pytest.raises(InputError, match="constructed alike"):
        evaluate([one, as_single(one)])


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"correct": [True]}, '"problem" must be a non-empty id'),
        ({"problem": "1"}, '"correct" must be a list of true and false'),
        ({"problem": "1", "correct": ["yes"]}, '"correct" must be a list of true and false'),
        ({"problem": "1", "correct": [True], "confidences": [1.2]}, "a number from 0 to 1, or null, got 1.2"),
        ({"problem": "1", "correct": [True], "confidences": [float("nan")]}, "a number from 0 to 1"),
        ({"problem": "1", "correct": [True], "confidences": [0.1, 0.2]}, "one entry per candidate, 1"),
        ({"problem": "1", "correct": [True], "passed": [1, 2], "tests": 3}, "one entry per candidate, 1"),
        ({"problem": "1", "correct": [True], "passed": [4], "tests": 3}, "numbers of tests, of which there are 3"),
        ({"problem": "1", "correct": [True], "passed": [1]}, "numbers of tests, of which there are 0"),
        ({"problem": "1", "correct": [True], "passed": [True], "tests": 3}, "numbers of tests"),
        ({"problem": "1", "correct": [True], "tests": 3}, "one entry per candidate, 1"),
        ({"problem": "1", "correct": [True, True], "k": 1}, '"k" must be a whole number of at least 2'),
        ({"problem": "1", "correct": [True], "confidence": [0.5]}, "an attempt has the fields"),
        ({"problem": "1", "correct": [True], "regime": "both"}, "regime is one of exclusive, inclusive"),
        ({"problem": "1", "correct": [True], "answers": "Flu"}, '"answers" must be a list of strings'),
        ({"problem": "1", "correct": [True], "strictly_valid": 5}, "at most the number of completions, 1, got 5"),
    ],
)
def test_bad_records_are_refused_with_their_place(record, complaint):
    with pytest.raises(InputError) as caught:
        evaluate([{"problem": "0", "correct": [True]}, record])
    assert str(caught.value).startswith("record 2: ")
    assert complaint in str(caught.value)


def test_nothing_to_evaluate_is_an_error():
    with pytest.raises(InputError, match="no attempts"):
        evaluate([])
