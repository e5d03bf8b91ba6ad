"""Server-sent events, as far as chat completions use them: lines that begin with `data:`."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

DONE = b"[DONE]"
LONGEST_EVENT_BYTES = 4 * 1024 * 1024


def event(record: Mapping[str, Any]) -> bytes:
    """
    >>> event({"a": 1})
    b'data: {"a": 1}\\n\\n'
    """
    return b"data: " + json.dumps(record).encode() + b"\n\n"


def done() -> bytes:
    return b"data: " + DONE + b"\n\n"


async def data_of_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The content after `data:`, line by line. Raises ValueError if a line does not end."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > LONGEST_EVENT_BYTES:
            raise ValueError("an event is too long")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip()
    if rest.startswith(b"data:"):
        yield rest[5:].strip()
