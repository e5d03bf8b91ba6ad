"""Which part of a completion a token writes, and what it is paid."""

import numpy as np
import pytest

from setwise.answers import AnswerSet, Spans
from setwise.credit import TokenText
from setwise.credit.parts import part_ends, part_pays, parts_of, writes_confidence
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.rewards.credit import Pay
from tests.credit.tokenizers import SHAPES

MULTI = (
    "<think>hm</think> <answer1>Gout</answer1><confidence1>0.7</confidence1>\n"
    "<answer2>Flu</answer2><confidence2>.2</confidence2>\n"
)
SINGLE = "<think>hm</think><answer>Gout</answer><analysis>so</analysis><confidence>0.7</confidence>"


def read(text: str, objective: Objective) -> Spans:
    parsed = parse(text, objective)
    assert isinstance(parsed, AnswerSet)
    return parsed.spans


def letters(text: str, objective: Objective) -> str:
    """The number of the part that each character is in."""
    ends = part_ends(read(text, objective), objective)
    return "".join(map(str, parts_of(np.arange(len(text)), ends)))


def test_a_part_has_its_tags_and_the_blanks_before_them():
    parts = letters(MULTI, Objective("rlcr-multi", 2))
    written = ["<think>hm</think>", " <answer1>Gout</answer1>", "<confidence1>0.7</confidence1>"]
    written += ["\n<answer2>Flu</answer2>", "<confidence2>.2</confidence2>", "\n"]
    assert parts == "".join(str(number) * len(part) for number, part in enumerate(written))


def test_an_analysis_is_paid_for_what_it_leads_to():
    objective = Objective("rlcr-single")
    assert part_pays(Pay(1.0, [2.0], [3.0], 4.0), objective) == [1.0, 2.0, 3.0, 3.0, 4.0]
    before = Objective("rlcr-multi", 2, preset="released")
    assert part_pays(Pay(1.0, [2.0, 3.0], [4.0, 5.0], 6.0), before) == [1.0, 1.0, 2.0, 4.0, 3.0, 5.0, 6.0]
    assert letters(SINGLE, objective)[-1] == "3"


@pytest.mark.parametrize("shape", ["byte-level", "sentencepiece"])
def test_a_token_belongs_to_the_part_of_its_first_character(shape):
    tokenizer = SHAPES[shape]()
    objective = Objective("rlcr-multi", 2)
    text = MULTI.replace("Gout", "Sjögren's 🩺").replace("\n", "")
    ids = tokenizer.encode(text, add_special_tokens=False)
    starts = TokenText(lambda some: tokenizer.decode(list(some))).starts(ids, text)
    of_character = letters(text, objective)
    of_token = parts_of(starts, part_ends(read(text, objective), objective))
    assert [str(part) for part in of_token] == [of_character[start] for start in starts]
    assert len(set(of_token)) == 5


def test_a_tag_that_shares_a_token_with_a_number_explores_with_it():
    spans = read(MULTI, Objective("rlcr-multi", 2))
    digits = MULTI.index("0.7")
    starts = np.array([0, digits - 1, digits + 2, digits + 3])
    assert writes_confidence(starts, MULTI, spans).tolist() == [False, True, True, True], "the last has .2"
    starts = np.array([0, digits - 1, digits + 2, digits + 3, MULTI.index(".2"), MULTI.index(".2") + 2])
    assert writes_confidence(starts, MULTI, spans).tolist() == [False, True, True, False, True, False]


@pytest.mark.parametrize(
    ("number", "decides"),
    [("0.7", "0.7"), (".25", ".25"), ("0.1822276", "0.18"), (" 0.5 ", "0.5"), ("0", "0<"), ("1 ", "1 "), ("1.", "1.")],
)
def test_two_decimals_decide_a_confidence_and_the_end_of_a_number_without_a_point(number, decides):
    text = MULTI.replace("0.7", number)
    spans = read(text, Objective("rlcr-multi", 2))
    assert spans.confidences[0] is not None
    marked = writes_confidence(np.arange(len(text)), text, spans)
    begin, end = spans.confidences[0]
    assert "".join(text[place] for place in range(begin, end + 1) if marked[place]) == decides
