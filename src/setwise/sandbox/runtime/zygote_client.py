"""The referee's end of the zygote: start it at a tier, have it fork, learn what a child cost."""

import json
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .orders import CPU, END, FAILED, FORK, ORDER, REPORT

_MAX_MESSAGE = 1 << 16
_START_SECONDS = 60
_FOLDER = str(Path(__file__).parents[1])
_START = f"import sys; sys.path.insert(0, {_FOLDER!r}); from runtime import zygote; del sys.path[0]; zygote.main()"
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
"""Nothing of the trainer's. One seed for all, so that the order of a set does not decide a verdict."""


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
    """A warm interpreter behind its walls. `facts` is what it says about them."""

    def __init__(self, tier: str) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-P", "-c", _START, str(theirs.fileno()), tier],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=_ENVIRONMENT,
                cwd="/",
            )
        self._socket.settimeout(_START_SECONDS)
        try:
            self.facts: dict[str, Any] = json.loads(self._receive())
        except OSError:
            self.close()
            raise
        self._socket.settimeout(None)

    def fork(self, channel: int, cpu_seconds: float, memory_bytes: int) -> None:
        socket.send_fds(self._socket, [ORDER.pack(FORK, cpu_seconds, memory_bytes)], [channel])
        self._receive()

    def cpu_seconds(self) -> float:
        return self._order(CPU)[0]

    def end(self) -> ChildReport:
        return ChildReport(*self._order(END))

    def close(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def _order(self, what: bytes) -> tuple[float, int, int]:
        self._socket.send(ORDER.pack(what, 0.0, 0))
        return REPORT.unpack(self._receive())

    def _receive(self) -> bytes:
        data = self._socket.recv(_MAX_MESSAGE)
        if not data:
            raise ZygoteFailed(5, "the zygote is gone")
        if data[:1] == FAILED:
            raise ZygoteFailed(5, data[1:].decode())
        return data[1:]
