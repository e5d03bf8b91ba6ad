"""Each way to write a test gets the verdict of plain execution, or none."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from setwise.sandbox import Job, Sandbox, Verdict

from .conftest import ROOT
from .idioms import FAMILIES, IDIOMS
from .idioms.not_judged import NOT_JUDGED
from .plainly import passes_plainly

RIGHT = {name: Job(idiom.program, idiom.tests, idiom.setup) for name, idiom in IDIOMS.items()}
WRONG = {name: Job(idiom.wrong, idiom.tests, idiom.setup) for name, idiom in IDIOMS.items() if idiom.wrong}


@pytest.fixture(scope="module")
def verdicts() -> Iterator[dict[Job, tuple[Verdict, bool]]]:
    """Of the sandbox, and whether it passes in plain execution."""
    jobs = list(dict.fromkeys([*RIGHT.values(), *WRONG.values()]))
    with Sandbox(workers=2) as sandbox, ThreadPoolExecutor(1) as executor:
        plain = executor.submit(passes_plainly, jobs)
        judged = list(sandbox.check(jobs))
        yield dict(zip(jobs, zip(judged, plain.result(), strict=True), strict=True))


def test_the_corpus_is_as_large_as_promised_and_holds_in_plain_execution(
    verdicts: dict[Job, tuple[Verdict, bool]],
):
    assert len(IDIOMS) >= 480
    assert all(len(idioms) >= 10 for idioms in FAMILIES.values())
    assert len(WRONG) > 0.98 * len(IDIOMS)
    assert [name for name, job in RIGHT.items() if not verdicts[job][1]] == []
    assert [name for name, job in WRONG.items() if verdicts[job][1]] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_no_verdict_differs_from_that_of_plain_execution(family: str, verdicts: dict[Job, tuple[Verdict, bool]]):
    differing = {}
    for name in FAMILIES[family]:
        for jobs in (RIGHT, WRONG):
            job = jobs.get(f"{family}/{name}")
            verdict, passes = verdicts[job] if job else (None, False)
            if verdict and verdict.status != "unsupported_test":
                # A protocol error would be wrong even of a wrong program: it is honest.
                is_fine = verdict.passed if passes else verdict.status in ("failed", "error", "timeout")
                if not is_fine:
                    differing[name] = verdict
    assert differing == {}


def test_what_is_not_judged_is_known(verdicts: dict[Job, tuple[Verdict, bool]]):
    """By name, so that no idiom falls silent unseen."""
    silent = {name for name, job in RIGHT.items() if not verdicts[job][0].judged}
    assert silent == NOT_JUDGED
    assert len(silent) < len(IDIOMS) / 6


def test_whether_a_test_is_judged_does_not_hang_on_the_program(verdicts: dict[Job, tuple[Verdict, bool]]):
    """But for what a class makes of a plain value, where the wrong program has no such class."""
    silent = {name for name, job in WRONG.items() if not verdicts[job][0].judged}
    assert silent <= NOT_JUDGED
    assert (NOT_JUDGED & WRONG.keys()) - silent == {
        "iterators/a class with items and no iterator",
        "operators/a text equal without case",
    }


def test_the_documentation_counts_the_corpus():
    text = (ROOT / "docs" / "concepts" / "sandbox.md").read_text()
    assert f"holds {len(IDIOMS)} ways to write a test" in text
    assert f"for {len(IDIOMS) - len(NOT_JUDGED)} of them" in text
