"""Problems that no program can be judged by."""

import pickle
from collections.abc import Iterator, Sequence

import pytest

from setwise.errors import BrokenProblem, SandboxError
from setwise.matching.broken import broken_problems, name_broken
from setwise.matching.code import CodeMatcher, references
from setwise.matching.exact import exact
from setwise.questions import Problem
from setwise.sandbox import Job, Sandbox, Verdict

TESTS = ["assert f(1) == 1", "assert f(2) == 4"]
RIGHT = "def f(x): return x * x"
SPIN = "def f(x):\n    while True: pass"


@pytest.fixture(scope="module")
def matcher() -> Iterator[CodeMatcher]:
    with CodeMatcher(workers=1) as made:
        yield made


@pytest.mark.parametrize(
    ("reference", "tests", "why"),
    [
        ("def f(x): return x", TESTS, "its reference does not pass its own tests (failed: 1 of 2 asserts"),
        ("def f(x): return 1 // 0", TESTS, "its reference does not pass its own tests (error: 0 of 2 asserts"),
        ("def f(x:", TESTS, "its reference does not pass its own tests (error: 0 of 2 asserts"),
        (SPIN, TESTS, "its reference does not pass its own tests (timeout: 0 of 2 asserts"),
        (RIGHT, ["while f(1): assert f(1)"], "its tests cannot be judged (unsupported_test: uses While)"),
        ("", ["while f(1): assert f(1)"], "its tests cannot be judged (unsupported_test: uses While)"),
    ],
)
def test_a_problem_that_fails_by_itself_is_broken_for_right_and_wrong_programs_alike(
    reference: str, tests: Sequence[str], why: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(references, "REFERENCE_CPU_SECONDS", 0.3)
    problem = Problem("7", "Square.", tests=tests, reference=reference)
    with CodeMatcher(workers=1) as matcher:
        results = matcher.match_batch([([RIGHT], problem), (["x = ("], problem), ([], problem)])
        (broken,) = matcher.broken([problem])
    assert [type(result) for result in (*results, broken)] == [BrokenProblem] * 4
    assert str(broken).startswith(f"problem 7: {why}")


def test_a_problem_without_a_reference_is_judged_as_ever(matcher: CodeMatcher):
    problem = Problem("7", "Square.", tests=TESTS)
    assert matcher.broken([problem]) == [None]
    assert [match.correct for match in matcher.match([RIGHT, "x = 1"], problem)] == [True, False]


def test_each_problem_is_told_by_its_own_id_though_they_share_a_reference(matcher: CodeMatcher):
    twins = [Problem(name, "?", tests=TESTS, reference="x = 1") for name in ("a", "b")]
    assert [broken and broken.problem for broken in matcher.broken(twins)] == ["a", "b"]


@pytest.mark.parametrize(("reference", "error"), [("", BrokenProblem), (RIGHT, SandboxError)])
def test_a_program_cannot_break_a_problem_whose_reference_passes(
    reference: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
):
    """Else a model could have a problem that it cannot solve left out."""

    def check(self: Sandbox, jobs: Sequence[Job]) -> Iterator[Verdict]:
        for job in jobs:
            is_own = job.program in (RIGHT, references.NOTHING)
            yield Verdict("passed" if is_own else "unsupported_test", ("passed",) * 2, detail="cannot be sent")

    monkeypatch.setattr(Sandbox, "check", check)
    problem = Problem("7", "Square.", tests=TESTS, reference=reference)
    (result,) = CodeMatcher().match_batch([(["x = 1"], problem)])
    assert type(result) is error


def test_a_sandbox_that_failed_on_a_reference_is_asked_again(monkeypatch: pytest.MonkeyPatch):
    verdicts = [Verdict("infra_error", ()), Verdict("failed", ("failed",))]
    monkeypatch.setattr(Sandbox, "check", lambda self, jobs: iter([verdicts.pop(0) for _ in jobs]))
    matcher, problem = CodeMatcher(), Problem("7", "?", tests=TESTS, reference="x = 1")
    found = [matcher.broken([problem])[0] for _ in range(3)]
    assert [broken is None for broken in found] == [True, False, False]


def test_a_dead_sandbox_breaks_no_problem(monkeypatch: pytest.MonkeyPatch):
    def dead(self: Sandbox, jobs: object) -> Iterator[Verdict]:
        raise SandboxError("no sandbox")
        yield

    monkeypatch.setattr(Sandbox, "check", dead)
    problem = Problem("7", "?", tests=TESTS, reference="x = 1")
    assert CodeMatcher().broken([problem]) == [None]
    with pytest.raises(SandboxError):
        CodeMatcher().match(["x = 1"], problem)


def test_other_matchers_know_of_no_broken_problem():
    assert broken_problems([Problem("1", "?", ["Gout"])], exact) == [None]


def test_the_error_survives_pickling():
    error = pickle.loads(pickle.dumps(BrokenProblem("7", "failed", "failed: 1 of 2 asserts")))
    assert (error.problem, error.status, str(error)) == ("7", "failed", str(BrokenProblem(*error.args)))


def test_many_are_named_by_their_number_and_the_first_ids():
    line = name_broken({str(n): f"problem {n}: why {n}" for n in range(700)})
    assert line == "700 broken problems are left out: 0, 1, 2, 3, 4, ... (first: problem 0: why 0)"
