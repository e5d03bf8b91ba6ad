"""What a request says: how it is asked, how it is drawn, and whether a profile may speak about it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from setwise.serving.asking import Choices, how_to_ask
from setwise.serving.chat import Chat, ChatReader
from setwise.serving.limits import Limits
from setwise.serving.refusals import Refusal
from tests.serving.made_up import TOE

ASKING = how_to_ask("openai:x@http://localhost:1/v1", Choices(instruction="Name a disease."))
READER = ChatReader(model="x", asking=ASKING, limits=Limits(), alpha=0.1, has_profile=True)
QUESTION = [{"role": "user", "content": TOE}]


def read(messages: Any = QUESTION, **fields: Any) -> Chat:
    return READER.read(json.dumps({"messages": messages, **fields}).encode())


def test_a_question_alone_is_asked_as_in_training():
    chat = read()
    assert (chat.question, list(chat.messages), chat.as_taught) == (TOE, ASKING.messages(TOE), True)


def test_the_trained_messages_sent_whole_are_the_same_question():
    """As `setwise eval` sends them."""
    assert replace(read(ASKING.messages(TOE)), body={}) == replace(read(), body={})


@pytest.mark.parametrize(
    ("messages", "fields"),
    [
        ([{"role": "system", "content": "Be brief."}, *QUESTION], {}),
        ([*QUESTION, {"role": "assistant", "content": "?"}, *QUESTION], {}),
        (QUESTION, {"temperature": 0.1}),
        (QUESTION, {"top_p": 0.5}),
    ],
    ids=["prompt", "turns", "temperature", "top_p"],
)
def test_a_profile_is_silent_about_what_was_asked_otherwise(messages: Any, fields: dict[str, Any]):
    assert not read(messages, **fields).as_taught


def test_text_may_come_in_parts():
    assert read([{"role": "user", "content": [{"type": "text", "text": TOE}]}]).question == TOE


def test_what_is_left_open_is_the_server_s():
    chat = read(temperature=None, stop="x", max_completion_tokens=7, seed=3)
    assert (chat.sampling.temperature, chat.sampling.stop, chat.sampling.max_tokens, chat.seed) == (0.7, ("x",), 7, 3)
    assert (chat.samples, chat.alpha) == (1, 0.1)
    asked = read(setwise={"samples": 4, "alpha": 0.3})
    assert (asked.samples, asked.alpha) == (4, 0.3)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"messages": []}, "non-empty list"),
        ({"messages": [*QUESTION, {"role": "assistant", "content": "?"}]}, "last message must be the user's"),
        ({"messages": [{"role": "king", "content": "?"}]}, "the role of a message"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "list of text parts"),
        ({"messages": [{"role": "user", "content": "\ud800"}]}, "lone surrogates"),
        ({"messages": [{"role": "user", "content": " "}]}, "must not be empty"),
        ({"temperature": -1}, "temperature must be"),
        ({"temperature": 1e300}, "must be a number"),
        ({"top_p": 0}, "top_p must be"),
        ({"max_tokens": 0}, "whole number from 1"),
        ({"stop": [""]}, "non-empty string"),
        ({"stream": "yes"}, "true or false"),
        ({"n": 2}, "several samples in one set"),
        ({"setwise": {"sample": 2}}, '"samples", "alpha" or both'),
        ({"setwise": {"samples": 17}}, "from 1 to 16"),
        ({"setwise": {"alpha": 1}}, "above 0 and below 1"),
    ],
)
def test_what_is_wrong_is_a_400_and_one_line(fields: dict[str, Any], told: str):
    with pytest.raises(Refusal, match=told) as caught:
        read(**fields)
    assert caught.value.status == 400
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'{"messages": NaN}', b"[" * 100_000, b"9" * 5000])
def test_a_body_that_is_no_json_object_is_a_400(body: bytes):
    with pytest.raises(Refusal) as caught:
        READER.read(body)
    assert caught.value.status == 400
