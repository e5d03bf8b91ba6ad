"""What every part of the package takes a completion to be made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise import AnswerSet, Objective, parse
from setwise.contract import TAG, THINK, Tag, answer_tag, confidence_tag, rejoined, tagged, tags_of, thinking
from setwise.objectives import OBJECTIVES

PLAIN = st.text(alphabet="ab <>\n", max_size=30)


@pytest.mark.parametrize(
    ("objective", "names"),
    [
        (Objective("rlvr-single"), ["answer"]),
        (Objective("rlcr-single"), ["answer", "analysis", "confidence"]),
        (Objective("rlcr-single", analysis=False), ["answer", "confidence"]),
        (Objective("rlvr-multi", k=2), ["answer1", "answer2"]),
        (Objective("rlcr-multi", k=2), ["answer1", "confidence1", "answer2", "confidence2"]),
        (Objective("rlcr-multi", k=1, preset="released"), ["analysis", "answer1", "confidence1"]),
    ],
    ids=lambda value: value.name if isinstance(value, Objective) else None,
)
def test_each_objective_has_its_tags_in_their_order(objective: Objective, names: list[str]):
    assert [tag.name for tag in tags_of(objective.format)] == names


def test_a_tag_spells_itself():
    assert (THINK.opening, THINK.closing) == ("<think>", "</think>")
    assert Tag("confidence", 12).around(" 0.5 ") == "<confidence12> 0.5 </confidence12>"
    for tag in (THINK, Tag("answer"), Tag("answer", 1000), Tag("confidence", 3), Tag("analysis")):
        for spelt, closing in ((tag.opening, ""), (tag.closing, "/")):
            found = TAG.fullmatch(spelt)
            assert found is not None
            assert found.groups() == (closing, tag.name)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_tag_of_a_place_is_one_of_the_objectives(name: str):
    objective = Objective(name)
    tags = tags_of(objective.format)
    assert [tag for tag in tags if tag.kind == "answer"] == [answer_tag(objective, i) for i in range(objective.k)]
    claims = [confidence_tag(objective, i) for i in range(objective.k)] if objective.confidences else []
    assert [tag for tag in tags if tag.kind == "confidence"] == claims


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("opened", [False, True])
def test_what_is_tagged_is_what_is_parsed(name: str, opened: bool):
    objective = Objective(name, think_opened=opened)
    answers, claims = ["Gout", "Croup", "Flu"][: objective.k], ["0.5", "0.25", "0.125"][: objective.k]
    tags = tagged(objective, answers, claims, "unsure")
    parsed = parse(thinking("hm", opened=opened) + "".join(tag.around(text) for tag, text in tags), objective)
    assert isinstance(parsed, AnswerSet)
    assert (parsed.thinking, parsed.answers) == ("hm", answers)
    assert parsed.analysis == ("unsure" if objective.has_analysis else "")
    assert parsed.confidences == ([float(claim) for claim in claims] if objective.confidences else [None] * objective.k)


@given(PLAIN, PLAIN, st.booleans())
def test_thinking_that_was_split_off_comes_back_as_it_was_written(thought: str, content: str, opened: bool):
    whole = rejoined(thought, content, opened=opened)
    if not thought:
        assert whole == content
    else:
        assert whole == thinking(thought, opened=opened) + "\n" + content
        assert rejoined(thought, whole, opened=opened) == whole, "it is never put back twice"


def test_nothing_split_off_leaves_the_reply_as_it_is():
    assert rejoined(None, "<think>hm</think>a") == rejoined("hm", "<think>hm</think>a") == "<think>hm</think>a"
