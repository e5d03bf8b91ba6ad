"""Requests to one program's process, and its answers, within the program's CPU time."""

import os
import select
import struct
from _socket import CMSG_SPACE, MSG_DONTWAIT, SCM_CREDENTIALS, socket
from dataclasses import dataclass, field
from typing import Any

from .channel import HEADER_BYTES, NONCE_BYTES, BadFrame, ChannelClosed, frame, frame_length
from .codec import VALUE_START, CodecError, Decoder
from .handles import Handle, kept_value
from .raised import ExceptionClasses
from .schedule import Share, oldest_leaf_below, share_of
from .time_allowed import OutOfTime, TimeAllowed
from .zygote_client import Zygote, ZygoteFailed

_MAX_ANSWER_BYTES = 32 << 20
_READ_BYTES = 1 << 15
_CREDENTIALS = struct.Struct("3i")
_MAX_JOINED_BYTES = 1 << 15
"""Well below what a socket holds: both sides writing at once must not block each other."""


class Ended(BaseException):
    """The conversation is over, for the reason in `Conversation.ended`. Not an exception that a test could expect."""


@dataclass
class Conversation:
    """One question at a time: the next is sent when the last is answered, since its arguments may be what a dishonest
    program would like to answer. Only the program itself is sent together with the first question."""

    connection: socket
    zygote: Zygote
    cpu_limit: float
    watched: list[int]
    """Descriptors that become ready only when the trainer is gone."""
    process: int = 0
    """The program's process, as soon as it has answered."""
    load_error: BaseException | None = None
    """Why the program did not load. Every question raises it, and a test may expect an exception, so whoever runs the
    tests must check here as well."""
    ended: Exception | None = None
    """Why nothing more can be asked: the program's time is up, it is gone, or it broke the rules. Whoever runs the
    tests must check here too, since a test may continue after any exception."""
    _load: bytes = b""
    """The request to load the program, until it is sent."""
    _buffer: bytearray = field(default_factory=bytearray)
    _received: int = 0
    _classes: ExceptionClasses = field(default_factory=ExceptionClasses)
    _reading: bool = False
    _time: TimeAllowed = field(init=False)

    def __post_init__(self) -> None:
        self._time = TimeAllowed(self.cpu_limit, self._share)

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
        if self.ended:
            raise Ended
        try:
            return self._ask(payload)
        except (OutOfTime, ChannelClosed, BadFrame, CodecError, ZygoteFailed) as end:
            self.ended = end
            raise Ended from None

    def _ask(self, payload: bytes) -> Any:
        if self._reading:
            raise BadFrame("an answer that cannot be read without asking again")
        nonce = os.urandom(NONCE_BYTES)
        request = frame(nonce, payload)
        if self._load:
            request = self._send_load(request)
        if request:
            self._send(request)
        return self._interpret(self._receive(nonce))

    def _send_load(self, request: bytes) -> bytes:
        """Returns the request if it was too long to be sent along."""
        nonce = os.urandom(NONCE_BYTES)
        program, self._load = self._load, b""
        try:
            load = frame(nonce, program)
            joined = len(load) + len(request) <= _MAX_JOINED_BYTES
            self._send(load + request if joined else load)
            self._interpret(self._receive(nonce, asked_more=joined and bool(request)))
        except BaseException as error:
            self.load_error = error
            raise
        return b"" if joined else request

    def _send(self, data: bytes) -> None:
        """Begins the program's turn."""
        self._time.begin_turn()
        view = memoryview(data)
        while view:
            try:
                view = view[self.connection.send(view, MSG_DONTWAIT) :]
            except BlockingIOError:
                self._wait(to_write=True)
            except (BrokenPipeError, ConnectionResetError):
                raise ChannelClosed from None

    def _receive(self, nonce: bytes, *, asked_more: bool = False) -> bytes:
        """One whole frame. Anything after the last answer was not asked for."""
        data, expected = self._buffer, HEADER_BYTES
        while True:
            if len(data) >= HEADER_BYTES:
                expected = HEADER_BYTES + frame_length(data[:HEADER_BYTES])
            if len(data) >= expected:
                break
            self._wait()
            data += self._read()
        self._time.end_turn()
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
        """Read with the kernel's information about the sending process."""
        part, notes, _, _ = self.connection.recvmsg(_READ_BYTES, CMSG_SPACE(_CREDENTIALS.size))
        for _, kind, content in notes:
            if kind == SCM_CREDENTIALS:
                self.process = _CREDENTIALS.unpack(content)[0]
        return part

    def _wait(self, *, to_write: bool = False) -> None:
        """Wait until there is something to read, or room to write."""
        reading = [*self.watched] if to_write else [*self.watched, self.connection]
        writing = [self.connection] if to_write else []
        while True:
            readable, writable, _ = select.select(reading, writing, [], self._time.seconds_to_wait())
            if any(descriptor in self.watched for descriptor in readable):
                os._exit(0)
            if readable or writable:
                return
            self._time.check()

    def _share(self) -> Share:
        process = self.process or oldest_leaf_below(self.zygote.process)
        return share_of(process) if process else Share(self.zygote.cpu_seconds())

    def _interpret(self, payload: bytes) -> Any:
        self._reading = True
        try:
            if payload.startswith(VALUE_START):
                return Decoder(payload, self._special, len(VALUE_START), self._kin).decode()
            content = Decoder(payload, self._special, kin=self._kin).decode()
        finally:
            self._reading = False
        match content:
            case ("raised", Handle() as handle, tuple() as classes, tuple() as args, str() as message):
                raise self._classes.exception(handle, classes, args, message)
            case ("class", tuple() as classes):
                return self._classes.kind(classes)
        raise BadFrame("an answer of no known kind")

    def _special(self, tag: bytes, payload: bytes) -> Handle:
        if tag != b"H" or len(payload) > 9 or not payload.isdigit():
            raise CodecError(f"unknown tag {tag!r}")
        return Handle(payload.decode(), self.ask)

    def _kin(self, payload: bytes, plain: Any) -> Any:
        return kept_value(self._special(b"H", payload), plain)
