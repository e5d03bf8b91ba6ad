"""What a warm start teaches: the format to the letter, and of the task no more than it is told to."""

from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.answers import AnswerSet
from setwise.errors import InputError
from setwise.objectives import OBJECTIVES, Objective, Regime, SumToOne, sums_above_one
from setwise.parsing import parse
from setwise.questions import Problem
from setwise.training.warm_start.transcripts import Writer, answer_pool
from tests.training.tiny_clinic import make_task

NAMES = ["Gout", "Flu", "Angina", "Croup", "Ebola"]


@given(
    name=st.sampled_from(OBJECTIVES),
    regime=st.sampled_from(Regime),
    imitation=st.sampled_from([0.0, 0.5, 1.0]),
    opened=st.booleans(),
    sum_to_one=st.sampled_from(get_args(SumToOne)),
    seed=st.integers(0, 999),
)
def test_a_transcript_is_strictly_valid_and_within_the_rules(
    name: str, regime: Regime, imitation: float, opened: bool, sum_to_one: SumToOne, seed: int
):
    objective = Objective(name, regime=regime, think_opened=opened, sum_to_one=sum_to_one)
    text = Writer(objective, NAMES, "hm", imitation).write(Problem("1", "?", ["Gout"]), Random(seed))
    parsed = parse(text, objective)
    assert isinstance(parsed, AnswerSet), text
    assert len(set(parsed.answers)) == objective.k
    confidences = [q for q in parsed.confidences if q is not None]
    assert confidences == sorted(confidences, reverse=True)
    if objective.punishes_sums_above_one or objective.asks_for_sums_up_to_one:
        assert not sums_above_one(confidences)
    if imitation == 1:
        assert parsed.answers[0] == "Gout"


def test_a_format_only_transcript_knows_nothing():
    writer = Writer(Objective("rlvr-single"), NAMES, "hm", imitation=0.0)
    random = Random(0)
    right = sum("Gout" in writer.write(Problem("1", "?", ["Gout"]), random) for _ in range(2000))
    assert 0.15 < right / 2000 < 0.25


def test_a_warm_start_needs_enough_different_answers():
    task = make_task()
    assert answer_pool(task, [], 4) == list(task.answer_names)
    unnamed = replace(task, answer_names=())
    assert answer_pool(unnamed, [Problem("1", "?", ["a", "b"])], 2) == ["a", "b"]
    with pytest.raises(InputError, match="at least 3 different answers"):
        answer_pool(unnamed, [Problem("1", "?", ["a", "b"])], 3)
