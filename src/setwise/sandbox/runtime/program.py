"""The program's own process: run it, then answer the referee's requests until killed.

Nothing here is a secret or a guard. The program shares this process and may rewrite all of it; all it can reach
that way is its own answers.
"""

import builtins
import marshal
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from .channel import HEADER_BYTES, PAYLOAD_START, BadFrame, ChannelClosed, frame, frame_length
from .codec import MAX_ANSWER_BYTES, CodecError, Decoder, Encoder, encode_scalar
from .remote import PLAIN_CALL, PROGRAM

MODULE_NAME = "program"
_READ_BYTES = 1 << 12
_SHOWN_CHARACTERS = 300


class ProgramProcess:
    """The globals of one program and the objects it keeps for the referee.

    Made before the fork that it is meant for. `serve` runs in a fresh fork, where each page touched is a page to copy:
    hence one function, with what it calls at hand.
    """

    def __init__(self) -> None:
        module = types.ModuleType(MODULE_NAME)
        sys.modules[MODULE_NAME] = module
        self._names = module.__dict__
        self._names["__builtins__"] = vars(builtins)
        self._kept: list[Any] = []

    def serve(
        self,
        descriptor: int,
        read: Callable[[int, int], bytes] = os.read,
        write: Callable[[int, bytes], int] = os.write,
        unmarshal: Callable[[bytes], Any] = marshal.loads,
    ) -> None:
        """Until the channel ends."""
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
                    # That the program has loaded is told by its first answer too, and wakes the referee once less.
                    held = answer
                    continue
            except BaseException as error:
                answer = frame(nonce, Encoder(_nothing).encode(("raised", type(error).__name__, _said(error))))
            answer, held = held + answer, b""
            while answer:
                answer = answer[write(descriptor, answer) :]

    def _encode(self, value: Any) -> bytes:
        try:
            encoded = Encoder(self._keep).encode(("value", value))
            if len(encoded) <= MAX_ANSWER_BYTES:
                return encoded
        except (CodecError, BadFrame, RuntimeError):
            # Too deep, too large, or changing while it is read: it stays here.
            pass
        return Encoder(self._keep).encode(("value", _Wrapped(value)))

    def _keep(self, value: Any) -> tuple[bytes, bytes]:
        self._kept.append(value.value if type(value) is _Wrapped else value)
        return b"H", str(len(self._kept) - 1).encode()

    def _resolve(self, tag: bytes, payload: bytes) -> Any:
        text = payload.decode()
        if tag == b"H":
            return self._kept[int(text)]
        if tag == b"N":
            return self._look_up(text)
        if tag == b"L":
            return eval(text, self._names)
        if tag == b"B":
            module, _, name = text.rpartition(".")
            return getattr(__import__(module, fromlist=[name]), name)
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

    def _do_value(self, target: Any) -> Any:
        return target

    def _do_truth(self, target: Any) -> bool:
        return bool(target)

    def _do_length(self, target: Any) -> int:
        return len(target)

    def _do_iterate(self, target: Any) -> Any:
        return _Wrapped(iter(target))

    def _do_next(self, target: Iterator[Any], count: int) -> tuple[list[Any], bool]:
        items = []
        for item in target:
            items.append(item)
            if len(items) == count:
                return items, False
        return items, True


class _Wrapped:
    """Forces a value to stay in this process."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _nothing(value: Any) -> None:
    return None


def _said(error: BaseException) -> str:
    try:
        return str(error)[:_SHOWN_CHARACTERS]
    except BaseException:
        return ""
