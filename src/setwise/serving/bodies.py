"""Reads and sends bodies over ASGI: bounded in size and time when reading, complete when sending."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from starlette.types import Receive, Scope, Send

from setwise.serving.limits import Limits
from setwise.serving.refusals import Refusal, too_large, too_slow

_DISCARDED_BYTES = 16 * 1024 * 1024
"""How much of a body that is too large is still read: a client that is still sending does not read a refusal."""
JSON = {"Content-Type": "application/json"}


async def read_body(scope: Scope, receive: Receive, limits: Limits) -> bytes:
    declared = _content_length(scope)
    if declared > _DISCARDED_BYTES:
        raise too_large(limits.body_bytes)
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(limits.receive_seconds):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refusal(400, "the client hung up")
                part = message.get("body", b"")
                size, more = size + len(part), message.get("more_body", False)
                if size <= limits.body_bytes:
                    parts.append(part)
                elif size > _DISCARDED_BYTES:
                    break
    except TimeoutError:
        raise too_slow(limits.receive_seconds) from None
    if size > limits.body_bytes:
        raise too_large(limits.body_bytes)
    return b"".join(parts)


async def send_json(
    send: Send, status: int, record: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> None:
    """ASCII, so that a lone surrogate, which models do write, is an escape rather than an error."""
    body = json.dumps(record).encode()
    await send_start(send, status, {**JSON, "Content-Length": str(len(body)), **(headers or {})})
    await send({"type": "http.response.body", "body": body})


async def send_refusal(send: Send, refusal: Refusal) -> None:
    closing = {"Connection": "close"} if refusal.status in (408, 413, 503) else {}
    await send_json(send, refusal.status, refusal.to_record(), {**refusal.headers, **closing})


async def send_start(send: Send, status: int, headers: Mapping[str, str]) -> None:
    pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})


def _content_length(scope: Scope) -> int:
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(value) if value.isdigit() else 0
