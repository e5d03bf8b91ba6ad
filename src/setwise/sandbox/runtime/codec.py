"""Plain data as tagged bytes: the messages between the referee and a program's process. Never pickle.

Only values whose behaviour is the interpreter's own can be written. An instance of a subclass of a built-in type is
written as the built-in value it holds, so the program's methods never travel; the `kin` hook may add where the object
itself is kept. Everything else is left to the `opaque` hook, which may keep the object in its process, behind a number.
Reading is bounded in depth, in values and in hash collisions, because the bytes come from a program that wants to be
judged right.
"""

import struct
from collections.abc import Callable
from typing import Any

from .plain_types import (
    CONTAINERS,
    HASHED,
    HOLDING,
    LENGTH,
    MAPPED,
    NAMES_OF_BUILT_IN,
    READERS,
    SCALARS,
    WRITERS,
    CodecError,
)

MAX_DEPTH = 150
MAX_VALUES = 250_000
MAX_ANSWER_BYTES = (1 << 22) - 1

Opaque = Callable[[Any], tuple[bytes, bytes] | None]
"""Returns (tag, payload) for a value that is not plain data, or None."""
Kin = Callable[[Any], tuple[bytes, bytes] | None]
"""Returns (tag, payload) for an instance of a subclass of a plain type. After the tag `W`, the plain value follows."""
ALONGSIDE = b"W"


def _no_kin(value: Any) -> None:
    return None


class Encoder:
    """Writes one value. The hook's tags are `H` (a handle) and whatever its partner's decoder knows."""

    def __init__(self, opaque: Opaque, kin: Kin = _no_kin, *, plain_keys: bool = False) -> None:
        self._opaque = opaque
        self._kin = kin
        self._plain_keys = plain_keys
        """A container that would have to hash something that is not plain is itself not plain."""
        self._parts: list[bytes] = []
        self._values = 0
        self._opaques = 0

    def encode(self, value: Any) -> bytes:
        self._write(value, 0)
        return b"".join(self._parts)

    def _write(self, value: Any, depth: int) -> None:
        self._values += 1
        if self._values > MAX_VALUES or depth > MAX_DEPTH:
            raise CodecError("the value is too large or too deeply nested")
        kind = type(value)
        writer = WRITERS.get(kind)
        if writer is None:
            writer = next((WRITERS[base] for base in kind.__mro__ if base in WRITERS), None)
            if writer is None and kind not in HOLDING:
                self._write_opaque(value)
                return
            kin = self._kin(value)
            if kin:
                tag, payload = kin
                self._parts.append(tag + LENGTH.pack(len(payload)) + payload)
                if tag != ALONGSIDE:
                    return
                depth += 1
            if writer is None:
                self._write(HOLDING[kind](value), depth)
                return
        tag, content = writer(value)
        if tag in CONTAINERS:
            self._write_container(value, tag, content, depth)
        else:
            self._parts.append(tag + LENGTH.pack(len(content)) + content)

    def _write_container(self, value: Any, tag: bytes, content: tuple[Any, ...], depth: int) -> None:
        start = len(self._parts)
        self._parts.append(tag + LENGTH.pack(len(content)))
        keys = 1 if tag in HASHED else 2 if tag in MAPPED else 0
        if not keys or not self._plain_keys:
            self._write_items(content, depth + 1)
            return
        for place, item in enumerate(content):
            before = self._opaques
            self._write(item, depth + 1)
            if place % keys == 0 and self._opaques > before:
                del self._parts[start:]
                self._write_opaque(value)
                return

    def _write_items(self, items: tuple[Any, ...], depth: int) -> None:
        """Most items are scalars, and most of the time is spent here."""
        if self._values + len(items) > MAX_VALUES or (items and depth > MAX_DEPTH):
            raise CodecError("the value is too large or too deeply nested")
        parts, pack = self._parts, LENGTH.pack
        for item in items:
            writer = SCALARS.get(type(item))
            if writer is None:
                self._write(item, depth)
                continue
            self._values += 1
            tag, content = writer(item)
            parts.append(tag + pack(len(content)) + content)

    def _write_opaque(self, value: Any) -> None:
        name = NAMES_OF_BUILT_IN.get(id(value))
        if name is None:
            self._opaques += 1
        written = (b"y", name.encode()) if name else self._opaque(value)
        if written is None:
            raise CodecError(f"{type(value).__name__} is not plain data")
        tag, payload = written
        self._parts.append(tag + LENGTH.pack(len(payload)) + payload)


class Decoder:
    """Reads one value. `special` handles the tags that are not plain data; `kin` handles a plain value together with
    where the object it stands for is kept."""

    def __init__(
        self,
        data: bytes,
        special: Callable[[bytes, bytes], Any],
        start: int = 0,
        kin: Callable[[bytes, Any], Any] | None = None,
    ) -> None:
        self._data = data
        self._special = special
        self._kin = kin
        self._at = start
        self._values = 0

    def decode(self) -> Any:
        try:
            value = self._read(0)
        except CodecError:
            raise
        except (ValueError, TypeError, OverflowError, ArithmeticError, LookupError, struct.error) as error:
            raise CodecError(f"not an encoding: {error}") from None
        if self._at != len(self._data):
            raise CodecError("bytes left over after the value")
        return value

    def _read(self, depth: int) -> Any:
        self._values += 1
        if self._values > MAX_VALUES or depth > MAX_DEPTH:
            raise CodecError("the value is too large or too deeply nested")
        tag = self._data[self._at : self._at + 1]
        (length,) = LENGTH.unpack_from(self._data, self._at + 1)
        self._at += 5
        if tag in CONTAINERS:
            # Every item takes at least five bytes, so a length cannot promise more than is there.
            if length > (len(self._data) - self._at) // 5:
                raise CodecError("a container promises more items than there are bytes")
            return CONTAINERS[tag](tuple([self._read(depth + 1) for _ in range(length)]))
        payload = self._data[self._at : self._at + length]
        if len(payload) != length:
            raise CodecError("a value promises more bytes than there are")
        self._at += length
        if tag == ALONGSIDE and self._kin:
            # One value, although it takes two tags.
            self._values -= 1
            return self._kin(payload, self._read(depth + 1))
        reader = READERS.get(tag)
        return reader(payload) if reader else self._special(tag, payload)


def encode_scalar(value: Any) -> bytes | None:
    """What an Encoder writes for `("value", value)` if the value is not a container, by far the most common answer."""
    writer = SCALARS.get(type(value))
    if writer is None:
        return None
    tag, content = writer(value)
    return VALUE_START + tag + LENGTH.pack(len(content)) + content if len(content) < _LONG else None


VALUE_START = Encoder(lambda value: None).encode(("value", None))[:-5]
"""How the encoding of `("value", anything)` begins. The rest is the encoding of the value."""
_LONG = 1 << 16
