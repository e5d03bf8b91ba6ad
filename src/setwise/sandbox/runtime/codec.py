"""Plain data as tagged bytes: what the referee and a program's process say to each other. Never pickle.

Only values whose behaviour is the interpreter's own can be written. A subclass of a built-in type is written as the
built-in value it holds, so no method of the program's ever travels; of a named tuple the names of its items do.
Everything else is left to the `opaque` hook, which may keep the object at home behind a number. Reading is bounded in
depth, in values and in hash collisions, because the bytes come from whoever wants to be judged right.
"""

import math
import struct
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

MAX_DEPTH = 150
MAX_VALUES = 250_000
MAX_ANSWER_BYTES = (1 << 22) - 1
MAX_SAME_HASH = 32

_LENGTH = struct.Struct(">I")
_DOUBLE = struct.Struct(">d")
_PAIR = struct.Struct(">dd")


class CodecError(ValueError):
    """The value is not plain data, or the bytes are not an encoding of any."""


Opaque = Callable[[Any], tuple[bytes, bytes] | None]
"""Gives (tag, payload) for a value that is not plain data, or None where it has none."""


class Encoder:
    """Writes one value. The hook's tags are `H` (a handle) and whatever its partner's decoder knows."""

    def __init__(self, opaque: Opaque) -> None:
        self._opaque = opaque
        self._parts: list[bytes] = []
        self._values = 0

    def encode(self, value: Any) -> bytes:
        self._write(value, 0)
        return b"".join(self._parts)

    def _write(self, value: Any, depth: int) -> None:
        self._values += 1
        if self._values > MAX_VALUES or depth > MAX_DEPTH:
            raise CodecError("the value is too large or too deeply nested")
        kind = type(value)
        writer = _WRITERS.get(kind) or next((_WRITERS[base] for base in kind.__mro__ if base in _WRITERS), None)
        if writer is None:
            self._write_opaque(value)
            return
        tag, content = writer(value)
        if tag in _CONTAINERS:
            self._parts.append(tag + _LENGTH.pack(len(content)))
            for item in content:
                self._write(item, depth + 1)
        else:
            self._parts.append(tag + _LENGTH.pack(len(content)) + content)

    def _write_opaque(self, value: Any) -> None:
        written = self._opaque(value)
        if written is None:
            raise CodecError(f"{type(value).__name__} is not plain data")
        tag, payload = written
        self._parts.append(tag + _LENGTH.pack(len(payload)) + payload)


class Decoder:
    """Reads one value; `special` makes something of the tags that are not plain data."""

    def __init__(self, data: bytes, special: Callable[[bytes, bytes], Any], start: int = 0) -> None:
        self._data = data
        self._special = special
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
        (length,) = _LENGTH.unpack_from(self._data, self._at + 1)
        self._at += 5
        if tag in _CONTAINERS:
            # Every item takes five bytes at least, so a length cannot promise more than is there.
            if length > (len(self._data) - self._at) // 5:
                raise CodecError("a container promises more items than there are bytes")
            return _CONTAINERS[tag](tuple([self._read(depth + 1) for _ in range(length)]))
        payload = self._data[self._at : self._at + length]
        if len(payload) != length:
            raise CodecError("a value promises more bytes than there are")
        self._at += length
        reader = _READERS.get(tag)
        return reader(payload) if reader else self._special(tag, payload)


def encode_scalar(value: Any) -> bytes | None:
    """What an Encoder writes for `("value", value)`, where the value is no container; the commonest of all answers."""
    writer = _SCALARS.get(type(value))
    if writer is None:
        return None
    tag, content = writer(value)
    return VALUE_START + tag + _LENGTH.pack(len(content)) + content if len(content) < _LONG else None


def _integer(value: int) -> tuple[bytes, bytes]:
    plain = int.__add__(value, 0)
    return b"i", int.to_bytes(plain, int.bit_length(plain) // 8 + 1, "big", signed=True)


def _keys_view(value: Any) -> tuple[bytes, tuple[Any, ...]]:
    return b"K", tuple(value)


class NamedItems(tuple[Any, ...]):
    """What a named tuple arrives as. The names are the program's choice, so they are no attributes: a name such as
    `startswith` would stand in for a method that decides a test."""

    names: tuple[str, ...] = ()


def _tuple(value: tuple[Any, ...]) -> tuple[bytes, tuple[Any, ...]]:
    items = tuple(tuple.__iter__(value))
    names = getattr(type(value), "_fields", None)
    if type(names) is tuple and len(names) == len(items) and all(map(_is_identifier, names)):
        # One text, since names count towards the values that an answer may hold.
        return b"R", (" ".join(names), *items)
    return b"t", items


def _is_identifier(name: Any) -> bool:
    return isinstance(name, str) and str.isidentifier(name)


def _pairs(items: Iterable[tuple[Any, Any]]) -> tuple[Any, ...]:
    return tuple([part for pair in items for part in pair])


def _text(value: str) -> bytes:
    return str.encode(value, "utf-8", "surrogatepass")


_PLAIN_TYPES = {
    kind.__name__: kind
    for kind in (bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict, range, type(None))
}


def _type_name(value: type) -> tuple[bytes, bytes]:
    if _PLAIN_TYPES.get(value.__name__) is not value:
        raise CodecError("a class of the program's own is not plain data")
    return b"y", value.__name__.encode()


_WRITERS: dict[type, Callable[[Any], tuple[bytes, Any]]] = {
    type(None): lambda v: (b"n", b""),
    bool: lambda v: (b"b", b"1" if v else b"0"),
    int: _integer,
    float: lambda v: (b"f", _DOUBLE.pack(float.__pos__(v))),
    complex: lambda v: (b"c", _PAIR.pack(complex.real.__get__(v), complex.imag.__get__(v))),
    str: lambda v: (b"s", _text(v)),
    bytes: lambda v: (b"x", b"".join([bytes.__getitem__(v, slice(None))])),
    bytearray: lambda v: (b"X", bytes(memoryview(v))),
    list: lambda v: (b"l", tuple(list.__iter__(v))),
    tuple: _tuple,
    set: lambda v: (b"S", tuple(set.__iter__(v))),
    frozenset: lambda v: (b"F", tuple(frozenset.__iter__(v))),
    Counter: lambda v: (b"C", _pairs(dict.items(v))),
    OrderedDict: lambda v: (b"O", _pairs(OrderedDict.items(v))),
    dict: lambda v: (b"d", _pairs(dict.items(v))),
    deque: lambda v: (b"q", tuple(deque.__iter__(v))),
    type({}.keys()): _keys_view,
    type({}.items()): lambda v: (b"I", _pairs(v)),
    range: lambda v: (b"r", (v.start, v.stop, v.step)),
    slice: lambda v: (b"z", (v.start, v.stop, v.step)),
    Decimal: lambda v: (b"D", Decimal.__str__(v).encode()),
    Fraction: lambda v: (b"Q", (v.numerator, v.denominator)),
    datetime: lambda v: (b"T", datetime.isoformat(v).encode()),
    date: lambda v: (b"A", date.isoformat(v).encode()),
    time: lambda v: (b"M", time.isoformat(v).encode()),
    timedelta: lambda v: (b"E", (v.days, v.seconds, v.microseconds)),
    type(Ellipsis): lambda v: (b"e", b""),
    type: _type_name,
}


def _float(payload: bytes) -> float:
    (value,) = _DOUBLE.unpack(payload)
    # One NaN for all: containers compare by identity first, and a program that answers [nan] where [math.nan] is
    # expected is right in plain execution too.
    return math.nan if value != value else value


def _hashable(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Refuse items made to collide: a set of them would take the square of their number to build."""
    counts: dict[int, int] = {}
    for item in items:
        key = hash(item)
        counts[key] = counts.get(key, 0) + 1
    if counts and max(counts.values()) > MAX_SAME_HASH:
        raise CodecError("too many values with one hash")
    return items


def _mapping(items: tuple[Any, ...]) -> dict[Any, Any]:
    if len(items) % 2:
        raise CodecError("a key without its value")
    return dict(zip(_hashable(items[::2]), items[1::2], strict=True))


def _named_items(items: tuple[Any, ...]) -> NamedItems:
    names, *rest = items
    if type(names) is not str or len(names.split()) != len(rest):
        raise CodecError("not one name for each item")
    named = NamedItems(rest)
    named.names = tuple(names.split())
    return named


def _counter(items: tuple[Any, ...]) -> Counter[Any]:
    counted: Counter[Any] = Counter()
    dict.update(counted, _mapping(items))
    return counted


_CONTAINERS: dict[bytes, Callable[[tuple[Any, ...]], Any]] = {
    b"l": list,
    b"t": tuple,
    b"R": _named_items,
    b"S": lambda items: set(_hashable(items)),
    b"F": lambda items: frozenset(_hashable(items)),
    b"C": _counter,
    b"O": lambda items: OrderedDict(_mapping(items)),
    b"d": _mapping,
    b"q": deque,
    b"K": lambda items: dict.fromkeys(_hashable(items)).keys(),
    b"I": lambda items: _mapping(items).items(),
    b"r": lambda items: range(*items),
    b"z": lambda items: slice(*items),
    b"Q": lambda items: Fraction(*items),
    b"E": lambda items: timedelta(*items),
}
_READERS: dict[bytes, Callable[[bytes], Any]] = {
    b"n": lambda p: None,
    b"b": lambda p: p == b"1",
    b"i": lambda p: int.from_bytes(p, "big", signed=True),
    b"f": _float,
    b"c": lambda p: complex(*_PAIR.unpack(p)),
    b"s": lambda p: p.decode("utf-8", "surrogatepass"),
    b"x": bytes,
    b"X": bytearray,
    b"D": lambda p: Decimal(p.decode("ascii")),
    b"T": lambda p: datetime.fromisoformat(p.decode("ascii")),
    b"A": lambda p: date.fromisoformat(p.decode("ascii")),
    b"M": lambda p: time.fromisoformat(p.decode("ascii")),
    b"e": lambda p: ...,
    b"y": lambda p: _PLAIN_TYPES[p.decode("ascii")],
}
_SCALARS = {kind: _WRITERS[kind] for kind in (int, bool, str, float, type(None))}
VALUE_START = Encoder(lambda value: None).encode(("value", None))[:-5]
"""How the encoding of `("value", anything)` begins; that of the value itself is the rest."""
_LONG = 1 << 16
