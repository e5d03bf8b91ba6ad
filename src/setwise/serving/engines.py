"""Connects the server to a model: one in this process, asked in batches, or another server."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from setwise.models import Completion, Request
from setwise.questions import Question
from setwise.serving.batching import Batcher
from setwise.serving.chat import Chat
from setwise.serving.limits import Limits
from setwise.serving.model import AnswerSetModel
from setwise.serving.refusals import bad_request, broken_model

_log = logging.getLogger(__name__)

DEFAULT_BATCH = 64


class Reply(NamedTuple):
    """A model's reply to one request."""

    completions: list[Completion]
    record: dict[str, Any] | None = None
    """The unchanged answer of another server, if there is one."""


class AnsweringEngine(Protocol):
    """Answers requests. Raises `Refusal` for whatever a client may be told."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    async def answer(self, chat: Chat) -> Reply: ...

    def streamed(self, chat: Chat) -> AbstractAsyncContextManager[AsyncIterator[bytes]] | None:
        """The data of each event as it arrives; None if the engine has everything only at the end."""
        ...


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """A model in this process."""

    model: AnswerSetModel
    batcher: Batcher
    limits: Limits

    def start(self) -> None:
        self.batcher.start()

    def stop(self) -> None:
        self.batcher.stop()

    async def answer(self, chat: Chat) -> Reply:
        if chat.body.get("tools"):
            raise bad_request('"tools" is not supported by this model', "tools")
        characters = sum(len(each["content"]) for each in chat.messages)
        if characters > self.limits.prompt_characters:
            message = f"the messages have {characters:,} characters, and at most {self.limits.prompt_characters:,} fit"
            raise bad_request(message, "messages", "context_length_exceeded")
        drawn = [self.batcher.complete(self._request(chat, sample)) for sample in range(chat.samples)]
        try:
            return Reply(list(await asyncio.gather(*drawn)))
        except Exception as error:
            # The reason goes only to the log, because it may name files of this machine.
            _log.warning("a request failed: %s: %s", type(error).__name__, error)
            raise broken_model() from None

    def streamed(self, chat: Chat) -> None:
        return None

    def _request(self, chat: Chat, sample: int) -> Request:
        return Request(
            messages=chat.messages,
            sampling=chat.sampling,
            seed=None if chat.seed is None else (chat.seed + sample) % (1 << 63),
            question=Question(chat.question, chat.question),
            sample=sample,
            template_options=self.model.asking.template_options,
        )


def warm_up(model: AnswerSetModel) -> None:
    """Load the weights now, so that a model that cannot be loaded fails in one line before the server listens."""
    parts = {"hf": ("tokenizer", "model"), "vllm": ("engine",)}
    for name in parts.get(model.spec.partition(":")[0], ()):
        getattr(model.model, name)
