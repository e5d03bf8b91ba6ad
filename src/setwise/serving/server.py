"""Listening: where it is allowed, how long to wait, and how the server stops."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import uvicorn

from setwise.errors import InputError
from setwise.serving.app import Served, application
from setwise.serving.client import KEY
from setwise.serving.desk import Desk
from setwise.serving.guard import LOOPBACK
from setwise.serving.impatience import impatient

FLUSH_SECONDS = 5
"""For answers that are still being sent when the server ends."""


def key_of_environment() -> str:
    key = os.environ.get(KEY, "").strip()
    if not key.isascii() or any(character.isspace() for character in key):
        raise InputError(f"{KEY} must be plain ASCII without blanks")
    return key


def require_key_outside(host: str, key: str) -> None:
    """Refuse to serve the whole network without a key."""
    if host not in LOOPBACK and not key:
        raise InputError(
            "a server that others can reach needs a key",
            place=f"--host {host}",
            remedy=f"set {KEY}, or listen on 127.0.0.1",
        )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Port 0 picks a free one."""
    if not 0 <= port <= 65_535:
        raise InputError("a port is a number from 0 to 65,535", place="--port", value=port)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        rule = f"cannot listen here ({error.strerror or error})"
        raise InputError(rule, place=f"{host}:{port}", remedy="choose another --port") from None
    # Inherited by every connection. Waiting for an acknowledgement would delay each answer by 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def serve(served: Served, listener: socket.socket, say: Callable[[str], None]) -> None:
    """Answer until a signal comes. `say` gets the address once requests are accepted."""
    server_of(served, listener, say).run([listener])


def server_of(served: Served, listener: socket.socket, say: Callable[[str], None]) -> "AnswerSetServer":
    limits = served.limits
    config = uvicorn.Config(
        application(served),
        http=impatient(limits),
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=FLUSH_SECONDS,
    )
    host, port = listener.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    return AnswerSetServer(config, served.desk, limits.grace_seconds, lambda: say(address))


class AnswerSetServer(uvicorn.Server):
    """When told to stop, it answers what it accepted, refuses the rest with 503, and ends. Told twice, it ends at
    once."""

    def __init__(self, config: uvicorn.Config, desk: Desk, grace_seconds: float, started: Callable[[], None]) -> None:
        super().__init__(config)
        self.desk, self.grace_seconds, self.say_started = desk, grace_seconds, started
        self._draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self.say_started()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.desk.closed:
            self.should_exit = True
            self.force_exit = sig == signal.SIGINT
            return
        self.desk.close()
        self._loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        self._draining = asyncio.create_task(self._exit_when_idle())

    async def _exit_when_idle(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.desk.idle.wait(), self.grace_seconds)
        self.should_exit = True
