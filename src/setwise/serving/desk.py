"""Admission: counts the completions that were accepted and not yet answered."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from setwise.serving.refusals import stopping, too_busy


@dataclass(slots=True)
class Desk:
    """Accepts requests while there is room, and none once the server is told to stop."""

    limit: int
    taken: int = 0
    """Completions queued or in progress."""
    requests: int = 0
    closed: bool = False
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when no request is open."""

    def __post_init__(self) -> None:
        self.idle.set()

    def close(self) -> None:
        self.closed = True

    @contextmanager
    def open_request(self) -> Iterator[None]:
        """Wraps one request to the model, from its first byte to the last of its answer."""
        if self.closed:
            raise stopping()
        self.requests += 1
        self.idle.clear()
        try:
            yield
        finally:
            self.requests -= 1
            if not self.requests:
                self.idle.set()

    @contextmanager
    def room_for(self, completions: int) -> Iterator["Room"]:
        if self.taken + completions > self.limit:
            raise too_busy(self.limit)
        self.taken += completions
        room = Room(self, completions)
        try:
            yield room
        finally:
            room.leave()


@dataclass(slots=True)
class Room:
    """The place of one request among the completions accepted."""

    desk: Desk
    completions: int

    def leave(self) -> None:
        """Leave before the last byte of the answer, so that a client that asks again at once finds its place free."""
        self.desk.taken -= self.completions
        self.completions = 0
