"""What to judge, and the result."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from setwise.errors import InputError

Status = Literal["passed", "failed", "error", "timeout", "crashed", "protocol_error", "unsupported_test", "infra_error"]
MAX_PROGRAM_BYTES = 1 << 20
DEFAULT_CPU_SECONDS = 1.0


@dataclass(frozen=True, slots=True, init=False)
class Job:
    """A program and the asserts it has to satisfy. Equal jobs are run once."""

    program: str
    tests: tuple[str, ...]
    setup: str
    """Runs after the program and before the tests. It may use what the program defines."""
    cpu_seconds: float | None
    """For the program and all its tests together; None means one second."""

    def __init__(self, program: str, tests: Sequence[str], setup: str = "", cpu_seconds: float | None = None) -> None:
        if isinstance(tests, str) or not tests or not all(isinstance(test, str) for test in tests):
            raise InputError("the tests of a job must be a non-empty list of strings", value=tests)
        for name, text in (("program", program), ("setup", setup)):
            if not isinstance(text, str):
                raise InputError(f"the {name} of a job must be a string", value=text)
        if cpu_seconds is not None and not (cpu_seconds > 0 and math.isfinite(cpu_seconds)):
            raise InputError("the CPU time of a job must be a positive number of seconds", value=cpu_seconds)
        object.__setattr__(self, "program", program)
        object.__setattr__(self, "tests", tuple(tests))
        object.__setattr__(self, "setup", setup)
        object.__setattr__(self, "cpu_seconds", cpu_seconds)

    def __getstate__(self) -> tuple[Any, ...]:
        return (self.program, self.tests, self.setup, self.cpu_seconds)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.__init__(*state)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one job.

    `failed`: an assert was false. `error`: the program raised. `timeout`: its CPU time was up. `crashed`: its process
    ended. `protocol_error`: it answered what no honest program answers. Those are due to the program. The last two are
    not: `unsupported_test` cannot be judged without trusting the program, or expects what no answer can be;
    `infra_error` is our failure.
    """

    status: Status
    results: tuple[str, ...]
    """One per test: a status, or `not_run`."""
    cpu_seconds: float = 0.0
    detail: str = ""

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    @property
    def judged(self) -> bool:
        """False if the verdict says nothing about the program."""
        return self.status not in ("unsupported_test", "infra_error")
