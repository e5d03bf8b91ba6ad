"""Reports a server that takes requests but does not answer, while waiting for it rather than after everything has
failed."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from setwise.models.http_exchange import Unanswered

_log = logging.getLogger(__name__)

FIRST_MENTION_SECONDS = 20.0


@dataclass(slots=True)
class Silence:
    """Tracks how many requests are open and when an answer last came, and warns after a long silence.

    Each warning doubles the time until the next, so a server that is merely slow is mentioned only a few times.
    """

    url: str
    timeout_seconds: float
    mention_seconds: float = FIRST_MENTION_SECONDS
    waiting: int = 0
    since: float | None = None
    """None if no answer is due."""
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @contextmanager
    def waited_for(self) -> Iterator[None]:
        """Wraps one try. A refusal is an answer too; a try that timed out does not end the silence."""
        with self.lock:
            self.waiting += 1
            self.since = self.since or time.monotonic()
        heard = True
        try:
            yield
        except Unanswered:
            heard = False
            raise
        finally:
            with self.lock:
                self.waiting -= 1
                if heard:
                    self.since = time.monotonic() if self.waiting else None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Wraps many requests, and warns during a long silence."""
        self.since, ended = None, threading.Event()
        threading.Thread(target=self._watch, args=(ended,), daemon=True, name="setwise-silence").start()
        try:
            yield
        finally:
            ended.set()

    def _watch(self, ended: threading.Event) -> None:
        while not ended.wait(max(0.01, self.mention_seconds - self._seconds())):
            seconds, waiting = self._seconds(), self.waiting
            if not waiting or seconds < self.mention_seconds:
                continue
            self.mention_seconds *= 2
            _log.warning(
                "no answer from %s for %.0f s, %d %s waiting; each is given up after %g s (--timeout) and asked again",
                self.url,
                seconds,
                waiting,
                "request" if waiting == 1 else "requests",
                self.timeout_seconds,
            )

    def _seconds(self) -> float:
        with self.lock:
            return 0.0 if self.since is None else time.monotonic() - self.since
