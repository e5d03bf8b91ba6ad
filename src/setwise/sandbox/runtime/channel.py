"""Framed messages over one socket between the referee and a program's process.

A request carries a random number that its answer must repeat, and is sent only after the previous one was answered. So
nothing can be answered before it is asked, or with what is asked later.
"""

import os
import struct

MAX_FRAME_BYTES = 4 << 20
NONCE_BYTES = 8
_HEADER = struct.Struct(">I")


class ChannelClosed(Exception):
    """The other side is gone."""


class BadFrame(Exception):
    """The other side broke the rules of the channel."""


def frame(nonce: bytes, payload: bytes) -> bytes:
    if len(payload) > MAX_FRAME_BYTES:
        raise BadFrame(f"a message of more than {MAX_FRAME_BYTES} bytes")
    return _HEADER.pack(NONCE_BYTES + len(payload)) + nonce + payload


def frame_length(header: bytes | bytearray) -> int:
    (length,) = _HEADER.unpack_from(header)
    if not NONCE_BYTES <= length <= MAX_FRAME_BYTES + NONCE_BYTES:
        raise BadFrame(f"a message of {length} bytes")
    return length


HEADER_BYTES = _HEADER.size
PAYLOAD_START = HEADER_BYTES + NONCE_BYTES


def read_exactly(descriptor: int, count: int) -> bytes:
    """Blocking; used at the referee's end of the trainer's pipe."""
    parts = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            raise ChannelClosed
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
