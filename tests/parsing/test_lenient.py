"""What a lenient parse recovers, and what it leaves alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise import AnswerSet, Malformed, Objective, parse
from setwise.answers import Reason
from setwise.parsing.confidences import lenient_confidence
from tests.completions import completion

SETS = Objective("rlvr-multi", k=2)
SURE_SETS = Objective("rlcr-multi", k=2)
SINGLE = Objective("rlvr-single")
THOUGHT = "<think>hm</think>"


def lenient(text: str, objective: Objective) -> AnswerSet | Malformed:
    return parse(text, objective, strict=False)


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("<answer1>A</answer1><answer2>B</answer2>", "missing_think"),
        (THOUGHT + "Here: <answer1>A</answer1> and <answer2>B</answer2>.", "extra_text"),
        (THOUGHT + "<Answer1>A</Answer1><ANSWER2>B</ANSWER2>", "missing_answer"),
        (THOUGHT + "<answer 1>A</answer 1><answer2 >B</answer2>", "missing_answer"),
        (THOUGHT + "<answer1>A</answer><answer2>B</answer>", "truncated"),
        ("<think>hm <answer1>A</answer1><answer2>B</answer2>", "truncated"),
        (THOUGHT + "<answer1>A</answer1><answer2>B</answer2><answer3>C</answer3>", "extra_text"),
    ],
)
def test_an_unambiguous_set_is_recovered_and_the_repair_is_named(text: str, repaired: str):
    parsed = lenient(text, SETS)
    assert isinstance(parsed, AnswerSet)
    assert (parsed.answers, parsed.repairs) == (["A", "B"], (Reason(repaired),))


def test_a_tag_of_another_number_is_part_of_the_answer():
    parsed = lenient("x<answer1>use <answer9> here</answer1><answer2>a</answer9>b</answer2>", SETS)
    assert isinstance(parsed, AnswerSet)
    assert parsed.answers == ["use <answer9> here", "a</answer9>b"]


def test_answers_out_of_order_stay_in_the_order_written():
    parsed = lenient(THOUGHT + "<answer2>B</answer2><answer1>A</answer1>", SETS)
    assert isinstance(parsed, AnswerSet)
    assert parsed.answers == ["B", "A"]


def test_a_cut_off_set_keeps_its_complete_answers():
    parsed = lenient(THOUGHT + "<answer1>A</answer1><answer2>B", SETS)
    assert isinstance(parsed, AnswerSet)
    assert parsed.answers == ["A"]


def test_a_tag_written_twice_is_not_guessed_at():
    parsed = lenient(THOUGHT + "<answer1>A</answer1><answer1>Z</answer1><answer2>B</answer2>", SETS)
    assert isinstance(parsed, AnswerSet)
    assert parsed.answers == ["B"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just words",
        "<think>a draft <answer1>A</answer1><answer2>B</answer2> but wait",
        "<think>only half <answer1>A</answer1>",
        THOUGHT + "<answer1> </answer1>",
        THOUGHT + "<answer>A</answer>",
    ],
)
def test_what_is_ambiguous_stays_malformed(text: str):
    assert isinstance(lenient(text, SETS), Malformed)


def test_a_confidence_belongs_to_the_answer_of_its_number():
    parsed = lenient("<answer2>B</answer2><confidence1>80%</confidence1><answer1>A</answer1>", SURE_SETS)
    assert isinstance(parsed, AnswerSet)
    assert [(c.text, c.confidence, c.raw_confidence, c.repair) for c in parsed.candidates] == [
        ("B", None, None, None),
        ("A", 0.8, "80%", "percent"),
    ]


@pytest.mark.parametrize(
    ("written", "value", "repair"),
    [
        ("0.7", 0.7, None),
        ("70%", 0.7, "percent"),
        ("70 %", 0.7, "percent"),
        ("2", 0.02, "scaled"),
        ("95.", 0.95, "scaled"),
        ("100", 1.0, "scaled"),
        ("about 0.7", 0.7, "extracted"),
        ("7e-1", 0.7, "extracted"),
        ("p=0.25 (low)", 0.25, "extracted"),
        ("1.5", None, "invalid"),
        ("-0.5", None, "invalid"),
        ("\u22120.5", None, "invalid"),
        ("\u20130.5", None, "invalid"),
        ("- 0.5", None, "invalid"),
        ("sure - 0.5", 0.5, "extracted"),
        ("0.5\uff05", 0.005, "percent"),
        ("nan", None, "invalid"),
        ("101", None, "invalid"),
        ("150%", None, "invalid"),
        ("7/10", None, "invalid"),
        ("0.7/1", None, "invalid"),
        ("0.5 to 0.7", None, "invalid"),
        ("0.5-0.7", None, "invalid"),
        ("high", None, "invalid"),
        ("", None, "invalid"),
    ],
)
def test_a_confidence_is_read_only_where_one_reading_exists(written: str, value: float | None, repair: str | None):
    assert lenient_confidence(written) == (pytest.approx(value) if value is not None else None, repair)


@given(st.text(max_size=60))
def test_lenient_changes_nothing_about_a_valid_text(thinking: str):
    text = completion(SETS, ["A", "B"], thinking=thinking.replace("think", ""))
    assert lenient(text, SETS) == parse(text, SETS)
    assert parse(text, SETS).repairs == ()  # type: ignore[union-attr]
