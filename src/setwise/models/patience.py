"""Asking again: when, how often, and all workers together."""

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from setwise.errors import ModelError
from setwise.models.http_exchange import Refused, Unanswered, Unreachable

_log = logging.getLogger(__name__)

TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE = 429, 503
RETRIED_STATUSES = frozenset({408, 409, 425, TOO_MANY_REQUESTS, 500, 502, SERVICE_UNAVAILABLE, 504, 529})
FAILURES_TO_MENTION = 3
FIRST_SILENCE_SECONDS = 30.0
HOPELESS_STATUSES = frozenset({301, 302, 303, 307, 308, 401, 403, 404})


class Hopeless(ModelError):
    """An answer that every other request would get too: a wrong key, a model the server does not have."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request is worth waiting for."""

    tries: int = 10
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0
    rate_limit_seconds: float = 1800.0
    """How long one request may be turned away with 429 before it fails; being told to wait is not a failed try."""
    connect_seconds: float = 10.0
    """How long a server is tried that nobody has reached yet; one that was reached may come back."""

    def wait_seconds(self, failures: int) -> float:
        """Exponential backoff with jitter, so that workers do not come back all at once."""
        bound = min(self.longest_wait_seconds, self.first_wait_seconds * 2 ** min(failures - 1, 30))
        return bound * random.uniform(0.5, 1.0)


@dataclass(slots=True)
class Gate:
    """Shared by all workers: when the server says "wait", everybody waits; what went wrong is said once for all."""

    opens_at: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)
    reached: bool = False
    unreached_since: float | None = None
    silent_until: float = 0.0
    silence_seconds: float = FIRST_SILENCE_SECONDS

    def close_for(self, seconds: float) -> None:
        with self.lock:
            self.opens_at = max(self.opens_at, time.monotonic() + seconds)

    def wait(self, stagger_seconds: float) -> None:
        while (left := self.opens_at - time.monotonic()) > 0:
            time.sleep(left + random.uniform(0, stagger_seconds))

    def seconds_unreached(self) -> float:
        """How long the server has been tried for without a single connection; 0 once there was one."""
        with self.lock:
            self.unreached_since = self.unreached_since or time.monotonic()
            return 0.0 if self.reached else time.monotonic() - self.unreached_since

    def mention(self, message: str) -> None:
        """Warn, unless a warning is fresh; the time between two of them doubles."""
        with self.lock:
            if time.monotonic() < self.silent_until:
                return
            self.silent_until = time.monotonic() + self.silence_seconds
            self.silence_seconds *= 2
        _log.warning("%s", message)


def ask_patiently(ask: Callable[[], Any], patience: Patience, gate: Gate, url: str) -> Any:
    """`ask()` until it answers. Raises `Hopeless` at once where asking again cannot help, and else `ModelError`."""
    failures = refusals = 0
    turned_away_since: float | None = None
    while True:
        gate.wait(patience.first_wait_seconds)
        try:
            answer = ask()
        except (Refused, Unanswered) as error:
            last: Refused | Unanswered = error
        else:
            gate.reached = True
            return answer
        _require_hope(last, patience, gate)
        if _told_to_wait(last):
            refusals += 1
            turned_away_since = turned_away_since or time.monotonic()
            if time.monotonic() - turned_away_since > patience.rate_limit_seconds:
                raise ModelError(f"still turned away after {patience.rate_limit_seconds:g} s: {last}") from None
            gate.close_for(_wait_told(last, patience, refusals))
            continue
        failures += 1
        if failures >= patience.tries:
            raise ModelError(f"no answer from {url} in {patience.tries} tries, at last: {last}") from None
        if failures == FAILURES_TO_MENTION:
            gate.mention(f"no answer from {url} yet ({last}); asking up to {patience.tries} times")
        time.sleep(patience.wait_seconds(failures))


def _require_hope(error: Refused | Unanswered, patience: Patience, gate: Gate) -> None:
    """Raise where asking again cannot help."""
    if isinstance(error, Unreachable):
        if gate.seconds_unreached() > patience.connect_seconds:
            raise Hopeless(f"no connection in {patience.connect_seconds:g} s: {error}")
        return
    gate.reached = True
    if isinstance(error, Refused) and error.status in HOPELESS_STATUSES:
        raise Hopeless(str(error))
    if isinstance(error, Refused) and error.status not in RETRIED_STATUSES:
        raise ModelError(str(error))


def _told_to_wait(error: Exception) -> bool:
    if not isinstance(error, Refused):
        return False
    waiting_told = error.status == SERVICE_UNAVAILABLE and error.retry_after_seconds is not None
    return error.status == TOO_MANY_REQUESTS or waiting_told


def _wait_told(error: Exception, patience: Patience, refusals: int) -> float:
    told = error.retry_after_seconds if isinstance(error, Refused) else None
    if told is None:
        return patience.wait_seconds(refusals)
    return min(max(told, patience.first_wait_seconds / 10), patience.rate_limit_seconds)
