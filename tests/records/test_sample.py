"""One completion on disk has one shape, whoever keeps it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise import Gold, InputError, Problem, Question
from setwise.records.files import dump_record, parse_record
from setwise.records.sample import Sample, sample_key

counts = st.none() | st.integers(0, 10**6 - 1)
texts = st.text(max_size=20)
asked = st.one_of(
    st.builds(Question, texts, st.text(min_size=1, max_size=5)),
    st.just(Problem("1", "?", ["Gout", Gold("MI", ("heart attack",))])),
    st.just(Problem("2", "Write f.", tests=["assert f() == 1"])),
)


@given(
    st.builds(
        Sample,
        asked=asked,
        text=texts,
        index=counts,
        finish_reason=st.none() | st.sampled_from(["stop", "length"]),
        tokens=counts,
        prompt_tokens=counts,
        own_text=st.none() | texts,
        seed=counts,
    )
)
def test_a_sample_survives_the_round_trip(sample: Sample):
    record = parse_record(dump_record(sample.to_record()), "here")
    assert Sample.from_record(record, "here") == sample
    assert None not in record.values()
    assert sample_key(record, "here") == (sample.id, sample.index)


def test_a_problem_and_a_text_are_enough_and_more_is_passed_over():
    sample = Sample.from_record({"schema": 1, "problem": 7, "text": "hm", "score": {"reward": 1.0}, "model": "m"})
    assert sample == Sample(asked=Question("", "7"), text="hm")
    assert sample.question == Question("", "7")


def test_a_question_alone_cannot_be_judged():
    with pytest.raises(InputError, match='question 7: nothing says which answers are right; put "golds" or "tests"'):
        _ = Sample(asked=Question("Who?", "7"), text="hm").problem


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"text": "x"}, 'a completion needs its "problem", or the id of one, got ["text"]'),
        ({"text": "x", "golds": ["a"]}, 'got ["golds", "text"]; put "question" and "golds" into it'),
        ({"problem": "1"}, 'a completion needs "text", what the model wrote, got null'),
        ({"problem": "1", "completion": "x"}, 'got null; rename "completion" to "text"'),
        ({"problem": "1", "response": "x"}, 'got null; rename "response" to "text"'),
        ({"problem": "1", "text": 3}, 'a completion needs "text", what the model wrote, got 3'),
        ({"problem": "1", "text": "x", "tokens": -1}, '"tokens" must be a whole number >= 0, got -1'),
        ({"problem": "1", "text": "x", "sample": True}, '"sample" must be a whole number >= 0, got true'),
        ({"problem": "1", "text": "x", "sample": 10**6}, '"sample" must be a whole number >= 0, got 1000000'),
        ({"problem": "1", "text": "x", "finish_reason": 1}, '"finish_reason" must be a string, got 1'),
    ],
)
def test_a_line_that_is_no_completion_is_refused_with_the_right_name(record: dict, complaint: str):
    with pytest.raises(InputError) as caught:
        Sample.from_record(record, "here")
    assert str(caught.value).startswith("here: ")
    assert complaint in str(caught.value)
