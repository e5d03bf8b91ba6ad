"""What is known about a problem before any answer is judged, from running its own reference.

A problem is broken if its reference fails or its tests cannot be judged. The latter shows with any program, so without
a reference an empty one is run. A reference that passes sets the time limit for other programs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from setwise.errors import BrokenProblem
from setwise.questions import Problem
from setwise.sandbox import Job, Sandbox, Verdict
from setwise.sandbox.job import DEFAULT_CPU_SECONDS

REFERENCE_CPU_SECONDS = 60.0
TIMES_THE_REFERENCE = 4.0
NOTHING = "pass"

_Key = tuple[str, tuple[str, ...], str]


@dataclass(slots=True)
class References:
    """The verdicts on references, each computed once."""

    _verdicts: dict[_Key, Verdict] = field(default_factory=dict)

    def run(self, problems: Iterable[Problem], sandbox: Sandbox) -> None:
        unknown = {_key(p): p for p in problems if p.tests and _key(p) not in self._verdicts}
        jobs = [Job(p.reference or NOTHING, p.tests, p.setup, REFERENCE_CPU_SECONDS) for p in unknown.values()]
        for key, verdict in zip(unknown, sandbox.check(jobs), strict=True):
            if verdict.status != "infra_error":  # not a verdict on the reference
                self._verdicts[key] = verdict

    def cpu_seconds(self, problem: Problem) -> float:
        """A program may take a few times as long as the reference, but always at least one second."""
        needed = TIMES_THE_REFERENCE * self._verdicts[_key(problem)].cpu_seconds if self.has_passed(problem) else 0.0
        return max(DEFAULT_CPU_SECONDS, needed)

    def has_passed(self, problem: Problem) -> bool:
        verdict = self._verdicts.get(_key(problem))
        return bool(problem.reference) and verdict is not None and verdict.passed

    def broken(self, problem: Problem) -> BrokenProblem | None:
        verdict = self._verdicts.get(_key(problem))
        if verdict is None or verdict.passed or (not problem.reference and verdict.judged):
            return None
        return BrokenProblem(problem.id, verdict.status, evidence_of(verdict))


def evidence_of(verdict: Verdict) -> str:
    if not verdict.judged:
        return f"{verdict.status}: {verdict.detail}"
    passed = sum(result == "passed" for result in verdict.results)
    counts = f"{verdict.status}: {passed} of {len(verdict.results)} asserts"
    return f"{counts}; {verdict.detail}" if verdict.detail and not verdict.passed else counts


def _key(problem: Problem) -> _Key:
    return problem.reference, problem.tests, problem.setup
