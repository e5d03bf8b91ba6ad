"""How long a program may take: CPU time is limited, and sleep is bounded.

A program's turn lasts from a request until its answer arrives. Whatever part of its turns it spent neither on a CPU nor
waiting for one, it slept. Waiting for a CPU is not the program's fault, and neither is the time that the referee itself
waits for one to read the answer.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .schedule import Share, own_wait

MOST_SECONDS_ASLEEP = 10.0
WALL_SECONDS_AT_LEAST = 60
"""If the kernel does not report who waits for a CPU, the wall clock is the only bound, and a generous one."""
_WALL_SECONDS_PER_CPU_SECOND = 20
_STALLED_AFTER_CHECKS = 3
_SECONDS_BETWEEN_CHECKS = 1.0
_MOST_SECONDS_UNWATCHED = 5.0
_LEAST_PROGRESS_SECONDS = 0.0005


class OutOfTime(Exception):
    """The program used up its CPU time, or waits for something that will not come."""


@dataclass
class TimeAllowed:
    """The time allowed to one program."""

    cpu_limit: float
    share: Callable[[], Share]
    """The program's CPU share."""
    now: Callable[[], float] = time.monotonic
    waited_here: Callable[[], float] = own_wait
    _used: float = 0.0
    _busy: float = 0.0
    """Seconds used or waited for, as far as known."""
    _turns: float = 0.0
    """Seconds of the turns before this one."""
    _turn_began: float = 0.0
    _next_check: float = _SECONDS_BETWEEN_CHECKS
    _idle_checks: int = 0
    _began: float = field(init=False)
    _waited_before: float | None = None

    def __post_init__(self) -> None:
        self._began = self._turn_began = self.now()

    def begin_turn(self) -> None:
        self._turn_began = self.now()

    def end_turn(self) -> None:
        """Raises OutOfTime for a program that sleeps a little in each of many turns."""
        now = self.now()
        self._turns += now - self._turn_began
        self._turn_began = now
        if self._turns > self._next_check:
            self.check()

    def seconds_to_wait(self) -> float:
        """Until the next check. CPU time is queried only when the wall clock shows that it may be up."""
        if self._idle_checks:
            return _SECONDS_BETWEEN_CHECKS
        left = self.cpu_limit - (self._used or self.now() - self._began)
        return min(max(left, 0.01), _MOST_SECONDS_UNWATCHED)

    def check(self) -> None:
        share, here = self.share(), self.waited_here()
        if share.used >= self.cpu_limit:
            raise OutOfTime(f"more than {self.cpu_limit:g} s of CPU time")
        busy = share.used + (share.waited or 0.0)
        self._idle_checks = self._idle_checks + 1 if busy - self._busy < _LEAST_PROGRESS_SECONDS else 0
        self._used, self._busy = share.used, busy
        if self._waited_before is None:
            # Waiting before the first check is not the program's fault either, but its amount is unknown.
            self._waited_before = here
        turns = self._turns + self.now() - self._turn_began
        self._next_check = turns + _SECONDS_BETWEEN_CHECKS
        asleep = turns - busy - (here - self._waited_before)
        if self._idle_checks > _STALLED_AFTER_CHECKS or (share.waited is not None and asleep > MOST_SECONDS_ASLEEP):
            raise OutOfTime("waits without using the CPU")
        if self.now() - self._began > max(WALL_SECONDS_AT_LEAST, _WALL_SECONDS_PER_CPU_SECOND * self.cpu_limit):
            raise OutOfTime("wall time")
