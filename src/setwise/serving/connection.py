"""One HTTP/1.1 connection to a server, with one request at a time.

The parser is httptools', which the server side uses too. A general HTTP client takes more time per request than
everything else here together.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import cast

import httptools

_PAUSED_BYTES = 256 * 1024


class Cut(Exception):
    """The connection ended, or sent something other than HTTP, before the answer was complete."""


class Connection(asyncio.Protocol):
    """One request at a time: `start` it, await its `head`, read its `body`."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self.lost = False
        self.heard = False
        """Whether anything came back for the current request."""
        self.status = 0
        self.headers: dict[str, str] = {}
        self._parser: httptools.HttpResponseParser
        self._chunks: deque[bytes] = deque()
        self._held = 0
        self._complete = True
        self._kept = False
        """Whether the server keeps the connection open. The parser knows this only while it reads."""
        self._failure: str | None = None
        self._head: asyncio.Future[None] | None = None
        self._wake: asyncio.Future[None] | None = None

    def start(self, request: bytes) -> None:
        self.status, self.headers, self.heard = 0, {}, False
        self._parser = httptools.HttpResponseParser(self)
        self._chunks.clear()
        self._held, self._complete, self._kept, self._failure = 0, False, False, None
        self._head = asyncio.get_running_loop().create_future()
        self.transport.write(request)

    async def head(self) -> None:
        assert self._head is not None
        if not self.status and self._failure is None:
            await self._head
        if not self.status:
            raise Cut(self._failure)

    async def body(self) -> AsyncIterator[bytes]:
        """The parts of the answer as they arrive."""
        while True:
            while self._chunks:
                chunk = self._chunks.popleft()
                self._held -= len(chunk)
                yield chunk
            if self._complete:
                return
            if self._failure is not None:
                raise Cut(self._failure)
            self.transport.resume_reading()
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake

    @property
    def reusable(self) -> bool:
        return self._complete and not self.lost and not self.transport.is_closing() and self._kept

    def close(self) -> None:
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is one by its methods only

    def data_received(self, data: bytes) -> None:
        if self._complete:
            # Nothing was asked, so this is not an answer.
            self.transport.abort()
            return
        self.heard = True
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(f"not HTTP: {error}")
            self.transport.abort()
        if self._held > _PAUSED_BYTES:
            self.transport.pause_reading()
        self._tell()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if self._complete:
            return
        until_closed = self.status and not {"content-length", "transfer-encoding"} & self.headers.keys()
        if until_closed and exc is None:
            self._complete = True
        else:
            self._fail("the connection ended early")
        self._tell()

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        if self._parser.get_status_code() < 200:
            self.headers = {}
            return
        self.status = self._parser.get_status_code()
        if self._head is not None and not self._head.done():
            self._head.set_result(None)

    def on_body(self, body: bytes) -> None:
        self._chunks.append(body)
        self._held += len(body)

    def on_message_complete(self) -> None:
        self._complete = bool(self.status)
        self._kept = self._parser.should_keep_alive()

    def _fail(self, why: str) -> None:
        self._failure = self._failure or why
        if self._head is not None and not self._head.done():
            self._head.set_result(None)

    def _tell(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)
