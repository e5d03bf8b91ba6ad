"""Passes requests to another OpenAI-compatible server. Bodies pass through; only the model's text is read on the
way."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from setwise.models.http_exchange import Unanswered
from setwise.models.openai import NEWER_LIMIT, OpenAIModel, read_completion
from setwise.serving.chat import OWN_FIELD, Chat
from setwise.serving.connection import Connection, Cut
from setwise.serving.connections import Connections, Unreached
from setwise.serving.engines import Reply
from setwise.serving.events import data_of_events
from setwise.serving.model import AnswerSetModel
from setwise.serving.refusals import Refusal, broken_upstream, unreachable

_PATH = "/chat/completions"
_MOST_BYTES = 32 * 1024 * 1024


@dataclass(slots=True)
class UpstreamEngine:
    """Asks a server for each completion. Retrying is left to the client, who knows how long to wait."""

    model: AnswerSetModel
    connections: Connections = field(init=False)
    upstream: OpenAIModel = field(init=False)
    token_limit: str = "max_tokens"

    def __post_init__(self) -> None:
        assert isinstance(self.model.model, OpenAIModel)
        self.upstream = self.model.model
        self.connections = Connections(self.upstream.base_url)

    def start(self) -> None:
        """Does nothing: connections are opened when needed."""

    def stop(self) -> None:
        self.connections.close()

    async def answer(self, chat: Chat) -> Reply:
        if chat.samples == 1:
            record = await self._asked(self._body(chat, 0))
            return Reply([_completion(record)], record)
        asked = [self._asked(self._body(chat, sample)) for sample in range(chat.samples)]
        return Reply([_completion(record) for record in await asyncio.gather(*asked)])

    def streamed(self, chat: Chat) -> AbstractAsyncContextManager[AsyncIterator[bytes]] | None:
        return self._streamed(self._body(chat, 0)) if chat.samples == 1 else None

    @asynccontextmanager
    async def _streamed(self, body: dict[str, Any]) -> AsyncIterator[AsyncIterator[bytes]]:
        async with self._answering(body) as connection:
            yield _events(connection)

    async def _asked(self, body: dict[str, Any]) -> dict[str, Any]:
        async with self._answering(body) as connection:
            said = await _whole(connection)
        return _object(said)

    @asynccontextmanager
    async def _answering(self, body: dict[str, Any]) -> AsyncIterator[Connection]:
        """A connection on which a completion comes. Raises `Refusal` if the server gives none."""
        async with self._posted(body) as connection:
            if connection.status == 200:
                yield connection
                return
            said = await _whole(connection)
            refusal = _refusal(connection, said)
        if refusal.status != 400 or NEWER_LIMIT.encode() not in said or NEWER_LIMIT in body:
            raise refusal
        # Newer hosted models require the other name. They say so when they refuse this one, and it is used from then
        # on. What this request sent counts: another one may have learnt the name in the meantime.
        self.token_limit = NEWER_LIMIT
        body[NEWER_LIMIT] = body.pop("max_tokens")
        async with self._answering(body) as connection:
            yield connection

    @asynccontextmanager
    async def _posted(self, body: dict[str, Any]) -> AsyncIterator[Connection]:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", "User-Agent": "setwise"}
        if self.upstream.key:
            headers["Authorization"] = f"Bearer {self.upstream.key}"
        try:
            async with self.connections.posted(_PATH, json.dumps(body).encode(), headers) as connection:
                yield connection
        except Unreached as error:
            raise unreachable(str(error)) from None
        except Cut as error:
            raise broken_upstream(str(error)) from None

    def _body(self, chat: Chat, sample: int) -> dict[str, Any]:
        """What the client sent, with our messages, and our settings where the client made no choice."""
        sampling = chat.sampling
        ours: dict[str, Any] = {"temperature": sampling.temperature, "top_p": sampling.top_p}
        if self.model.asking.template_options:
            ours["chat_template_kwargs"] = dict(self.model.asking.template_options)
        dropped = (OWN_FIELD, "n", "max_tokens")  # the limit comes from the sampling
        given = {name: value for name, value in chat.body.items() if name not in dropped and value is not None}
        limit = {NEWER_LIMIT if NEWER_LIMIT in given else self.token_limit: sampling.max_tokens}
        body = {**ours, **given, **limit, "model": self.upstream.model, "messages": list(chat.messages)}
        if chat.samples > 1:
            body |= {"stream": False} | ({} if chat.seed is None else {"seed": chat.seed + sample})
            body.pop("stream_options", None)
        return body


async def _whole(connection: Connection) -> bytes:
    parts, size = [], 0
    async for part in connection.body():
        parts.append(part)
        size += len(part)
        if size > _MOST_BYTES:
            raise Cut(f"the answer is longer than {_MOST_BYTES:,} bytes")
    return b"".join(parts)


async def _events(connection: Connection) -> AsyncIterator[bytes]:
    try:
        async for data in data_of_events(connection.body()):
            yield data
    except ValueError as error:
        raise Cut(str(error)) from None


def _object(said: bytes) -> dict[str, Any]:
    try:
        record = json.loads(said)
    except (ValueError, RecursionError):
        raise broken_upstream("it is not JSON") from None
    if not isinstance(record, dict):
        raise broken_upstream("it is not a JSON object")
    return record


def _completion(record: dict[str, Any]) -> Any:
    try:
        return read_completion(record)
    except Unanswered as error:
        raise broken_upstream(str(error)) from None


def _refusal(connection: Connection, said: bytes) -> Refusal:
    """A refusal of the request is passed to the client. A refused key, or a failure, is a bad gateway."""
    status, message = connection.status, _message(said)
    if status == 429:
        told = connection.headers.get("retry-after", "")
        return Refusal(429, message, code="upstream_busy", retry_after=int(told) if told.isdecimal() else 1)
    if status == 503:
        return unreachable(message)
    if status in (400, 413, 415, 422):
        return Refusal(status, message, code="upstream_refused")
    return broken_upstream(f"HTTP {status}: {message}")


def _message(said: bytes) -> str:
    text = said[:20_000].decode("utf-8", "replace")
    try:
        record: Any = json.loads(text)
        told = record.get("error", record) if isinstance(record, Mapping) else record
        text = str(told.get("message", told) if isinstance(told, Mapping) else told)
    except (ValueError, RecursionError):
        pass
    return " ".join(text.split())[:300] or "no reason given"
