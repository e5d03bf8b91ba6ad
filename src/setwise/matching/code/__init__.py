"""Programs: right if they pass every test in the sandbox, the same if their syntax trees are.

    with CodeMatcher() as matcher:
        matcher.match([answer], problem)

The sandbox starts with the first program and ends with `close` or the `with` block. A matcher can be pickled; the copy
starts a sandbox of its own.
"""

from collections.abc import Hashable, Iterable, Sequence
from types import TracebackType
from typing import Any, Self, get_args

from setwise.answers import Match
from setwise.errors import InputError, MachineryError, SandboxError
from setwise.matching.code.text import extract_program
from setwise.matching.code.trees import Uniqueness, parse_program, tree_key
from setwise.questions import Problem
from setwise.sandbox import Job, Sandbox, Verdict
from setwise.sandbox.job import DEFAULT_CPU_SECONDS

REFERENCE_CPU_SECONDS = 60.0
TIMES_THE_REFERENCE = 4.0


class CodeMatcher:
    """Judges programs by the tests of their problem.

    `uniqueness` says when two programs count as one answer. `workers`, `tier` and `allow_unsafe` are the sandbox's.
    """

    name = "code"

    def __init__(
        self,
        uniqueness: Uniqueness = "ast_raw",
        *,
        workers: int | None = None,
        tier: str | None = None,
        allow_unsafe: bool = False,
    ) -> None:
        if uniqueness not in get_args(Uniqueness):
            raise InputError('"uniqueness" must be ast_raw or ast_canonical', value=uniqueness)
        self.uniqueness: Uniqueness = uniqueness
        self._options: dict[str, Any] = {"workers": workers, "tier": tier, "allow_unsafe": allow_unsafe}
        self._sandbox: Sandbox | None = None
        self._cpu_seconds: dict[tuple[str, tuple[str, ...], str], float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_sandbox": None}

    @property
    def spec(self) -> str:
        return self.name if self.uniqueness == "ast_raw" else f"{self.name}:{self.uniqueness}"

    @property
    def sandbox(self) -> Sandbox:
        if self._sandbox is None:
            self._sandbox = Sandbox(**self._options)
        return self._sandbox

    def close(self) -> None:
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        """Raises SandboxError where no verdict can be had."""
        (result,) = self.match_batch([(answers, problem)])
        if isinstance(result, MachineryError):
            raise result
        return result

    def match_batch(self, sets: Sequence[tuple[Sequence[str], Problem]]) -> list[list[Match] | MachineryError]:
        """All programs of all sets at once; equal programs of one problem are run once."""
        try:
            self._time_references(problem for _, problem in sets)
            jobs = [[self._job(extract_program(answer), problem) for answer in answers] for answers, problem in sets]
            verdicts = self.sandbox.check([job for row in jobs for job in row if job is not None])
            return [self._labels([next(verdicts) if job else None for job in row]) for row in jobs]
        except SandboxError as error:
            return [error for _ in sets]

    def forms(self, answers: Sequence[str]) -> list[Hashable]:
        """The tree of each program; of one that does not parse, its text."""
        programs = [extract_program(answer) for answer in answers]
        return [tree_key(program, self.uniqueness) or ("text", program) for program in programs]

    def _labels(self, verdicts: Sequence[Verdict | None]) -> list[Match] | MachineryError:
        unjudged = next((v for v in verdicts if v is not None and not v.judged), None)
        if unjudged is not None:
            return SandboxError(f"{unjudged.status}: {unjudged.detail}")
        return [_NOT_A_PROGRAM if v is None else Match(v.passed, evidence=_evidence(v)) for v in verdicts]

    def _job(self, program: str, problem: Problem) -> Job | None:
        """None for what does not parse, which is not correct and needs no process to find out."""
        if not problem.tests:
            raise InputError(
                "the code matcher needs tests, and this problem has none",
                place=f"problem {problem.id}",
                remedy="where there are golds, choose exact, fuzzy or math",
            )
        if parse_program(program) is None:
            return None
        return Job(program, problem.tests, problem.setup, self._cpu_seconds.get(_key(problem)))

    def _time_references(self, problems: Iterable[Problem]) -> None:
        """A program may take a few times as long as the reference, and a second in any case."""
        unknown = {_key(p): p for p in problems if p.reference and p.tests and _key(p) not in self._cpu_seconds}
        jobs = [Job(p.reference, p.tests, p.setup, REFERENCE_CPU_SECONDS) for p in unknown.values()]
        for key, verdict in zip(unknown, self.sandbox.check(jobs), strict=True):
            needed = TIMES_THE_REFERENCE * verdict.cpu_seconds if verdict.passed else 0.0
            self._cpu_seconds[key] = max(DEFAULT_CPU_SECONDS, needed)


_NOT_A_PROGRAM = Match(False, evidence="does not parse")


def _key(problem: Problem) -> tuple[str, tuple[str, ...], str]:
    return problem.reference, problem.tests, problem.setup


def _evidence(verdict: Verdict) -> str:
    passed = sum(result == "passed" for result in verdict.results)
    counts = f"{verdict.status}: {passed} of {len(verdict.results)} asserts"
    return f"{counts}; {verdict.detail}" if verdict.detail and not verdict.passed else counts
