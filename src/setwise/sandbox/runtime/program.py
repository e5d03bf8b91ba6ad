"""The program's own process: run it, then answer the referee's requests until killed.

Nothing here is a secret or a guard. The program shares this process and may rewrite all of it; all it can reach
that way is its own answers.
"""

import os
import sys
import types
from collections.abc import Iterator
from typing import Any

from .channel import HEADER_BYTES, NONCE_BYTES, BadFrame, frame, frame_length, read_exactly, write_all
from .codec import CodecError, Decoder, Encoder

MODULE_NAME = "program"
_RECURSION_LIMIT = 1000
_SHOWN_CHARACTERS = 300


class ProgramProcess:
    """The globals of one program and the objects it keeps for the referee."""

    def __init__(self) -> None:
        self._module = types.ModuleType(MODULE_NAME)
        sys.modules[MODULE_NAME] = self._module
        self._kept: list[Any] = []

    def serve(self, descriptor: int) -> None:
        # The depth a program has in plain execution, whatever our own frames take.
        sys.setrecursionlimit(_RECURSION_LIMIT + 20)
        while True:
            message = read_exactly(descriptor, frame_length(read_exactly(descriptor, HEADER_BYTES)))
            nonce, payload = message[:NONCE_BYTES], message[NONCE_BYTES:]
            write_all(descriptor, self.answer(nonce, payload))

    def answer(self, nonce: bytes, payload: bytes) -> bytes:
        try:
            operation, *arguments = Decoder(payload, self._resolve).decode()
            value = getattr(self, f"_do_{operation}")(*arguments)
            return frame(nonce, self._encode(value))
        except BaseException as error:
            return frame(nonce, Encoder(_nothing).encode(("raised", type(error).__name__, _said(error))))

    def _encode(self, value: Any) -> bytes:
        try:
            encoded = Encoder(self._keep).encode(("value", value))
            if len(encoded) < (1 << 22):
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
            return eval(text, self._module.__dict__)
        if tag == b"B":
            module, _, name = text.rpartition(".")
            return getattr(__import__(module, fromlist=[name]), name)
        raise CodecError(f"unknown tag {tag!r}")

    def _look_up(self, name: str) -> Any:
        found = self._module.__dict__
        if name in found:
            return found[name]
        try:
            return getattr(__import__("builtins"), name)
        except AttributeError:
            raise NameError(f"name {name!r} is not defined") from None

    def _do_load(self, program: str, setup: str) -> None:
        names = self._module.__dict__
        exec(compile(program, "<program>", "exec", dont_inherit=True), names)
        if setup:
            exec(compile(setup, "<setup>", "exec", dont_inherit=True), names)

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


def run_program(descriptor: int) -> None:
    """Never returns."""
    try:
        ProgramProcess().serve(descriptor)
    finally:
        os._exit(1)


def _nothing(value: Any) -> None:
    return None


def _said(error: BaseException) -> str:
    try:
        return str(error)[:_SHOWN_CHARACTERS]
    except BaseException:
        return ""
