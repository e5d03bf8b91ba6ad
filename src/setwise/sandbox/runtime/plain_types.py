"""How each kind of plain data is written and read. See `codec`."""

import builtins
import math
import struct
from collections import Counter, OrderedDict, UserDict, UserList, UserString, deque
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

MAX_SAME_HASH = 32

LENGTH = struct.Struct(">I")
_DOUBLE = struct.Struct(">d")
_PAIR = struct.Struct(">dd")


class CodecError(ValueError):
    """The value is not plain data, or the bytes do not encode any."""


def _integer(value: int) -> tuple[bytes, bytes]:
    plain = int.__add__(value, 0)
    return b"i", int.to_bytes(plain, int.bit_length(plain) // 8 + 1, "big", signed=True)


def _keys_view(value: Any) -> tuple[bytes, tuple[Any, ...]]:
    return b"K", tuple(value)


def _pairs(items: Iterable[tuple[Any, Any]]) -> tuple[Any, ...]:
    return tuple([part for pair in items for part in pair])


def _text(value: str) -> bytes:
    return str.encode(value, "utf-8", "surrogatepass")


_UNSHARED = (
    "breakpoint compile copyright credits delattr eval exec exit globals help input license locals memoryview open "
    "print quit setattr super vars"
)
BUILT_IN: dict[str, Any] = {
    name: getattr(builtins, name)
    for name in dir(builtins)
    if not name.startswith("_") and name not in _UNSHARED.split() and callable(getattr(builtins, name))
} | {"NoneType": type(None)}
"""Classes and functions of the language itself. They are the same on both sides, and valid answers."""
NAMES_OF_BUILT_IN = {id(thing): name for name, thing in BUILT_IN.items()}


WRITERS: dict[type, Callable[[Any], tuple[bytes, Any]]] = {
    type(None): lambda v: (b"n", b""),
    bool: lambda v: (b"b", b"1" if v else b"0"),
    int: _integer,
    float: lambda v: (b"f", _DOUBLE.pack(float.__pos__(v))),
    complex: lambda v: (b"c", _PAIR.pack(complex.real.__get__(v), complex.imag.__get__(v))),
    str: lambda v: (b"s", _text(v)),
    bytes: lambda v: (b"x", b"".join([bytes.__getitem__(v, slice(None))])),
    bytearray: lambda v: (b"X", bytes(memoryview(v))),
    list: lambda v: (b"l", tuple(list.__iter__(v))),
    tuple: lambda v: (b"t", tuple(tuple.__iter__(v))),
    set: lambda v: (b"S", tuple(set.__iter__(v))),
    frozenset: lambda v: (b"F", tuple(frozenset.__iter__(v))),
    Counter: lambda v: (b"C", _pairs(dict.items(v))),
    OrderedDict: lambda v: (b"O", _pairs(OrderedDict.items(v))),
    dict: lambda v: (b"d", _pairs(dict.items(v))),
    deque: lambda v: (b"q", (v.maxlen, *deque.__iter__(v))),
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
    type(NotImplemented): lambda v: (b"j", b""),
}


def _float(payload: bytes) -> float:
    (value,) = _DOUBLE.unpack(payload)
    # One NaN for all: containers compare by identity first, and a program that answers [nan] where [math.nan] is
    # expected is right in plain execution too.
    return math.nan if value != value else value


def _hashable(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Refuse items made to collide, since building a set of them would take quadratic time."""
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


def _counter(items: tuple[Any, ...]) -> Counter[Any]:
    counted: Counter[Any] = Counter()
    dict.update(counted, _mapping(items))
    return counted


CONTAINERS: dict[bytes, Callable[[tuple[Any, ...]], Any]] = {
    b"l": list,
    b"t": tuple,
    b"S": lambda items: set(_hashable(items)),
    b"F": lambda items: frozenset(_hashable(items)),
    b"C": _counter,
    b"O": lambda items: OrderedDict(_mapping(items)),
    b"d": _mapping,
    b"q": lambda items: deque(items[1:], items[0]),
    b"K": lambda items: dict.fromkeys(_hashable(items)).keys(),
    b"I": lambda items: _mapping(items).items(),
    b"r": lambda items: range(*items),
    b"z": lambda items: slice(*items),
    b"Q": lambda items: Fraction(*items),
    b"E": lambda items: timedelta(*items),
}
READERS: dict[bytes, Callable[[bytes], Any]] = {
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
    b"j": lambda p: NotImplemented,
    b"y": lambda p: BUILT_IN[p.decode("ascii")],
}
SCALARS = {kind: WRITERS[kind] for kind in (int, bool, str, float, type(None))}
HASHED = frozenset([b"S", b"F", b"K"])
"""Containers that hash everything they hold."""
MAPPED = frozenset([b"d", b"O", b"C", b"I"])
"""Containers that hash every other item they hold."""
HOLDING: dict[type, Callable[[Any], Any]] = {
    UserDict: lambda v: v.data,
    UserList: lambda v: v.data,
    UserString: lambda v: v.data,
    MappingProxyType: dict,
}
"""Classes of the standard library that are not plain types but equal the plain value they hold."""
