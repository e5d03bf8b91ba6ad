"""The trainer's end of one referee process."""

import json
import os
import selectors
import signal
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from setwise.errors import SandboxError

_LENGTH = struct.Struct(">I")
_FOLDER = str(Path(__file__).parent)
_START = f"import sys; sys.path.insert(0, {_FOLDER!r}); from runtime import referee; del sys.path[0]; referee.main()"
_START_SECONDS = 90
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


class WorkerDied(Exception):
    """The referee process ended; `overran` if comparing an answer took too long."""

    def __init__(self, *, overran: bool) -> None:
        super().__init__("the referee's process ended")
        self.overran = overran


class Worker:
    """One referee: started by exec (a fork would copy the trainer's page tables), with two pipes to it."""

    def __init__(self, tiers: str) -> None:
        python = Path(sys.executable).absolute()  # relative if PATH names it so, and it starts in another folder
        self._process = subprocess.Popen(
            [python, "-s", "-S", "-P", "-c", _START, tiers, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            cwd="/",
            start_new_session=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._jobs, self._verdicts = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._verdicts, False)
        self._buffer = bytearray()
        self._owner = os.getpid()

    @property
    def is_ours(self) -> bool:
        """False in a forked copy of the process that started it."""
        return self._owner == os.getpid()

    def fileno(self) -> int:
        """Readable when a verdict, or the end, has arrived."""
        return self._verdicts

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, job: Mapping[str, Any]) -> None:
        """The referee is waiting for it, so this blocks only as long as the referee reads."""
        data = json.dumps(job).encode()
        view = memoryview(_LENGTH.pack(len(data)) + data)
        try:
            while view:
                view = view[os.write(self._jobs, view) :]
        except BrokenPipeError:
            raise self._death() from None

    def receive(self) -> dict[str, Any] | None:
        """A whole message if one has arrived. Raises WorkerDied."""
        try:
            part = os.read(self._verdicts, 1 << 16)
        except BlockingIOError:
            return None
        if not part:
            raise self._death()
        self._buffer += part
        if len(self._buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._buffer)
        end = _LENGTH.size + length
        if len(self._buffer) < end:
            return None
        message = bytes(self._buffer[_LENGTH.size : end])
        del self._buffer[:end]
        return json.loads(message)

    def greeting(self) -> dict[str, Any]:
        """What the referee sends once it is ready."""
        with selectors.DefaultSelector() as selector:
            selector.register(self, selectors.EVENT_READ)
            while selector.select(_START_SECONDS):
                try:
                    message = self.receive()
                except WorkerDied:
                    break
                if message is not None:
                    return message
        self.close()
        raise SandboxError("the sandbox's referee did not start")

    def close(self) -> None:
        """The kernel ends the zygote and its child together with the referee."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _death(self) -> WorkerDied:
        return WorkerDied(overran=self._process.wait() == -signal.SIGVTALRM)
