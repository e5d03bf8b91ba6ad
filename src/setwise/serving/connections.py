"""Connections to one HTTP/1.1 server, kept open and reused."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from setwise.serving.connection import Connection, Cut

CONNECT_SECONDS = 5.0
MOST_IDLE = 256


class Unreached(Exception):
    """No connection could be made."""


@dataclass(slots=True)
class Connections:
    """The open connections to the server at a base URL."""

    url: str
    idle: list[Connection] = field(default_factory=list)

    @asynccontextmanager
    async def posted(self, path: str, body: bytes, headers: dict[str, str]) -> AsyncIterator[Connection]:
        """A connection on which the body was posted and the head of the answer has arrived."""
        request = self._request(path, body, headers)
        connection = await self._answering(request)
        try:
            yield connection
        finally:
            if connection.reusable and len(self.idle) < MOST_IDLE:
                self.idle.append(connection)
            else:
                connection.close()

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()

    async def _answering(self, request: bytes) -> Connection:
        """The server may have closed a kept connection in the meantime; only then is another one tried."""
        while self.idle:
            connection = self.idle.pop()
            if connection.lost or connection.transport.is_closing():
                continue
            try:
                return await _started(connection, request)
            except Cut:
                if connection.heard:
                    raise
        return await _started(await self._connected(), request)

    async def _connected(self) -> Connection:
        parts = urlsplit(self.url)
        secure = parts.scheme == "https"
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                _, connection = await loop.create_connection(
                    Connection,
                    parts.hostname or "",
                    parts.port or (443 if secure else 80),
                    ssl=ssl.create_default_context() if secure else None,
                )
        except TimeoutError:
            raise Unreached(f"no connection within {CONNECT_SECONDS:g} s") from None
        except OSError as error:
            raise Unreached(error.strerror or type(error).__name__) from None
        return connection

    def _request(self, path: str, body: bytes, headers: dict[str, str]) -> bytes:
        parts = urlsplit(self.url)
        lines = [f"POST {parts.path}{path} HTTP/1.1", f"Host: {parts.netloc}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def _started(connection: Connection, request: bytes) -> Connection:
    try:
        connection.start(request)
        await connection.head()
    except BaseException:
        connection.close()
        raise
    return connection
