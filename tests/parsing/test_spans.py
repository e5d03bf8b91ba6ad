"""Each part of an answer set says where in the completion it stands."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise import AnswerSet, Objective, parse
from setwise.answers import Span
from tests.completions import completion
from tests.parsing.hostile import mutated

SURE_SETS = Objective("rlcr-multi", k=2)
OBJECTIVES = [
    Objective("rlvr-single"),
    Objective("rlcr-single"),
    Objective("rlcr-single", think_opened=True),
    Objective("rlvr-multi", k=2),
    Objective("rlcr-multi", k=3),
    Objective("rlcr-multi", k=3, preset="released"),
]
objectives = st.sampled_from(OBJECTIVES)


def parts(parsed: AnswerSet) -> list[tuple[str | None, Span | None]]:
    """What was read, each part with its place."""
    spans = parsed.spans
    read: list[tuple[str | None, Span | None]] = [(parsed.thinking, spans.thinking)]
    read.append((parsed.analysis if spans.analysis else None, spans.analysis))
    read += zip(parsed.answers, spans.answers, strict=True)
    if spans.confidences:
        read += zip([each.raw_confidence for each in parsed.candidates], spans.confidences, strict=True)
    return read


def assert_each_part_stands_where_it_says(parsed: AnswerSet, text: str) -> None:
    assert parsed.spans.thinking is not None
    for content, span in parts(parsed):
        assert (content is None) == (span is None)
        if content is not None and span is not None:
            assert 0 <= span[0] <= span[1] <= len(text)
            assert text[slice(*span)].strip() == content.strip()


@given(objectives, st.text(max_size=40), st.lists(st.text(min_size=1, max_size=12), min_size=3, max_size=3))
def test_text_at_a_span_is_the_content(objective: Objective, thinking: str, answers: list[str]):
    text = completion(objective, answers[: objective.k], thinking=thinking)
    for strict in (True, False):
        parsed = parse(text, objective, strict=strict)
        if isinstance(parsed, AnswerSet):
            assert_each_part_stands_where_it_says(parsed, text)


@given(objectives, st.randoms(use_true_random=False))
def test_a_repaired_text_too(objective: Objective, chance: random.Random):
    text = mutated(objective, chance)
    parsed = parse(text, objective, strict=False)
    if isinstance(parsed, AnswerSet):
        assert_each_part_stands_where_it_says(parsed, text)


def test_a_span_lies_between_the_tags():
    text = " <think> hm </think>\n<answer>  Gout </answer><analysis>x</analysis><confidence> 0.7</confidence>"
    parsed = parse(text, Objective("rlcr-single"))
    assert isinstance(parsed, AnswerSet)
    where = parsed.spans
    spans = (where.thinking, where.answers[0], where.analysis, where.confidences[0])
    assert [text[slice(*span)] for span in spans if span] == [" hm ", "  Gout ", "x", " 0.7"]


@pytest.mark.parametrize("before", ["", " \n", "Well. "])
def test_a_lenient_span_leaves_the_opening_of_the_thinking_out(before: str):
    text = f"{before}<think>hm </think>So: <answer1>A</answer1> <Confidence1>70%</Confidence1>"
    parsed = parse(text, SURE_SETS, strict=False)
    assert isinstance(parsed, AnswerSet)
    assert parsed.spans.thinking is not None
    assert text[slice(*parsed.spans.thinking)] == ("hm " if not before.strip() else f"{before}<think>hm ")
    [confidence] = parsed.spans.confidences
    assert confidence is not None
    assert text[slice(*confidence)] == "70%"


def test_what_was_not_written_has_no_place():
    parsed = parse("<answer1>A</answer1>", SURE_SETS, strict=False)
    assert isinstance(parsed, AnswerSet)
    [candidate] = parsed.candidates
    assert (candidate.raw_confidence, parsed.spans.confidences, parsed.spans.analysis) == (None, [None], None)
