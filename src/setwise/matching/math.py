"""Mathematical equality through math-verify, in a process of its own.

A computer-algebra system can be sent away for hours by one expression (`10**10**10`), in C code that no signal
interrupts, so the comparison runs in a child that is killed when its time is up. An answer that used up its
time is wrong; a child that cannot be started is broken machinery.
"""

import importlib.util
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from setwise.answers import Match
from setwise.errors import MachineryError, MissingDependency
from setwise.matching.bipartite import assign_golds
from setwise.matching.exact import golds_of, matches
from setwise.matching.normalize import normalize
from setwise.questions import Problem

_START_SECONDS = 60.0


@dataclass(slots=True)
class MathMatcher:
    """Matches where math-verify calls two expressions equal. Close it, or use it in a `with`."""

    timeout_seconds: float = 5.0
    name: str = "math"
    spec: str = "math"
    _child: subprocess.Popen[bytes] | None = field(default=None, repr=False, compare=False)

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        golds = [[gold.text, *gold.aliases] for gold in golds_of(problem, self.name)]
        return matches(assign_golds([self._edges(answer, golds) for answer in answers]), problem)

    def forms(self, answers: Sequence[str]) -> list[Hashable]:
        return [normalize(answer) for answer in answers]

    def close(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def __enter__(self) -> "MathMatcher":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type["MathMatcher"], tuple[float]]:
        return MathMatcher, (self.timeout_seconds,)

    def _edges(self, answer: str, golds: Sequence[Sequence[str]]) -> list[int]:
        reply = self._asked({"answer": answer, "golds": golds})
        return [] if reply is None else json.loads(reply)

    def _asked(self, request: dict[str, object]) -> bytes | None:
        """The child's reply, or None when it ran out of time (or died of the expression)."""
        child = self._running_child()
        assert child.stdin
        try:
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
        except BrokenPipeError:
            self.close()
            raise MachineryError("the math matcher's process died between two answers") from None
        reply = _line(child, self.timeout_seconds)
        if reply is None:
            self.close()
        return reply

    def _running_child(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            if importlib.util.find_spec("math_verify") is None:
                raise MissingDependency('matcher "math"', package="math-verify", extra="math")
            command = [sys.executable, "-m", "setwise.matching.math_worker"]
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            if _line(self._child, _START_SECONDS) is None:
                self.close()
                raise MachineryError("the math matcher's process did not start")
        return self._child


def _line(child: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """One line of the child's output, or None at the deadline or at its end."""
    assert child.stdout
    descriptor, deadline, line = child.stdout.fileno(), time.monotonic() + seconds, b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            if not selector.select(max(0.0, deadline - time.monotonic())):
                return None
            if not (chunk := os.read(descriptor, 1 << 16)):
                return None
            line += chunk
    return line
