"""Requests to the program's process: their format, and the program's names that they refer to.

The program's process needs this module too, so it is small.
"""

import marshal
import sys
import types
from collections.abc import Callable
from typing import Any

from .codec import CodecError, Encoder

_TRUSTED = (
    "bisect cmath collections collections.abc copy datetime decimal fractions functools heapq itertools math operator "
    "re statistics string sys"
)
TRUSTED_MODULES = frozenset(_TRUSTED.split())

PROGRAM, PLAIN_CALL = b"P", b"C"
"""First bytes of the two requests that every program gets. What follows is marshalled, which reads fastest. The other
requests are tuples in the codec. No answer is ever unmarshalled."""
_PLAIN = frozenset([int, bool, str, float, bytes, type(None)])
_MAX_PLAIN_VALUES = 1000
_MARSHAL_VERSION = 2
"""The last version that writes a value twice if it occurs twice, as the codec does."""
_FUNCTIONS = (types.BuiltinFunctionType, types.FunctionType, types.MethodDescriptorType)

Ask = Callable[[bytes], Any]
"""Sends one encoded request and returns the decoded value, or raises what the program raised."""


class Unjudgeable(BaseException):
    """The test cannot be judged without trusting the program, or expects what no answer can be.

    This depends on the test alone: what a program does must not decide whether it is judged. Not an exception that a
    test could expect.
    """


class ProgramName:
    """A name of the program, to be called, or passed to the program by reference."""

    def __init__(self, name: str, ask: Ask) -> None:
        self.name = name
        self.ask = ask

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        answer = request(self.ask, "call", self, args, kwargs)
        if self.name[:1].isupper() and hasattr(type(answer), "_made_by"):
            return answer._made_by(self, given=bool(args or kwargs))
        return answer

    def _written(self) -> tuple[bytes, bytes]:
        return b"N", self.name.encode()


class SourceText:
    """An expression of a test, evaluated in the program's process because it is an argument there."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _written(self) -> tuple[bytes, bytes]:
        return b"L", self.text.encode()


def request(ask: Ask, operation: str, *arguments: Any) -> Any:
    try:
        encoded = encode_request(operation, *arguments)
    except CodecError as error:
        raise Unjudgeable(f"gives the program what cannot travel: {error}") from None
    return ask(encoded)


def encode_request(operation: str, *arguments: Any) -> bytes:
    if operation == "call" and type(arguments[0]) is ProgramName and not arguments[2] and _is_plain(arguments[1]):
        return PLAIN_CALL + marshal.dumps((arguments[0].name, arguments[1]), _MARSHAL_VERSION)
    return Encoder(reference, _reference_of_kin).encode((operation, *arguments))


def _reference_of_kin(value: Any) -> tuple[bytes, bytes]:
    """A value of a class that only the test knows would arrive as another."""
    written = reference(value)
    if written is None:
        raise CodecError(f"{type(value).__name__} is a class of the test's own")
    return written


def encode_program(program: str, setup: str) -> bytes:
    return PROGRAM + marshal.dumps((program, setup), _MARSHAL_VERSION)


def _is_plain(value: Any) -> bool:
    """Whether marshal would rebuild it as the codec does. Not sets, which marshal sorts; not NaN, of which the codec
    has one."""
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


def reference(value: Any) -> tuple[bytes, bytes] | None:
    """How the program's process finds what is not plain data: by its own name or number for it, or in a module that
    both sides have."""
    kind = type(value)
    if hasattr(kind, "_written"):
        return value._written()
    if isinstance(value, _FUNCTIONS) and not hasattr(value, "__wrapped__"):
        owner = getattr(value, "__objclass__", None)
        home = owner.__module__ if owner else value.__module__
    elif isinstance(value, type):
        home = value.__module__
    else:
        return None
    if home == "builtins" or (home or "").lstrip("_") in TRUSTED_MODULES:
        found = sys.modules.get(home)
        for part in value.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is value:
            return b"B", f"{home}:{value.__qualname__}".encode()
    return None
