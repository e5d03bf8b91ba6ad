"""What a program raised, as the referee raises it: classes that both sides know, and stand-ins for the program's own,
at the same place in the class hierarchy.

A stand-in runs none of the program's code. Its text is asked for when a test needs it.
"""

import sys
from typing import Any

from .channel import BadFrame
from .handles import Handle, operate
from .remote import TRUSTED_MODULES

_MOST_CLASSES = 100
_STEERING = (StopIteration, StopAsyncIteration, GeneratorExit, BaseExceptionGroup)
"""Raised here, they would end a loop of the test itself, or could not be made without their parts."""


class ProgramRaised(Exception):
    """What the program raised has no meaningful description."""


class ProgramExit(BaseException):
    """For classes of the program that do not derive from Exception."""


_STAND_INS: dict[type, type] = {
    kind: type(kind.__name__, (Exception if issubclass(kind, Exception) else ProgramExit,), {})
    for kind in (*_STEERING, ExceptionGroup)
}
_ANY = (Exception, ProgramExit, KeyboardInterrupt, SystemExit)
"""Whatever a program can raise, without our own signals to end the judging."""


def caught(kind: Any) -> Any:
    """What an `except` in a test has to catch in order to catch that."""
    if isinstance(kind, tuple):
        return tuple(part for item in kind for part in _flat(caught(item)))
    if kind is BaseException:
        return _ANY
    return (kind, _STAND_INS[kind]) if kind in _STAND_INS else kind


def _flat(kind: Any) -> tuple[Any, ...]:
    return kind if isinstance(kind, tuple) else (kind,)


class ExceptionClasses:
    """The classes of one program's exceptions, by the numbers that its process gives them."""

    def __init__(self) -> None:
        self._known: dict[int, type] = {}

    def exception(self, handle: Handle, classes: Any, args: Any, said: str) -> BaseException:
        kind = self.kind(classes)
        if not issubclass(kind, BaseException):
            return ProgramRaised(said)
        error = _made(kind, args if type(args) is tuple else ())
        error.__dict__.update(_handle=handle, _said=f"{kind.__name__}: {said}")
        return error

    def kind(self, classes: Any) -> type:
        """From (number, module, name, numbers of its bases) of each class, most derived first."""
        if type(classes) is not tuple or not 0 < len(classes) <= _MOST_CLASSES:
            raise BadFrame("an exception of no class")
        for description in reversed(classes):
            match description:
                case (int() as number, str() as module, str() as name, tuple() as bases):
                    if number not in self._known:
                        self._known[number] = _shared(module, name) or self._stand_in(name, bases)
                case _:
                    raise BadFrame("an exception of a class without description")
        return self._known[classes[0][0]]

    def _stand_in(self, name: str, bases: tuple[Any, ...]) -> type:
        known = tuple(self._known[base] for base in bases if type(base) is int and base in self._known)
        known = tuple(ProgramExit if base is BaseException else base for base in known)
        raises = any(issubclass(base, BaseException) for base in known)
        try:
            return type(name[:100], known or (object,), _asking() if raises else {})
        except (TypeError, ValueError):
            return ProgramRaised


def _made(kind: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    try:
        if kind.__module__ != __name__:
            return kind(*args)
    except Exception:
        # Its constructor does not take the arguments that were kept.
        pass
    error = kind.__new__(kind)
    error.args = args
    return error


def _asking() -> dict[str, Any]:
    return {
        "__module__": __name__,
        "__init__": lambda self, *args: None,
        "__str__": lambda self: operate("str", self),
        "__repr__": lambda self: operate("repr", self),
    }


def _shared(module: str, name: str) -> type | None:
    """A class that both sides know, from the language or from a module that the tests may use."""
    if module == "builtins" or module.lstrip("_") in TRUSTED_MODULES:
        kind = getattr(sys.modules.get(module), name, None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            return _STAND_INS.get(kind, kind)
    return None


def is_stand_in(error: object) -> bool:
    return type(error).__module__ == __name__


def described(error: BaseException) -> str:
    """Without asking the program."""
    said = error.__dict__.get("_said") if isinstance(error, BaseException) else None
    return said or f"{type(error).__name__}: {error}"
