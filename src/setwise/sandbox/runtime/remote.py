"""The referee's view of things that live in the program's process.

A `Handle` has no equality of the program's making: it equals nothing but itself. Arguments travel to the program,
results travel back as plain data, and every judgement is made here.
"""

import marshal
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from .codec import MAX_ANSWER_BYTES, CodecError, Encoder, NamedItems

_TRUSTED = (
    "bisect cmath collections copy datetime decimal fractions functools heapq itertools math operator re statistics "
    "string sys"
)
TRUSTED_MODULES = frozenset(_TRUSTED.split())
_BATCHES = (1, 16, 256)
_MAX_ITEMS = 100_000

PROGRAM, PLAIN_CALL = b"P", b"C"
"""First bytes of the two requests that every program gets; what follows is marshalled, which reads fastest. The other
requests are a codec's tuples. No answer is ever unmarshalled."""
_PLAIN = frozenset([int, bool, str, float, bytes, type(None)])
_MAX_PLAIN_VALUES = 1000
_MARSHAL_VERSION = 2
"""The last that writes a value twice where it occurs twice, as the codec does."""

Ask = Callable[[bytes], Any]
"""Sends one encoded request and gives the decoded value, or raises what the program raised."""


class NoAnswerCanEqual(Exception):
    """A test expects what no answer can hold. That is the test's doing alone: what a program does must not decide
    whether it is judged."""


class ProgramName:
    """A name of the program's, to be called, or passed to the program by reference."""

    def __init__(self, name: str, ask: Ask) -> None:
        self.name = name
        self.ask = ask

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return request(self.ask, "call", self, args, kwargs)


class SourceText:
    """A lambda of a test's, to be made in the program's process because it is an argument there."""

    def __init__(self, text: str) -> None:
        self.text = text


class Handle:
    """An object that stays in the program's process. Only questions without arguments go to it by themselves."""

    def __init__(self, number: str, ask: Ask) -> None:
        self.number = number
        self.ask = ask

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Handle) and not _fits_an_answer(other):
            raise NoAnswerCanEqual(f"expects a {type(other).__name__} that is too large, or no plain data")
        return self is other

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return request(self.ask, "truth", self) is True

    def __len__(self) -> int:
        return request(self.ask, "length", self)

    def __iter__(self) -> Iterator[Any]:
        iterator = request(self.ask, "iterate", self)
        seen = turn = 0
        while seen < _MAX_ITEMS:
            answer = request(self.ask, "next", iterator, _BATCHES[min(turn, len(_BATCHES) - 1)])
            if type(answer) is not tuple or len(answer) != 2 or type(answer[0]) is not list:
                raise TypeError("the program's iterator gave something else than items")
            yield from answer[0]
            if answer[1] is not False or not answer[0]:
                return
            seen += len(answer[0])
            turn += 1
        raise OverflowError(f"more than {_MAX_ITEMS} items")


def request(ask: Ask, operation: str, *arguments: Any) -> Any:
    return ask(encode_request(operation, *arguments))


def encode_request(operation: str, *arguments: Any) -> bytes:
    if operation == "call" and type(arguments[0]) is ProgramName and not arguments[2] and _is_plain(arguments[1]):
        return PLAIN_CALL + marshal.dumps((arguments[0].name, arguments[1]), _MARSHAL_VERSION)
    return Encoder(_reference).encode((operation, *arguments))


def encode_program(program: str, setup: str) -> bytes:
    return PROGRAM + marshal.dumps((program, setup), _MARSHAL_VERSION)


def _is_plain(value: Any) -> bool:
    """Whether marshal would rebuild it as the codec does. Not sets: marshal sorts them; not NaN: the codec has one."""
    todo = [value]
    for item in todo:
        kind = type(item)
        if kind is list or kind is tuple:
            todo += item
        elif kind is dict:
            todo += item
            todo += item.values()
        elif kind not in _PLAIN or item != item:
            return False
        if len(todo) > _MAX_PLAIN_VALUES:
            return False
    return True


def value_of(thing: Any) -> Any:
    """A variable of the program's as plain data."""
    return request(thing.ask, "value", thing) if isinstance(thing, ProgramName) else thing


def attribute_of(thing: Any, name: str) -> Any:
    if isinstance(thing, Handle | ProgramName):
        return request(thing.ask, "attribute", thing, name)
    if isinstance(thing, NamedItems) and name in thing.names:
        return thing[thing.names.index(name)]
    return getattr(thing, name)


def call_answer(thing: Any, *args: Any, **kwargs: Any) -> Any:
    """A call that stands in the test, of what the program answered. A handle is not callable by itself: `map` and its
    like would hand it expected values."""
    if isinstance(thing, Handle):
        return request(thing.ask, "call", thing, args, kwargs)
    return thing(*args, **kwargs)


def call_method(thing: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """A method of a value. Arguments may be expected values, so only a plain value's own method may see them."""
    if isinstance(thing, Handle | ProgramName):
        if args or kwargs:
            raise TypeError(f"the program returned an object where plain data was expected, to call {name} on")
        return request(thing.ask, "method", thing, name, (), {})
    return getattr(thing, name)(*args, **kwargs)


def call_object_method(thing: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """A method of an object that the test itself asked a class of the program's for."""
    if isinstance(thing, Handle | ProgramName):
        return request(thing.ask, "method", thing, name, args, kwargs)
    return getattr(thing, name)(*args, **kwargs)


def _fits_an_answer(value: Any) -> bool:
    try:
        return len(Encoder(_reference).encode(("value", value))) <= MAX_ANSWER_BYTES
    except CodecError:
        return False


def _reference(value: Any) -> tuple[bytes, bytes] | None:
    kind = type(value)
    if kind is Handle:
        return b"H", value.number.encode()
    if kind is ProgramName:
        return b"N", value.name.encode()
    if kind is SourceText:
        return b"L", value.text.encode()
    if kind in (types.BuiltinFunctionType, types.FunctionType, type):
        home, name = value.__module__, value.__qualname__
        known = home == "builtins" or home.lstrip("_") in TRUSTED_MODULES
        if known and getattr(sys.modules.get(home), name, None) is value:
            return b"B", f"{home}.{name}".encode()
    return None
