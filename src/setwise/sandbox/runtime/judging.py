"""One job against one fresh process: load the program, run the tests here, decide."""

import builtins
import importlib
import os
import select
import signal
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from .channel import (
    HEADER_BYTES,
    NONCE_BYTES,
    BadFrame,
    ChannelClosed,
    frame,
    frame_length,
)
from .codec import CodecError, Decoder
from .remote import (
    TRUSTED_MODULES,
    Handle,
    ProgramName,
    SourceText,
    attribute_of,
    call_method,
    call_object_method,
    request,
    value_of,
)
from .rewriting import TRUSTED_BUILTINS, CompiledTest, Plan, UnsupportedTest, make_plan
from .zygote_client import ChildReport, Zygote

_STALLED_AFTER_CHECKS = 3
_SECONDS_BETWEEN_CHECKS = 1.0
_WALL_SECONDS_PER_CPU_SECOND = 20
_WALL_SECONDS_AT_LEAST = 60
_JUDGING_CPU_SECONDS = 2.0
_MAX_ANSWER_BYTES = 32 << 20
_READ_BYTES = 1 << 18
_SHOWN_CHARACTERS = 300


class OutOfTime(Exception):
    """The program used up its CPU time, or waits for something that will not come."""


@dataclass(frozen=True)
class Outcome:
    status: str
    results: list[str]
    cpu_seconds: float = 0.0
    detail: str = ""


@dataclass
class Conversation:
    """Requests to one program's process, within its CPU time."""

    connection: socket.socket
    zygote: Zygote
    cpu_limit: float
    watched: list[int]
    """Descriptors that become ready only when the trainer is gone."""
    started: float = field(default_factory=time.monotonic)
    cpu_used: float = 0.0
    _idle_checks: int = 0
    _received: int = 0

    def ask(self, payload: bytes) -> Any:
        nonce = os.urandom(NONCE_BYTES)
        try:
            self.connection.sendall(frame(nonce, payload))
        except (BrokenPipeError, ConnectionResetError):
            raise ChannelClosed from None
        except TimeoutError:
            raise OutOfTime("does not read its requests") from None
        answer = self._receive()
        if answer[:NONCE_BYTES] != nonce:
            raise BadFrame("an answer to no question")
        return self._interpret(answer[NONCE_BYTES:])

    def _receive(self) -> bytes:
        """One whole frame and nothing after it: what follows an answer was not asked for."""
        data = bytearray()
        expected = HEADER_BYTES
        while len(data) < expected:
            self._wait()
            try:
                part = self.connection.recv(_READ_BYTES)
            except ConnectionResetError:
                part = b""
            if not part:
                raise ChannelClosed
            data += part
            if len(data) >= HEADER_BYTES:
                expected = HEADER_BYTES + frame_length(data[:HEADER_BYTES])
        self._received += len(data)
        if len(data) > expected or self._received > _MAX_ANSWER_BYTES:
            raise BadFrame("more than was asked for")
        return bytes(data[HEADER_BYTES:])

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
        used = self.zygote.cpu_seconds()
        if used >= self.cpu_limit:
            raise OutOfTime(f"more than {self.cpu_limit:g} s of CPU time")
        self._idle_checks = self._idle_checks + 1 if used - self.cpu_used < 0.0005 else 0
        self.cpu_used = used
        if self._idle_checks > _STALLED_AFTER_CHECKS:
            raise OutOfTime("waits without using the CPU")
        if since_start > max(_WALL_SECONDS_AT_LEAST, _WALL_SECONDS_PER_CPU_SECOND * self.cpu_limit):
            raise OutOfTime("wall time")

    def _interpret(self, payload: bytes) -> Any:
        answer = Decoder(payload, self._special).decode()
        match answer:
            case ("value", value):
                return value
            case ("raised", str() as name, str() as message):
                raise _exception(name, message)
        raise BadFrame("an answer of no known kind")

    def _special(self, tag: bytes, payload: bytes) -> Handle:
        if tag != b"H" or len(payload) > 9 or not payload.isdigit():
            raise CodecError(f"unknown tag {tag!r}")
        return Handle(payload.decode(), self.ask)


class ProgramRaised(Exception):
    """An exception of a class of the program's own."""


def _exception(name: str, message: str) -> Exception:
    """What the program raised, so that a test may expect it; never anything that could end the referee."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception) and kind is not ExceptionGroup:
        try:
            return kind(message)
        except TypeError:
            pass
    return ProgramRaised(f"{name}: {message}")


def judge(job: dict[str, Any], zygote: Zygote, watched: list[int]) -> Outcome:
    """OSError and EOFError mean that the machinery failed, not the program."""
    try:
        plan = make_plan(job["setup"], tuple(job["tests"]))
    except UnsupportedTest as reason:
        return Outcome("unsupported_test", ["unsupported_test"] * len(job["tests"]), detail=str(reason))
    reasons = [test for test in plan.tests if isinstance(test, str)]
    if reasons:
        results = ["unsupported_test" if isinstance(test, str) else "not_run" for test in plan.tests]
        return Outcome("unsupported_test", results, detail=reasons[0])
    near, far = socket.socketpair()
    near.settimeout(_WALL_SECONDS_AT_LEAST)
    with near:
        with far:
            zygote.fork(far.fileno(), job["cpu_seconds"], job["memory_bytes"])
        conversation = Conversation(near, zygote, job["cpu_seconds"], watched)
        # Comparing is work too, and its cost is the answer's doing: past this the process dies, and the job with it.
        signal.setitimer(signal.ITIMER_VIRTUAL, _JUDGING_CPU_SECONDS)
        try:
            status, results, detail = _run(job["program"], plan, conversation)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        report = zygote.end()
    return _concluded(status, results, detail, report, job["cpu_seconds"])


def _concluded(status: str, results: list[str], detail: str, report: ChildReport, limit: float) -> Outcome:
    if status == "crashed":
        detail = detail or report.describe()
    if report.cpu_seconds > limit and status in ("passed", "failed", "error", "crashed"):
        status, detail = "timeout", f"more than {limit:g} s of CPU time"
        results = ["timeout"] * len(results)
    return Outcome(status, results, report.cpu_seconds, detail[:_SHOWN_CHARACTERS])


def _run(program: str, plan: Plan, conversation: Conversation) -> tuple[str, list[str], str]:
    results: list[str] = []
    detail = ""
    try:
        request(conversation.ask, "load", program, plan.setup.program)
        for test in plan.tests:
            assert isinstance(test, CompiledTest)
            result, said = _run_test(test, plan, conversation)
            results.append(result)
            detail = detail or said
    except (OutOfTime, ChannelClosed, BadFrame, CodecError) as end:
        status = {OutOfTime: "timeout", ChannelClosed: "crashed"}.get(type(end), "protocol_error")
        detail = detail or str(end)
    except Exception as error:
        status, detail = "error", _described(error)
    else:
        status = next((result for result in results if result != "passed"), "passed")
        return status, results, detail
    missing = len(plan.tests) - len(results)
    return status, [*results, *[status] * min(missing, 1), *["not_run"] * (missing - 1)], detail


def _run_test(test: CompiledTest, plan: Plan, conversation: Conversation) -> tuple[str, str]:
    names: dict[str, Any] = {
        **_MODULES,
        "__builtins__": _BUILTINS,
        "__value_of__": value_of,
        "__attribute_of__": attribute_of,
        "__call_method__": call_method,
        "__call_object_method__": call_object_method,
        "__source_text__": SourceText,
    }
    try:
        exec(plan.setup.referee, names)
        # Last, since a variable that lives with the program may be known to the referee's setup too.
        names |= {name: ProgramName(name, conversation.ask) for name in test.program_names}
        exec(test.code, names)
    except AssertionError as error:
        return "failed", _described(error)
    except (OutOfTime, ChannelClosed, BadFrame, CodecError):
        raise
    except (Exception, SystemExit) as error:
        return "error", _described(error)
    return "passed", ""


def _described(error: BaseException) -> str:
    return str(error) if isinstance(error, ProgramRaised) else f"{type(error).__name__}: {error}"


_BUILTINS = {**TRUSTED_BUILTINS, "__import__": __import__}
_MODULES = {name: importlib.import_module(name) for name in TRUSTED_MODULES}
