"""Answers in the format of OpenAI's chat completions, with `setwise` next to the choices."""

import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from setwise.models import Completion
from setwise.serving.answers import Answered
from setwise.serving.chat import OWN_FIELD, Chat

OBJECT, CHUNK = "chat.completion", "chat.completion.chunk"


def completion_record(model: str, completions: Sequence[Completion], answered: Answered) -> dict[str, Any]:
    """The whole answer of a request that is not streamed."""
    message = {"role": "assistant", "content": answered.text}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason(completions)}
    return {
        **_envelope(model, OBJECT),
        "choices": [choice],
        "usage": usage(completions),
        OWN_FIELD: answered.to_record(),
    }


def chunk_records(
    model: str, completions: Sequence[Completion], answered: Answered, chat: Chat
) -> Iterator[dict[str, Any]]:
    """The same as a stream: the text in one piece, since a batch has no others, then the end with `setwise`."""
    envelope = _envelope(model, CHUNK)
    yield {**envelope, "choices": [_delta({"role": "assistant", "content": answered.text})]}
    yield {**last_chunk(envelope, finish_reason(completions)), OWN_FIELD: answered.to_record()}
    if chat.include_usage:
        yield {**envelope, "choices": [], "usage": usage(completions)}


def last_chunk(envelope: dict[str, Any], reason: str) -> dict[str, Any]:
    return {**envelope, "choices": [_delta({}, reason)]}


def chunk_envelope(model: str) -> dict[str, Any]:
    return _envelope(model, CHUNK)


def finish_reason(completions: Sequence[Completion]) -> str:
    """The first that is not a normal end, since a set is only as complete as its samples."""
    reasons = [each.finish_reason or "stop" for each in completions]
    return next((each for each in reasons if each != "stop"), "stop")


def usage(completions: Sequence[Completion]) -> dict[str, int]:
    prompt, written = (sum(getattr(each, name) or 0 for each in completions) for name in ("prompt_tokens", "tokens"))
    return {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}


def _envelope(model: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": kind, "created": int(time.time()), "model": model}


def _delta(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
