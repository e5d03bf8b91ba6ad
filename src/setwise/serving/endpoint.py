"""`POST /v1/chat/completions`, from the first byte of a request to the last of its answer."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from setwise.serving.answers import Answered
from setwise.serving.bodies import read_body, send_json, send_refusal, send_start
from setwise.serving.chat import OWN_FIELD, Chat, ChatReader
from setwise.serving.connection import Cut
from setwise.serving.desk import Desk
from setwise.serving.drift_watch import DriftWatch
from setwise.serving.engines import AnsweringEngine, Reply
from setwise.serving.events import DONE, done, event
from setwise.serving.limits import Limits
from setwise.serving.metrics import RequestTally
from setwise.serving.reading import Reader
from setwise.serving.refusals import Refusal, broken_upstream, too_late
from setwise.serving.relay import Heard
from setwise.serving.replies import chunk_envelope, chunk_records, completion_record, last_chunk

_END_SECONDS = 0.05
STREAM_HEADERS = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """An ASGI application for one path. Any exception other than `Refusal` is a mistake of ours."""

    chats: ChatReader
    engine: AnsweringEngine
    reader: Reader
    desk: Desk
    limits: Limits
    tally: RequestTally
    drift: DriftWatch | None = None
    merging: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "setwise-merging"))
    """Merging samples can take a matcher some time, and a matcher is never used by two threads."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        sending = _Sending(send)
        try:
            with self.desk.open_request():
                chat = self.chats.read(await read_body(scope, receive, self.limits))
                with self.desk.room_for(chat.samples) as room:
                    sending.before_the_end = room.leave
                    if not await self._while_connected(self._answer(chat, sending), receive):
                        self.tally.gone += 1
        except Refusal as refusal:
            if not sending.status:
                await send_refusal(sending, refusal)
            else:
                await sending.end_with(event(refusal.to_record()))
        finally:
            self.tally.statuses[sending.status or 499] += 1
            self.tally.seconds.observe(time.perf_counter() - began)

    async def _while_connected(self, work: Coroutine[Any, Any, None], receive: Receive) -> bool:
        """Do the work unless the client hangs up or its time is up. Returns whether it was done."""
        task, gone = asyncio.create_task(work), asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait((task, gone), timeout=self.limits.request_seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                task.result()
                return True
            if gone.done():
                return False
            raise too_late(self.limits.request_seconds)
        finally:
            for each in (task, gone):
                each.cancel()
            await asyncio.gather(task, gone, return_exceptions=True)

    async def _answer(self, chat: Chat, send: "_Sending") -> None:
        stream = self.engine.streamed(chat) if chat.stream else None
        if stream is not None:
            async with stream as events:
                await send_start(send, 200, STREAM_HEADERS)
                await self._relay(chat, events, send)
            return
        reply = await self.engine.answer(chat)
        answered = await self._read(chat, reply)
        if not chat.stream:
            await send_json(send, 200, self._record(reply, answered))
            return
        await send_start(send, 200, STREAM_HEADERS)
        for record in chunk_records(self.chats.model, reply.completions, answered, chat):
            await send.part(event(record))
        await send.end_with(done())

    async def _relay(self, chat: Chat, events: AsyncIterator[bytes], send: "_Sending") -> None:
        """Forward each chunk as it arrives. The chunk with the finish reason carries `setwise`; if there is none, ours
        does."""
        heard, told = Heard(), False
        try:
            async for data in events:
                if data == DONE:
                    await _ended(events)
                    break
                chunk = heard.hear(data)
                renamed = chunk.get("model") != self.chats.model
                if heard.finish_reason is not None and not told:
                    told = True
                    chunk |= {"model": self.chats.model, **await self._own(chat, heard)}
                    data = json.dumps(chunk).encode()
                elif renamed:
                    data = json.dumps({**chunk, "model": self.chats.model}).encode()
                await send.part(b"data: " + data + b"\n\n")
            else:
                raise Cut("its stream ended without a last event")
        except Cut as error:
            raise broken_upstream(str(error)) from None
        if not told:
            envelope = {**chunk_envelope(self.chats.model), **heard.envelope, "model": self.chats.model}
            await send.part(event({**last_chunk(envelope, "stop"), **await self._own(chat, heard)}))
        await send.end_with(done())

    async def _own(self, chat: Chat, heard: Heard) -> dict[str, Any]:
        return {OWN_FIELD: (await self._read(chat, Reply([heard.completion]))).to_record()}

    async def _read(self, chat: Chat, reply: Reply) -> Answered:
        def read() -> Answered:
            return self.reader.read(chat.question, reply.completions, chat.alpha, as_taught=chat.as_taught)

        if chat.samples == 1:
            answered = read()
        else:
            answered = await asyncio.get_running_loop().run_in_executor(self.merging, read)
        self.tally.count(answered)
        if self.drift is not None:
            self.drift.see(answered)
        return answered

    def _record(self, reply: Reply, answered: Answered) -> dict[str, Any]:
        if reply.record is None:
            return completion_record(self.chats.model, reply.completions, answered)
        return {**reply.record, "model": self.chats.model, OWN_FIELD: answered.to_record()}


@dataclass(slots=True)
class _Sending:
    """Sends, and remembers the status sent."""

    send: Send
    status: int = 0
    before_the_end: Callable[[], None] = lambda: None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif not message.get("more_body"):
            self.before_the_end()
        await self.send(message)

    async def part(self, body: bytes) -> None:
        await self({"type": "http.response.body", "body": body, "more_body": True})

    async def end_with(self, body: bytes) -> None:
        await self({"type": "http.response.body", "body": body, "more_body": False})


async def _ended(events: AsyncIterator[bytes]) -> None:
    """Wait briefly for the end of the body after the last event; otherwise the connection cannot be reused."""
    with suppress(TimeoutError, Cut):
        async with asyncio.timeout(_END_SECONDS):
            async for _ in events:
                pass


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
