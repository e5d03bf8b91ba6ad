"""The referee's end of the zygote: starts it at a tier, keeps a child ready for each program, and reports how it
ended."""

import marshal
import os
import signal
import struct
import subprocess
import sys
import sysconfig
from _socket import AF_UNIX, SCM_RIGHTS, SO_PASSCRED, SOCK_SEQPACKET, SOL_SOCKET, socket, socketpair
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .lockdown.limits import kernel_seconds
from .orders import CPU, END, FAILED, FORK, ORDER, REPLACE, REPORT

_MAX_MESSAGE = 1 << 12
_DESCRIPTOR = struct.Struct("i")
_START_SECONDS = 60
_FOLDER = str(Path(__file__).parents[1])
_START = f"import sys; sys.path.insert(0, {_FOLDER!r}); from runtime import zygote; del sys.path[0]; zygote.main()"
# Nothing from the trainer. One hash seed for all, so that the order of a set does not decide a verdict. Symbols are
# bound at the start, since otherwise each child would have to bind its own.
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "LD_BIND_NOW": "1",
}


class ZygoteFailed(OSError):
    """The zygote could not do what was asked."""


@dataclass(frozen=True)
class ChildReport:
    cpu_seconds: float
    exit_code: int
    signal: int

    def describe(self) -> str:
        if self.signal:
            try:
                return f"ended by {signal.Signals(self.signal).name}"
            except ValueError:
                return f"ended by signal {self.signal}"
        return f"ended with status {self.exit_code}"


class Zygote:
    """A warm, isolated interpreter. `facts` is its report about the walls.

    Two children are kept: the one that runs a program, and one for the next. An idle child has been told nothing.
    """

    def __init__(self, tier: str) -> None:
        self._socket, theirs = socketpair(AF_UNIX, SOCK_SEQPACKET)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-P", "-c", _START, str(theirs.fileno()), tier, *_library_folders()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=_ENVIRONMENT,
                cwd="/",
            )
        finally:
            theirs.close()
        self._socket.settimeout(_START_SECONDS)
        try:
            self.facts: dict[str, Any] = marshal.loads(self._receive())
        except OSError:
            self.close()
            raise
        self._socket.settimeout(None)
        self._limits = (0, 0)
        self._channels: list[socket] = []
        self._unanswered: list[socket | None] = []
        """For each fork not yet confirmed, the channel of the child that it replaces."""

    @property
    def process(self) -> int:
        """The first of its processes; the others descend from it."""
        return self._process.pid

    def channel(self, cpu_seconds: float, memory_bytes: int) -> socket:
        """A channel to a child that has its limits and waits for a request."""
        limits = (kernel_seconds(cpu_seconds), memory_bytes)
        if self._limits != limits:
            while self._channels:
                self._end()
            self._limits = limits
        while len(self._channels) < 2:
            self._fork(FORK)
        while len(self._unanswered) >= len(self._channels):
            self._await_fork()
        return self._channels[0]

    def cpu_seconds(self) -> float:
        return self._order(CPU)[0]

    def end(self) -> ChildReport:
        """End the first child, and report how it ended."""
        return ChildReport(*self._end())

    def replace(self) -> None:
        """The first child is no longer needed. Does not wait."""
        self._fork(REPLACE, replaced=self._channels.pop(0))

    def close(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def _fork(self, order: bytes, replaced: socket | None = None) -> None:
        near, far = socketpair()
        # The kernel then reports with each answer which process sent it.
        near.setsockopt(SOL_SOCKET, SO_PASSCRED, 1)
        rights = (SOL_SOCKET, SCM_RIGHTS, _DESCRIPTOR.pack(far.fileno()))
        self._socket.sendmsg([ORDER.pack(order, *self._limits)], [rights])
        far.close()
        self._channels.append(near)
        self._unanswered.append(replaced)

    def _end(self) -> tuple[float, int, int]:
        report = self._order(END)
        self._channels.pop(0).close()
        return report

    def _order(self, what: bytes) -> tuple[float, int, int]:
        while self._unanswered:
            self._await_fork()
        self._socket.send(ORDER.pack(what, 0, 0))
        return REPORT.unpack(self._receive())

    def _await_fork(self) -> None:
        self._receive()
        replaced = self._unanswered.pop(0)
        if replaced:
            # Only now: closed before the child was killed, the channel would have woken it.
            replaced.close()

    def _receive(self) -> bytes:
        data = self._socket.recv(_MAX_MESSAGE)
        if not data:
            raise ZygoteFailed(5, "the zygote is gone")
        if data[:1] == FAILED:
            raise ZygoteFailed(5, data[1:].decode())
        return data[1:]


def _library_folders() -> list[str]:
    """The standard library and its compiled modules, without site-packages."""
    paths = sysconfig.get_paths()
    return sorted({os.path.realpath(paths[key]) for key in ("stdlib", "platstdlib")})
