"""Mathematical equality through math-verify, in a separate process.

One expression (`10**10**10`) can occupy a computer-algebra system for hours, in C code that no signal interrupts. So
the comparison runs in a child process that is killed when its time is up. An answer that ran out of time is wrong; a
child that cannot be started is broken machinery.
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
from typing import ClassVar

from setwise.answers import Match
from setwise.errors import MachineryError, MissingDependency
from setwise.matching.bipartite import assign_golds
from setwise.matching.exact import golds_of, matches
from setwise.matching.needs import Needs
from setwise.matching.quantity import WrittenQuantity, read_quantity, read_words
from setwise.matching.same import each_once, key_of_golds
from setwise.questions import Gold, Problem

_START_SECONDS = 60.0
_MOST_REMEMBERED = 1 << 14


@dataclass(slots=True)
class MathMatcher:
    """Matches if two expressions are equal by math-verify and agree in unit and per cent.

    Close it after use, or use it in a `with` block.
    """

    timeout_seconds: float = 5.0
    needs: ClassVar[Needs] = "golds"
    name: str = "math"
    spec: str = "math"
    _child: subprocess.Popen[bytes] | None = field(default=None, repr=False, compare=False)
    _known: dict[tuple[str, tuple[Gold, ...]], list[int] | None] = field(
        default_factory=dict, repr=False, compare=False
    )

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        golds = golds_of(problem, self.name)
        edges = [self._edges(_one_line(answer), golds) or [] for answer in answers]
        return matches(assign_golds(each_once(edges)), problem)

    def same(self, answers: Sequence[str], problem: Problem) -> list[Hashable]:
        """Answers that earn the same golds are the same. The others are compared with each other, in any order."""
        golds = golds_of(problem, self.name)
        keys: dict[str, str] = {}
        leaders: list[str] = []
        for answer in sorted(set(map(_one_line, answers))):
            keys[answer] = answer
            numbers = self._edges(answer, golds)
            if numbers is None:
                continue
            if numbers:
                keys[answer] = key_of_golds(golds, numbers, _one_line)
            elif equal := self._equal(answer, [[leader] for leader in leaders], both_ways=True):
                keys[answer] = leaders[equal[0]]
            elif equal is not None:
                leaders.append(answer)
        return [keys[_one_line(answer)] for answer in answers]

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

    def _edges(self, answer: str, golds: tuple[Gold, ...]) -> list[int] | None:
        """The golds an answer equals, None if it ran out of time. Cached, since both `match` and `same` ask."""
        case = (answer, golds)
        if case not in self._known:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[case] = self._equal(answer, [[gold.text, *gold.aliases] for gold in golds])
        return self._known[case]

    def _equal(self, answer: str, others: Sequence[Sequence[str]], *, both_ways: bool = False) -> list[int] | None:
        """The indices of the others that the answer equals under one of their names; None if it ran out of time."""
        equal = {number for number, names in enumerate(others) if any(_same_text(answer, name) for name in names)}
        quantity = None if read_words(answer) else read_quantity(answer)
        if quantity is None:
            return sorted(equal)
        asked = [
            [] if number in equal else _comparable(quantity, names, both_ways) for number, names in enumerate(others)
        ]
        if not any(asked):
            return sorted(equal)
        request = {"answer": quantity.expression, "roughly": quantity.roughly, "others": asked, "both_ways": both_ways}
        reply = self._asked(request)
        if reply is None:
            return sorted(equal) or None
        return sorted(equal.union(json.loads(reply)))

    def _asked(self, request: dict[str, object]) -> bytes | None:
        """The child's reply, or None if it ran out of time or crashed on the expression."""
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


def _one_line(text: str) -> str:
    """As in keys: white space collapsed, and none around a slash, which separates the golds of a key."""
    return " ".join(text.split()).replace(" / ", "/")


def _same_text(one: str, other: str) -> bool:
    """Whether two answers are the same without algebra: character by character, or as words."""
    if _one_line(one) == _one_line(other):
        return True
    words = read_words(one)
    return words is not None and words == read_words(other)


def _comparable(quantity: WrittenQuantity, names: Sequence[str], both_ways: bool) -> list[str]:
    """The expressions among the names that the quantity may equal, by unit and per cent."""
    others = [other for name in names if not read_words(name) and (other := read_quantity(name))]
    fitting = [
        other for other in others if quantity.comparable(other) and (not both_ways or other.comparable(quantity))
    ]
    return [other.expression for other in fitting]


def _line(child: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """One line of the child's output, or None at the deadline or at the end."""
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
