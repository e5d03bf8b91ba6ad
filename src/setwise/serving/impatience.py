"""uvicorn's protocol with time limits for clients that do not send or do not read."""

from asyncio import Transport
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from setwise.serving.limits import Limits


class ImpatientProtocol(HttpToolsProtocol):
    """Ends a connection whose headers do not arrive, or whose answer is not read."""

    def __init__(self, *args: Any, limits: Limits, **options: Any) -> None:
        super().__init__(*args, **options)
        self.limits = limits
        self.unsent: Any = None
        self.unread: Any = None

    def connection_made(self, transport: Transport) -> None:
        super().connection_made(transport)
        self.unsent = self.loop.call_later(self.limits.receive_seconds, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in (self.unsent, self.unread):
            if timer is not None:
                timer.cancel()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        waiting = self.cycle is None or self.cycle.response_complete
        if not waiting and self.unsent is not None:
            self.unsent.cancel()
            self.unsent = None
        elif waiting and self.unsent is None and not self.transport.is_closing():
            self.unsent = self.loop.call_later(self.limits.receive_seconds, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread = self.loop.call_later(self.limits.stalled_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None

    def timeout_keep_alive_handler(self) -> None:
        """What was written last may still be unread, and closing waits for it."""
        super().timeout_keep_alive_handler()
        self.unread = self.loop.call_later(self.limits.stalled_seconds, self.transport.abort)


def impatient(limits: Limits) -> Any:
    """What uvicorn creates protocols with."""
    return partial(ImpatientProtocol, limits=limits)
