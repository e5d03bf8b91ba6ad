"""Advantages of single tokens from what an engine sampled: those of `setwise train`."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from setwise import InputError, Objective
from setwise.adapters.credit_rule import CreditRule, credit_from_record
from setwise.adapters.ground_truth import Grading, read_ground_truth, write_ground_truth
from setwise.adapters.token_credit import Rollout, group_advantages
from setwise.adapters.trace_credit import assign_advantages, carries_credit
from setwise.credit import CompletionDecoder
from setwise.matching import exact
from tests.adapters.credited import (
    CUT,
    OBJECTIVE,
    PROBLEM,
    ROW,
    RULE,
    group_of,
    paid_in_training,
    tells_tokens_apart,
    tokens_of,
)

pytest.importorskip("transformers", reason="tokenizers need transformers: pip install 'setwise[hf]'")

from tests.credit.tokenizers import SHAPES, byte_level

SINGLE = Objective("rlcr-single")


def advantages(sampled: list[list[int]], tokenizer: Any, row: str = ROW) -> list[list[float]]:
    group = [Rollout(ids, cut_off=not ids or ids[-1] != tokenizer.eos_token_id) for ids in sampled]
    return group_advantages(group, read_ground_truth(row), CompletionDecoder(tokenizer))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "rule", [RULE, CreditRule("answer", 0.0, divide_by_std=True), CreditRule("answer", confidence_score="log")]
)
def test_an_engine_pays_what_training_pays(shape: str, rule: CreditRule) -> None:
    tokenizer = SHAPES[shape]()
    sampled = [tokens_of(text, tokenizer) for text in group_of()]
    found = advantages(sampled, tokenizer, write_ground_truth(PROBLEM, OBJECTIVE, exact, rule))
    assert [len(own) for own in found] == [len(ids) for ids in sampled]
    for own, ours in zip(
        found, paid_in_training(sampled, tokenizer, Grading(PROBLEM, OBJECTIVE, exact, rule)), strict=True
    ):
        assert own == pytest.approx(ours, abs=1e-6)
    assert tells_tokens_apart(found)


@pytest.mark.parametrize("name", ["dcpo", "bae"])
def test_the_named_alternatives_travel_too(name: str) -> None:
    tokenizer, rule = byte_level(), CreditRule(name)
    sampled = [tokens_of(text, tokenizer) for text in group_of(SINGLE)]
    found = advantages(sampled, tokenizer, write_ground_truth(PROBLEM, SINGLE, exact, rule))
    for own, ours in zip(
        found, paid_in_training(sampled, tokenizer, Grading(PROBLEM, SINGLE, exact, rule)), strict=True
    ):
        assert own == pytest.approx(ours, abs=1e-6)


def byte_of(byte: int) -> int:
    """The token of one byte, which is a character of its own in the vocabulary."""
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    return byte_level().convert_tokens_to_ids(bytes_to_unicode()[byte])


def test_tokens_that_no_encoder_would_choose_are_paid_as_they_were_sampled() -> None:
    tokenizer = byte_level()
    usual = [tokens_of(text, tokenizer) for text in group_of()]
    sampled = [[*map(byte_of, text.encode()), *[tokenizer.eos_token_id] * (text != CUT)] for text in group_of()]
    assert all(len(own) > len(ids) for own, ids in zip(sampled, usual, strict=True))
    found = advantages(sampled, tokenizer)
    for own, ours in zip(found, paid_in_training(sampled, tokenizer), strict=True):
        assert own == pytest.approx(ours, abs=1e-6)
    assert [set(own) for own in found] == [set(own) for own in advantages(usual, tokenizer)]


def test_think_tags_that_are_special_tokens_are_read_and_the_end_of_the_turn_is_not() -> None:
    from transformers import PreTrainedTokenizerFast

    plain = byte_level()
    special: Any = PreTrainedTokenizerFast(tokenizer_object=plain.backend_tokenizer, clean_up_tokenization_spaces=False)
    special.add_special_tokens({"eos_token": "<|end|>", "additional_special_tokens": ["<think>", "</think>"]})
    text = group_of()[0]
    (sampled,) = CompletionDecoder(special)([tokens_of(text, special)])
    assert sampled.text == text
    assert sampled.shown == len(sampled.ids) - 1


def test_rows_that_pay_whole_completions_are_refused_in_one_line() -> None:
    row = write_ground_truth(PROBLEM, OBJECTIVE, exact)
    with pytest.raises(InputError, match="problem 1: the rows say that every token of a completion is paid the same"):
        advantages([tokens_of(CUT, byte_level())], byte_level(), row)


def test_a_row_says_no_more_about_credit_than_a_recipe_does() -> None:
    assert read_ground_truth(ROW).credit == RULE
    assert "credit" not in json.loads(write_ground_truth(PROBLEM, OBJECTIVE, exact))
    with pytest.raises(InputError, match="a credit has a name and no more than name, later_gain, divide_by_std"):
        credit_from_record({"name": "answer", "later": 0.5})


def trace(*turns: list[int], row: str = ROW, kind: str = "SetwiseTask") -> Any:
    """The fields of verifiers' own that are read: each turn is a prompt of one token and what was sampled."""
    nodes = [SimpleNamespace(token_ids=[0, *ids], mask=[False] + [True] * len(ids), advantages=None) for ids in turns]
    task = SimpleNamespace(type=kind, data=SimpleNamespace(ground_truth=row))
    return SimpleNamespace(task=task, nodes=nodes, is_truncated=False)


def test_what_was_sampled_before_the_last_reply_is_paid_for_the_set() -> None:
    tokenizer = byte_level()
    replies = [tokens_of(text, tokenizer) for text in group_of()[:3]]
    traces = [trace([5, 6, 7], ids) for ids in replies]
    assign_advantages(traces, tokenizer)
    for own, ours in zip(traces, advantages(replies, tokenizer), strict=True):
        assert own.nodes[0].advantages == [ours[0]] * 3
        assert own.nodes[1].advantages == ours


def test_two_problems_are_two_groups() -> None:
    tokenizer = byte_level()
    ids = [tokens_of(text, tokenizer) for text in group_of()[:2]]
    other = write_ground_truth(PROBLEM, OBJECTIVE, exact, CreditRule("answer", 0.1))
    traces = [trace(ids[0]), trace(ids[0], row=other), trace(ids[1]), trace(ids[1], row=other)]
    assign_advantages(traces, tokenizer)
    assert [traces[0].nodes[0].advantages, traces[2].nodes[0].advantages] == advantages(ids, tokenizer)


def test_only_traces_of_ours_whose_rows_say_so_carry_credit() -> None:
    assert carries_credit(trace([1]))
    assert not carries_credit(trace([1], row=write_ground_truth(PROBLEM, OBJECTIVE, exact)))
    assert not carries_credit(trace([1], row="42", kind="SomebodyElsesTask"))
