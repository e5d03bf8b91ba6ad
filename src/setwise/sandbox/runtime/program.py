"""The program's own process: run it, then answer the referee's requests until killed.

Nothing here is a secret or a safeguard. The program shares this process and may rewrite all of it, but can reach only
its own answers that way.
"""

import builtins
import marshal
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from .channel import HEADER_BYTES, PAYLOAD_START, BadFrame, ChannelClosed, frame, frame_length
from .codec import ALONGSIDE, MAX_ANSWER_BYTES, CodecError, Decoder, Encoder, encode_scalar
from .operations import OPERATIONS
from .plain_types import WRITERS
from .remote import PLAIN_CALL, PROGRAM

MODULE_NAME = "program"
_READ_BYTES = 1 << 12
_SHOWN_CHARACTERS = 300


class ProgramProcess:
    """The globals of one program and the objects it keeps for the referee.

    Made before the fork that it is meant for. `serve` runs in a fresh fork, where each page touched is copied; hence
    one function, with everything it calls at hand.
    """

    def __init__(self) -> None:
        module = types.ModuleType(MODULE_NAME)
        sys.modules[MODULE_NAME] = module
        self._names = module.__dict__
        self._names["__builtins__"] = vars(builtins)
        self._kept: list[Any] = []
        self._classes: list[type] = []

    def serve(
        self,
        descriptor: int,
        read: Callable[[int, int], bytes] = os.read,
        write: Callable[[int, bytes], int] = os.write,
        unmarshal: Callable[[bytes], Any] = marshal.loads,
    ) -> None:
        """Runs until the channel ends."""
        names = self._names
        data, end, held = b"", HEADER_BYTES, b""
        while True:
            while len(data) < end or len(data) < (end := HEADER_BYTES + frame_length(data)):
                part = read(descriptor, max(end - len(data), _READ_BYTES))
                if not part:
                    raise ChannelClosed
                data += part
            nonce, payload = data[HEADER_BYTES:PAYLOAD_START], data[PAYLOAD_START:end]
            data, end = data[end:], HEADER_BYTES
            try:
                kind = payload[:1]
                if kind == PLAIN_CALL:
                    name, args = unmarshal(payload[1:])
                    value = (names[name] if name in names else self._look_up(name))(*args)
                elif kind == PROGRAM:
                    program, setup = unmarshal(payload[1:])
                    exec(compile(program, "<program>", "exec", dont_inherit=True), names)
                    if setup:
                        exec(compile(setup, "<setup>", "exec", dont_inherit=True), names)
                    value = None
                else:
                    operation, *arguments = Decoder(payload, self._resolve).decode()
                    value = getattr(self, f"_do_{operation}")(*arguments)
                answer = frame(nonce, encode_scalar(value) or self._encode(value))
                if kind == PROGRAM and data:
                    # The first answer also shows that the program has loaded, which wakes the referee once less.
                    held = answer
                    continue
            except BaseException as error:
                answer = frame(nonce, self._raised(error))
            answer, held = held + answer, b""
            while answer:
                answer = answer[write(descriptor, answer) :]

    def _encode(self, value: Any) -> bytes:
        if type(value) is _Description:
            return Encoder(_nothing).encode(("class", value.classes))
        for kin in (self._alongside, _nothing):
            kept = len(self._kept)
            try:
                encoded = Encoder(self._keep, kin, plain_keys=True).encode(("value", value))
                if len(encoded) <= MAX_ANSWER_BYTES:
                    return encoded
            except (CodecError, BadFrame, RuntimeError):
                # Too deep, too large, or changing while it is read, so it stays here.
                pass
            if len(self._kept) == kept:
                # It would not become smaller.
                break
        return Encoder(self._keep).encode(("value", _Wrapped(value)))

    def _raised(self, error: BaseException) -> bytes:
        classes, said = self._describe(type(error)), _said(error)
        for args in (_arguments_of(error), ()):
            try:
                content = ("raised", _Wrapped(error), classes, args, said)
                encoded = Encoder(self._keep, self._alongside, plain_keys=True).encode(content)
                if len(encoded) <= MAX_ANSWER_BYTES:
                    return encoded
            except (CodecError, RuntimeError):
                pass
        return Encoder(self._keep).encode(("raised", _Wrapped(error), classes, (), ""))

    def _describe(self, kind: type) -> tuple[Any, ...]:
        """A class and all its bases: number, module, name, and the numbers of its bases."""
        return tuple(
            (self._number(each), str(each.__module__), each.__qualname__, tuple(map(self._number, each.__bases__)))
            for each in kind.__mro__
            if each is not object
        )

    def _number(self, kind: type) -> int:
        for number, known in enumerate(self._classes):
            if known is kind:
                return number
        self._classes.append(kind)
        return len(self._classes) - 1

    def _keep(self, value: Any) -> tuple[bytes, bytes]:
        self._kept.append(value.value if type(value) is _Wrapped else value)
        return b"H", str(len(self._kept) - 1).encode()

    def _alongside(self, value: Any) -> tuple[bytes, bytes]:
        return ALONGSIDE, self._keep(value)[1]

    def _resolve(self, tag: bytes, payload: bytes) -> Any:
        text = payload.decode()
        if tag == b"H":
            return self._kept[int(text)]
        if tag == b"N":
            return self._look_up(text)
        if tag == b"L":
            return eval(text, self._names)
        if tag == b"B":
            module, _, path = text.partition(":")
            found: Any = __import__(module, fromlist=["*"])
            for name in path.split("."):
                found = getattr(found, name)
            return found
        raise CodecError(f"unknown tag {tag!r}")

    def _look_up(self, name: str) -> Any:
        if name in self._names:
            return self._names[name]
        try:
            return getattr(builtins, name)
        except AttributeError:
            raise NameError(f"name {name!r} is not defined") from None

    def _do_call(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return target(*args, **kwargs)

    def _do_method(self, target: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return getattr(target, name)(*args, **kwargs)

    def _do_attribute(self, target: Any, name: str) -> Any:
        return getattr(target, name)

    def _do_value(self, target: Any) -> list[Any]:
        return [target, callable(target)]

    def _do_plain(self, target: Any, name: str) -> tuple[bool, Any]:
        """As the built-in value that it holds, if its class leaves comparing to that."""
        kind = type(target)
        base = next((base for base in kind.__mro__ if base in WRITERS), None)
        own = f"__{name}__"
        if base is None or getattr(kind, own) is not getattr(base, own):
            return False, None
        return True, target

    def _do_is_class(self, target: Any) -> bool:
        return isinstance(target, type)

    def _do_exception_class(self, target: Any) -> Any:
        if isinstance(target, type) and issubclass(target, BaseException):
            return _Description(self._describe(target))
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")

    def _do_operate(self, name: str, *operands: Any) -> Any:
        value = OPERATIONS[name](*operands)
        return _Wrapped(value) if name == "reversed" else value

    def _do_iterate(self, target: Any) -> Any:
        return _Wrapped(iter(target))

    def _do_step(self, target: Iterator[Any]) -> tuple[bool, Any]:
        try:
            return True, next(target)
        except StopIteration as end:
            return False, end.value

    def _do_next(self, target: Iterator[Any], count: int) -> tuple[list[Any], bool]:
        """Stops before a value that can be changed: that travels as it is when its turn comes."""
        items = []
        for item in target:
            items.append(item)
            if len(items) == count or type(item) not in _FIXED:
                return items, False
        return items, True

    def _do_all(self, target: Any, most: int) -> Any:
        """Together, since one of them may change while the next is made."""
        items = []
        for item in target:
            items.append(item)
            if len(items) > most:
                raise OverflowError(f"more than {most} items")
        return items


_FIXED = frozenset([int, bool, str, float, bytes, type(None), complex])


class _Description:
    """A class of exceptions, for which the referee makes a stand-in."""

    def __init__(self, classes: tuple[Any, ...]) -> None:
        self.classes = classes


class _Wrapped:
    """Forces a value to stay in this process."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _nothing(value: Any) -> None:
    return None


def _arguments_of(error: BaseException) -> tuple[Any, ...]:
    args = vars(BaseException)["args"].__get__(error)
    if type(error).__module__ == "builtins" and isinstance(error, OSError) and len(args) == 2 and error.filename:
        # It takes its file's name as an argument but does not keep it as one.
        args = (*args, error.filename) if error.filename2 is None else (*args, error.filename, None, error.filename2)
    return args


def _said(error: BaseException) -> str:
    try:
        return str(error)[:_SHOWN_CHARACTERS]
    except BaseException:
        return ""
