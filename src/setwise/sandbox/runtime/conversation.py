"""Requests to one program's process, and the answers, within the program's CPU time."""

import builtins
import os
import select
import struct
import time
from _socket import CMSG_SPACE, SCM_CREDENTIALS, socket
from dataclasses import dataclass, field
from typing import Any

from .channel import HEADER_BYTES, NONCE_BYTES, BadFrame, ChannelClosed, frame, frame_length
from .codec import VALUE_START, CodecError, Decoder
from .cpu_clock import cpu_seconds_of
from .remote import Handle
from .zygote_client import Zygote

WALL_SECONDS_AT_LEAST = 60
_WALL_SECONDS_PER_CPU_SECOND = 20
_STALLED_AFTER_CHECKS = 3
_SECONDS_BETWEEN_CHECKS = 1.0
_LEAST_PROGRESS_SECONDS = 0.0005
_MAX_ANSWER_BYTES = 32 << 20
_READ_BYTES = 1 << 15
_CREDENTIALS = struct.Struct("3i")
_MAX_JOINED_BYTES = 1 << 15
"""Well below what a socket holds: both sides writing at once must not block each other."""


class OutOfTime(Exception):
    """The program used up its CPU time, or waits for something that will not come."""


class ProgramRaised(Exception):
    """An exception of a class of the program's own."""


@dataclass
class Conversation:
    """One question at a time: the next is sent when the last is answered, since its arguments may be what a dishonest
    program would like to answer. Only the program itself travels with the first question."""

    connection: socket
    zygote: Zygote
    cpu_limit: float
    watched: list[int]
    """Descriptors that become ready only when the trainer is gone."""
    started: float = field(default_factory=time.monotonic)
    cpu_used: float = 0.0
    process: int = 0
    """The program's, as soon as it has answered."""
    load_error: Exception | None = None
    """Why the program did not load. It is raised by every question, in a test that may expect an exception: whoever
    runs the tests has to look here as well."""
    _load: bytes = b""
    """The request to load the program, until it is sent."""
    _buffer: bytearray = field(default_factory=bytearray)
    _idle_checks: int = 0
    _received: int = 0

    def load(self, payload: bytes) -> None:
        """Sent with the first question, which saves waking both sides once."""
        self._load = payload

    def ensure_loaded(self) -> None:
        """For tests that turned out to ask nothing."""
        if self._load:
            self._send_load(b"")

    def ask(self, payload: bytes) -> Any:
        if self.load_error:
            raise self.load_error
        nonce = os.urandom(NONCE_BYTES)
        request = frame(nonce, payload)
        if self._load:
            request = self._send_load(request)
        if request:
            self._send(request)
        return self._interpret(self._receive(nonce))

    def _send_load(self, request: bytes) -> bytes:
        """Gives the request back where it was too long to be sent along."""
        nonce = os.urandom(NONCE_BYTES)
        program, self._load = self._load, b""
        try:
            load = frame(nonce, program)
            joined = len(load) + len(request) <= _MAX_JOINED_BYTES
            self._send(load + request if joined else load)
            self._interpret(self._receive(nonce, asked_more=joined and bool(request)))
        except Exception as error:
            self.load_error = error
            raise
        return b"" if joined else request

    def _send(self, data: bytes) -> None:
        if len(data) > _MAX_JOINED_BYTES:
            self.connection.settimeout(WALL_SECONDS_AT_LEAST)
        try:
            self.connection.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise ChannelClosed from None
        except TimeoutError:
            raise OutOfTime("does not read its requests") from None

    def _receive(self, nonce: bytes, *, asked_more: bool = False) -> bytes:
        """One whole frame. What follows the last answer asked for was not asked for."""
        data, expected = self._buffer, HEADER_BYTES
        while True:
            if len(data) >= HEADER_BYTES:
                expected = HEADER_BYTES + frame_length(data[:HEADER_BYTES])
            if len(data) >= expected:
                break
            self._wait()
            data += self._read()
        answer = bytes(data[HEADER_BYTES:expected])
        del data[:expected]
        if answer[:NONCE_BYTES] != nonce:
            raise BadFrame("an answer to no question")
        if data and not asked_more:
            raise BadFrame("more than was asked for")
        return answer[NONCE_BYTES:]

    def _read(self) -> bytes:
        try:
            part = self.connection.recv(_READ_BYTES) if self.process else self._read_first()
        except ConnectionResetError:
            part = b""
        if not part:
            raise ChannelClosed
        self._received += len(part)
        if self._received > _MAX_ANSWER_BYTES:
            raise BadFrame("answers beyond all measure")
        return part

    def _read_first(self) -> bytes:
        """With the kernel's word on whose it is."""
        part, notes, _, _ = self.connection.recvmsg(_READ_BYTES, CMSG_SPACE(_CREDENTIALS.size))
        for _, kind, content in notes:
            if kind == SCM_CREDENTIALS:
                self.process = _CREDENTIALS.unpack(content)[0]
        return part

    def _wait(self) -> None:
        """Until there is something to read. CPU time is asked for only when the wall clock says that it may be up."""
        while True:
            since_start = time.monotonic() - self.started
            patience = self.cpu_limit - (self.cpu_used or since_start)
            patience = _SECONDS_BETWEEN_CHECKS if self._idle_checks else max(patience, 0.01)
            ready = select.select([self.connection, *self.watched], [], [], patience)[0]
            if any(descriptor in self.watched for descriptor in ready):
                os._exit(0)
            if ready:
                return
            self._check_time(since_start)

    def _check_time(self, since_start: float) -> None:
        used = cpu_seconds_of(self.process) if self.process else self.zygote.cpu_seconds()
        if used >= self.cpu_limit:
            raise OutOfTime(f"more than {self.cpu_limit:g} s of CPU time")
        self._idle_checks = self._idle_checks + 1 if used - self.cpu_used < _LEAST_PROGRESS_SECONDS else 0
        self.cpu_used = used
        if self._idle_checks > _STALLED_AFTER_CHECKS:
            raise OutOfTime("waits without using the CPU")
        if since_start > max(WALL_SECONDS_AT_LEAST, _WALL_SECONDS_PER_CPU_SECOND * self.cpu_limit):
            raise OutOfTime("wall time")

    def _interpret(self, payload: bytes) -> Any:
        if payload.startswith(VALUE_START):
            return Decoder(payload, self._special, len(VALUE_START)).decode()
        match Decoder(payload, self._special).decode():
            case ("raised", str() as name, str() as message):
                raise _exception(name, message)
        raise BadFrame("an answer of no known kind")

    def _special(self, tag: bytes, payload: bytes) -> Handle:
        if tag != b"H" or len(payload) > 9 or not payload.isdigit():
            raise CodecError(f"unknown tag {tag!r}")
        return Handle(payload.decode(), self.ask)


_STEERING = (ExceptionGroup, StopIteration, StopAsyncIteration)


def _exception(name: str, message: str) -> Exception:
    """What the program raised, so that a test may expect it; never what would end the referee or steer a loop."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, _STEERING):
        try:
            return kind(message)
        except TypeError:
            pass
    return ProgramRaised(f"{name}: {message}")
