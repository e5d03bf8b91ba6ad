"""Every named reason, and the edges between them."""

import pytest

from setwise import AnswerSet, Candidate, Malformed, Objective, parse
from setwise.answers import Reason
from tests.completions import completion

SINGLE = Objective("rlvr-single")
SURE = Objective("rlcr-single")
SETS = Objective("rlvr-multi", k=2)
SURE_SETS = Objective("rlcr-multi", k=2)
THOUGHT = "<think>hm</think>"
TWO = "<answer1>A</answer1><answer2>B</answer2>"


@pytest.mark.parametrize(
    ("text", "objective", "reason"),
    [
        ("", SINGLE, "missing_think"),
        ("<answer>A</answer>", SINGLE, "missing_think"),
        ("hm</think><answer>A</answer>", SINGLE, "missing_think"),
        ("<think>hm", SINGLE, "truncated"),
        ("<think>hm <answer>A</answer>", SINGLE, "truncated"),
        ("Sure! <think>hm</think><answer>A</answer>", SINGLE, "extra_text"),
        (THOUGHT, SINGLE, "missing_answer"),
        (THOUGHT + "A", SINGLE, "missing_answer"),
        (THOUGHT + "It is <answer>A</answer>", SINGLE, "extra_text"),
        (THOUGHT + "<answer>A</answer> I hope", SINGLE, "extra_text"),
        (THOUGHT + "<answer>A</answer><answer>B</answer>", SINGLE, "repeated_tag"),
        (THOUGHT + "<answer> </answer>", SINGLE, "empty_answer"),
        (THOUGHT + "<answer>A", SINGLE, "truncated"),
        (THOUGHT + "<answ", SINGLE, "truncated"),
        (THOUGHT + "<answer>A<answer>B</answer>", SINGLE, "nested_tag"),
        (THOUGHT + "<answer1>A</answer1>", SETS, "missing_answer"),
        (THOUGHT + "<answer1>A</answer1><ans", SETS, "truncated"),
        (THOUGHT + "<answer2>B</answer2><answer1>A</answer1>", SETS, "out_of_order"),
        (THOUGHT + "<answer2>B</answer2>", SETS, "missing_answer"),
        (THOUGHT + "<answer1>A</answer1><answer1>A</answer1><answer2>B</answer2>", SETS, "repeated_tag"),
        (THOUGHT + "<answer1>A<answer2>B</answer2></answer1>", SETS, "nested_tag"),
        (THOUGHT + TWO + "<answer3>C</answer3>", SETS, "extra_text"),
        (THOUGHT + "<answer0>Z</answer0>" + TWO, SETS, "extra_text"),
        (THOUGHT + "<answer01>A</answer01><answer2>B</answer2>", SETS, "missing_answer"),
        (THOUGHT + "<answer999999999>Z</answer999999999>" + TWO, SETS, "extra_text"),
        (THOUGHT + TWO, SURE_SETS, "missing_confidence"),
        (THOUGHT + "<answer>A</answer><confidence>1</confidence>", SURE, "missing_analysis"),
        (THOUGHT + "<answer>A</answer><analysis>x</analysis>", SURE, "missing_confidence"),
        (THOUGHT + "</answer1>" + TWO, SETS, "out_of_order"),
    ],
)
def test_each_fault_has_its_name(text: str, objective: Objective, reason: str):
    parsed = parse(text, objective)
    assert isinstance(parsed, Malformed)
    assert parsed.reason == reason


@pytest.mark.parametrize("objective", [SINGLE, SURE, SETS, SURE_SETS, Objective("rlcr-single", analysis=False)])
def test_the_contract_of_each_objective_parses(objective: Objective):
    answers = ["Gout", "Croup"][: objective.k]
    parsed = parse(completion(objective, answers), objective)
    assert isinstance(parsed, AnswerSet)
    assert (parsed.answers, parsed.repairs) == (answers, ())
    assert parsed.analysis == ("could be wrong" if objective.has_analysis else "")


def test_tags_inside_the_thinking_are_not_answers():
    text = "<think>maybe <answer1>X</answer1> </think> no <think> <answer2>Y</answer2></think>" + TWO
    parsed = parse(text, SETS)
    assert isinstance(parsed, AnswerSet)
    assert parsed.answers == ["A", "B"]
    assert "<answer1>X</answer1>" in parsed.thinking


def test_a_template_that_opens_the_thinking_needs_no_opening_tag():
    opened = Objective("rlvr-single", think_opened=True)
    theirs, ours = parse("hm</think><answer>A</answer>", opened), parse(THOUGHT + "<answer>A</answer>", SINGLE)
    assert theirs == ours == AnswerSet((Candidate("A"),), "hm")
    assert isinstance(parse(THOUGHT + "<answer>A</answer>", opened), AnswerSet)
    assert parse("still thinking", opened) == Malformed(Reason.TRUNCATED, "</think>")


def test_angle_brackets_that_are_no_tags_belong_to_the_answer():
    parsed = parse(THOUGHT + "<answer1>a < b</answer1><answer2>List<int> <answer7></answer2>", SETS)
    assert isinstance(parsed, AnswerSet)
    assert parsed.answers == ["a < b", "List<int> <answer7>"]


@pytest.mark.parametrize("written", ["0", "1", "1.", "0.5", ".5", "00.50", "1.000", " 0.5\n"])
def test_confidences_are_plain_decimals_up_to_one(written: str):
    parsed = parse(completion(SURE_SETS, "AB", [written, "0"]), SURE_SETS)
    assert isinstance(parsed, AnswerSet)
    assert parsed.confidences[0] == float(written)


@pytest.mark.parametrize(
    "written", ["", ".", "1.01", "-0.1", "+0.1", "1e-1", "70%", "nan", "inf", "0,5", "½", "٠.٥", "0.5 0.5", "0_1"]
)
def test_anything_else_is_a_bad_confidence(written: str):
    parsed = parse(completion(SURE_SETS, "AB", [written, "0"]), SURE_SETS)
    assert isinstance(parsed, Malformed)
    assert parsed.reason == "bad_confidence"


def test_a_reply_cut_off_by_length_is_truncated_unless_it_is_complete():
    assert parse(THOUGHT + "It is", SINGLE, finish_reason="length") == Malformed(Reason.TRUNCATED, "<answer>")
    assert isinstance(parse(THOUGHT + "<answer>A</answer>", SINGLE, finish_reason="length"), AnswerSet)
    assert parse(THOUGHT + "It is", SINGLE, finish_reason="stop") == Malformed(Reason.MISSING_ANSWER, "<answer>")
