"""Programs: right if they pass every test in the sandbox, the same if their syntax trees are equal.

    with CodeMatcher() as matcher:
        matcher.match([answer], problem)

The sandbox starts with the first program and ends with `close` or the `with` block. A matcher can be pickled; the copy
starts its own sandbox.
"""

from collections.abc import Hashable, Sequence
from types import TracebackType
from typing import Any, ClassVar, Self, get_args

from setwise.answers import Match
from setwise.errors import BrokenProblem, InputError, MachineryError, SandboxError
from setwise.matching.code.references import References, evidence_of
from setwise.matching.code.text import extract_program
from setwise.matching.code.trees import Uniqueness, parse_program, tree_key
from setwise.matching.needs import Needs
from setwise.questions import Problem
from setwise.sandbox import Job, Sandbox, Verdict


class CodeMatcher:
    """Judges programs by the tests of their problem.

    `uniqueness` defines when two programs count as one answer. `workers`, `tier` and `allow_unsafe` are passed to the
    sandbox.
    """

    name = "code"
    needs: ClassVar[Needs] = "tests"

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
        self._references = References()

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

    def broken(self, problems: Sequence[Problem]) -> list[BrokenProblem | None]:
        """For each problem, why no program can be judged: its own reference fails, or its tests are unsupported.

        A dead sandbox reports none; `match` then raises.
        """
        try:
            self._references.run(problems, self.sandbox)
        except SandboxError:
            return [None for _ in problems]
        return [self._references.broken(problem) for problem in problems]

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        """Raises BrokenProblem if no program can be judged, and SandboxError if these could not be."""
        (result,) = self.match_batch([(answers, problem)])
        if isinstance(result, MachineryError):
            raise result
        return result

    def match_batch(self, sets: Sequence[tuple[Sequence[str], Problem]]) -> list[list[Match] | MachineryError]:
        """Judge all programs of all sets at once. Equal programs for one problem run once."""
        try:
            self._references.run([problem for _, problem in sets], self.sandbox)
            jobs = [self._jobs(answers, problem) for answers, problem in sets]
            verdicts = self.sandbox.check([job for row in jobs for job in row if job is not None])
            return [
                self._references.broken(problem)
                or self._labels([next(verdicts) if job else None for job in row], problem)
                for row, (_, problem) in zip(jobs, sets, strict=True)
            ]
        except SandboxError as error:
            return [error for _ in sets]

    def same(self, answers: Sequence[str], problem: Problem) -> list[Hashable]:
        """The tree of each program, or its text if it does not parse."""
        programs = [extract_program(answer) for answer in answers]
        return [tree_key(program, self.uniqueness) or ("text", program) for program in programs]

    def _jobs(self, answers: Sequence[str], problem: Problem) -> list[Job | None]:
        """None for a program that does not parse: it is wrong, and needs no process."""
        if not problem.tests:
            raise InputError(
                "the code matcher needs tests, and this problem has none",
                place=f"problem {problem.id}",
                remedy="where there are golds, choose exact, fuzzy or math",
            )
        if self._references.broken(problem):
            return []
        programs = [extract_program(answer) for answer in answers]
        seconds = self._references.cpu_seconds(problem)
        return [
            None if parse_program(program) is None else Job(program, problem.tests, problem.setup, seconds)
            for program in programs
        ]

    def _labels(self, verdicts: Sequence[Verdict | None], problem: Problem) -> list[Match] | MachineryError:
        unjudged = next((v for v in verdicts if v is not None and not v.judged), None)
        if unjudged is None:
            return [_NOT_A_PROGRAM if v is None else _match(v) for v in verdicts]
        if unjudged.status == "unsupported_test" and not self._references.has_passed(problem):
            return BrokenProblem(problem.id, unjudged.status, evidence_of(unjudged))
        return SandboxError(evidence_of(unjudged))


_NOT_A_PROGRAM = Match(False, evidence="does not parse")


def _match(verdict: Verdict) -> Match:
    passed = sum(1 << place for place, result in enumerate(verdict.results) if result == "passed")
    return Match(verdict.passed, evidence=evidence_of(verdict), passed=passed)
