"""What a confidence would be with another of its tokens."""

from typing import Any

import numpy as np
import pytest

from setwise.answers import AnswerSet
from setwise.credit import CompletionDecoder, NumberTokens
from setwise.objectives import Objective
from setwise.parsing import parse_strictly
from tests.credit.tokenizers import byte_level, sentencepiece, words


def choices(tokenizer: Any, number: str) -> list[dict[str, float]]:
    """For each token of the first confidence that had a choice: what it could have written, and the confidence then."""
    first = f"<think>weighing</think><answer1>Gout</answer1><confidence1>{number}</confidence1>"
    text = f"{first}<answer2>evidence</answer2><confidence2>0.25</confidence2>"
    decoder = CompletionDecoder(tokenizer)
    numbers = NumberTokens(decoder.tokens, tokenizer.get_vocab())
    [sampled] = decoder([tokenizer.encode(text, add_special_tokens=False)])
    parsed = parse_strictly(sampled.text, Objective("rlcr-multi", 2))
    assert isinstance(parsed, AnswerSet)
    starts = decoder.tokens.starts(sampled.ids, sampled.text)
    found = []
    for choice in numbers.choices(sampled.ids, starts, sampled.text, parsed.spans):
        if choice.place == 1:
            continue
        made = zip(numbers.texts.values(), choice.numbers.tolist(), strict=True)
        found.append({text: stated for text, stated in made if not np.isnan(stated)})
        assert found[-1][numbers.texts[sampled.ids[choice.token]]] == pytest.approx(float(number))
    return found


def test_the_first_decimal_has_a_choice_between_all_digits():
    """Not the digit before the point, which also decides what decimals there will be, and not the second decimal,
    where the number could have ended. This vocabulary also has the token 25, and a five with a blank, which is none."""
    [first] = choices(byte_level(), "0.48")
    assert first == {"25": 0.258, **{str(digit): pytest.approx(digit / 10 + 0.08) for digit in range(10)}}


def test_a_token_of_two_digits_is_one_choice():
    [only] = choices(byte_level(), "0.25")
    assert only == {"25": 0.25, **{str(digit): pytest.approx(digit / 10) for digit in range(10)}}


def test_one_has_no_other_decimals():
    assert choices(byte_level(), "1.0") == [{"0": 1.0}]


def test_a_number_without_a_point_has_no_choice():
    assert choices(byte_level(), "1") == []


def test_bytes_of_a_sentencepiece_vocabulary_are_digits_too():
    [first] = choices(sentencepiece(), "0.48")
    assert {text: number for text, number in first.items() if len(text) == 1} == {
        str(digit): pytest.approx(digit / 10 + 0.08) for digit in range(10)
    }


def test_a_word_that_is_a_number_has_the_other_numbers_of_the_vocabulary():
    assert choices(words(), "0.7") == [{" 0.25": 0.25, " 0.7": 0.7}]
