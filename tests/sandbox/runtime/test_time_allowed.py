"""CPU time is the limit, and sleep is bounded, whatever else the machine does."""

from dataclasses import dataclass

import pytest

from setwise.sandbox.runtime.cpu_clock import cpu_seconds_of
from setwise.sandbox.runtime.schedule import Share, oldest_leaf_below, own_wait, share_of
from setwise.sandbox.runtime.time_allowed import MOST_SECONDS_ASLEEP, OutOfTime, TimeAllowed


@dataclass
class Machine:
    """A clock, a program's share of the CPU, and how long the referee had to wait for one."""

    now: float = 100.0
    used: float = 0.0
    waited: float | None = 0.0
    here: float = 0.0

    def allowed(self, cpu_limit: float = 1.0) -> TimeAllowed:
        return TimeAllowed(cpu_limit, lambda: Share(self.used, self.waited), lambda: self.now, lambda: self.here)

    def pass_second(self, *, used: float = 0.0, waited: float = 0.0, here: float = 0.0) -> None:
        self.now += 1
        self.used += used
        self.here += here
        self.waited = None if self.waited is None else self.waited + waited


def seconds_until_out(machine: Machine, allowed: TimeAllowed, most: int = 200, **each: float) -> int:
    allowed.begin_turn()
    for second in range(1, most + 1):
        machine.pass_second(**each)
        try:
            allowed.check()
        except OutOfTime:
            return second
    return most


def test_a_program_that_is_busy_now_and_then_does_not_hold_a_worker():
    machine = Machine()
    assert MOST_SECONDS_ASLEEP < seconds_until_out(machine, machine.allowed(), used=0.002) < MOST_SECONDS_ASLEEP + 3


def test_a_program_that_does_nothing_is_given_up_earlier():
    machine = Machine()
    assert seconds_until_out(machine, machine.allowed()) < MOST_SECONDS_ASLEEP


def turns_until_out(machine: Machine, most: int, between: float = 0.0, **each: float) -> int:
    allowed = machine.allowed()
    for turn in range(most):
        allowed.begin_turn()
        machine.pass_second(**each)
        try:
            allowed.end_turn()
        except OutOfTime:
            return turn
        machine.now += between
    return most


@pytest.mark.parametrize("each", [{"used": 0.01, "waited": 0.99}, {"waited": 1.0}])
def test_waiting_for_a_cpu_is_no_sleep(each: dict[str, float]):
    machine = Machine()
    assert seconds_until_out(machine, machine.allowed(), most=50, **each) == 50


def test_neither_is_the_time_in_which_the_referee_waits_for_one():
    assert turns_until_out(Machine(), most=40, used=0.01, here=0.95) == 40


def test_a_little_sleep_in_each_of_many_turns_adds_up():
    assert turns_until_out(Machine(), most=100, used=0.002) < MOST_SECONDS_ASLEEP + 4


def test_what_happens_between_two_turns_is_not_the_programs():
    assert turns_until_out(Machine(), most=10, between=3.0, used=0.01, waited=0.9) == 10


def test_where_the_kernel_does_not_say_who_waits_the_wall_clock_is_generous():
    machine = Machine(waited=None)
    assert 60 <= seconds_until_out(machine, machine.allowed(), used=0.002) <= 65
    machine = Machine(waited=None)
    assert seconds_until_out(machine, machine.allowed(cpu_limit=10.0), used=0.002) == 200


def test_cpu_time_is_up_when_it_is_up():
    machine = Machine()
    allowed = machine.allowed(cpu_limit=0.5)
    machine.pass_second(used=0.6)
    with pytest.raises(OutOfTime, match=r"0\.5 s of CPU time"):
        allowed.check()


def test_a_long_limit_is_looked_at_now_and_then():
    machine = Machine()
    assert machine.allowed(cpu_limit=600.0).seconds_to_wait() <= 5


def test_the_kernel_is_asked_about_processes_that_are_there_and_those_that_are_gone():
    assert share_of(1).used >= 0
    assert share_of(2**22 + 1) == Share(0.0, None)
    assert cpu_seconds_of(2**22 + 1) == 0.0
    assert oldest_leaf_below(2**22 + 1) == 0
    assert own_wait() >= 0
