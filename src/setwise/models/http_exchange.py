"""Sends one JSON question to an HTTP server and reads its answer, with bounds on time and size.

The standard library is enough: a completion takes seconds, so a connection per request costs nothing, and the core
install needs no HTTP package.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from setwise.errors import InputError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SHOWN_BYTES = 2_000
TIMEOUT_SECONDS = 600.0
LONGEST_TIMEOUT_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one exchange may take."""

    timeout_seconds: float = TIMEOUT_SECONDS
    """For the whole exchange, so that a server that keeps sending a little runs into it too."""
    response_bytes: int = 32 * 1024 * 1024

    def __post_init__(self) -> None:
        if not 0 < self.timeout_seconds <= LONGEST_TIMEOUT_SECONDS:
            rule = f"a timeout is a number of seconds above 0 and at most {LONGEST_TIMEOUT_SECONDS:,.0f}"
            raise InputError(rule, value=self.timeout_seconds)


class Unanswered(Exception):
    """No usable answer came: the connection failed, or the reply is not a JSON object. Asking again may help."""


class Unreachable(Unanswered):
    """No connection could be made."""


class Refused(Exception):
    """The server answered with an error status."""

    def __init__(self, status: int, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(f"HTTP {status}: {message}" if message else f"HTTP {status}")
        self.status, self.retry_after_seconds = status, retry_after_seconds


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected POST would become a GET and send the key to another host."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


_DIRECT = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))
_PROXIED = urllib.request.build_opener(_NoRedirects)


def post_json(url: str, body: dict[str, Any], headers: dict[str, str], bounds: Bounds) -> dict[str, Any]:
    """Send a JSON object and get one back. Raises only `Unanswered` or `Refused`."""
    deadline = time.monotonic() + bounds.timeout_seconds
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json", "Accept": "application/json", **headers}
    )
    opener = _DIRECT if urlsplit(url).hostname in _LOOPBACK else _PROXIED
    try:
        with opener.open(request, timeout=bounds.timeout_seconds) as response:
            return _object(_bounded_read(response, bounds.response_bytes, deadline))
    except urllib.error.HTTPError as error:
        with error:
            message = _error_message(error, deadline)
        raise Refused(error.code, message, retry_after(error.headers.get("Retry-After"))) from None
    except urllib.error.URLError as error:
        raise Unreachable(f"{type(error).__name__}: {error.reason}") from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise Unanswered(f"{type(error).__name__}: {reason}") from None


def retry_after(value: str | None) -> float | None:
    """The seconds in a Retry-After header, which is a number or a date.

    >>> retry_after("7"), retry_after("soon"), retry_after("Wed, 21 Oct 2015 07:28:00 GMT")
    (7.0, None, 0.0)
    """
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _bounded_read(response: Any, limit: int, deadline: float) -> bytes:
    """The body. `read1` returns what one receive brought, so that a slow trickle also meets the deadline."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(65536):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise Unanswered(f"the answer is longer than {limit} bytes")
        if time.monotonic() > deadline:
            raise Unanswered("the answer did not end in time")
    if response.length:
        raise Unanswered(f"the connection ended {response.length} bytes early")
    return b"".join(parts)


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise Unanswered("the answer is not UTF-8") from None
    except (ValueError, RecursionError):
        raise Unanswered(f"the answer is not JSON ({len(body)} bytes)") from None
    if not isinstance(answer, dict):
        raise Unanswered("the answer is not a JSON object")
    return answer


def _error_message(error: urllib.error.HTTPError, deadline: float) -> str:
    try:
        body = _bounded_read(error, _SHOWN_BYTES * 10, deadline)
    except (Unanswered, OSError, http.client.HTTPException):
        return str(error.reason)
    text = body.decode("utf-8", "replace")
    try:
        answer = json.loads(text)
        told = answer.get("error", answer)
        text = str(told.get("message", told) if isinstance(told, dict) else told)
    except (ValueError, AttributeError, RecursionError):
        pass
    return " ".join(text.split())[:300]
