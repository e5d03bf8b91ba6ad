"""Retries: when, how often, and coordinated between workers."""

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
    """An error that every other request would get too: a wrong key, or a model that the server does not have."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a request."""

    tries: int = 10
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0
    rate_limit_seconds: float = 1800.0
    """How long a request may be refused with 429 before it fails. Being told to wait is not a failed try."""
    connect_seconds: float = 10.0
    """How long to try a server that was never reached. A server that was reached may come back."""

    def wait_seconds(self, failures: int) -> float:
        """Exponential backoff with jitter, so that workers do not all return at once."""
        bound = min(self.longest_wait_seconds, self.first_wait_seconds * 2 ** min(failures - 1, 30))
        return bound * random.uniform(0.5, 1.0)


@dataclass(slots=True)
class Gate:
    """Shared by all workers. When the server asks one to wait, all wait; problems are reported once for all."""

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
        """How long the server has been tried without a single connection; 0 once there was one."""
        with self.lock:
            self.unreached_since = self.unreached_since or time.monotonic()
            return 0.0 if self.reached else time.monotonic() - self.unreached_since

    def mention(self, message: str) -> None:
        """Warn, unless a recent warning exists. The time between warnings doubles."""
        with self.lock:
            if time.monotonic() < self.silent_until:
                return
            self.silent_until = time.monotonic() + self.silence_seconds
            self.silence_seconds *= 2
        _log.warning("%s", message)


def ask_patiently(ask: Callable[[], Any], patience: Patience, gate: Gate, url: str) -> Any:
    """Call `ask()` until it answers. Raises `Hopeless` at once if retrying cannot help, otherwise `ModelError`."""
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
                raise ModelError(f"still refused after {patience.rate_limit_seconds:g} s: {last}") from None
            gate.close_for(_wait_told(last, patience, refusals))
            continue
        failures += 1
        if failures >= patience.tries:
            raise ModelError(f"no answer from {url} in {patience.tries} tries; last error: {last}") from None
        if failures == FAILURES_TO_MENTION:
            gate.mention(f"no answer from {url} yet ({last}); asking up to {patience.tries} times")
        time.sleep(patience.wait_seconds(failures))


def _require_hope(error: Refused | Unanswered, patience: Patience, gate: Gate) -> None:
    """Raise if retrying cannot help."""
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
