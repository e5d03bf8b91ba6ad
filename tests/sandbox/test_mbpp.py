"""Every reference solution of MBPP gets the verdict of plain execution."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from setwise.sandbox import Job, Sandbox

from .plainly import passes_plainly

CPU_SECONDS = 60.0


def jobs_of(data: Path, variant: str) -> dict[int, Job]:
    if variant == "full":
        rows = [json.loads(line) for line in (data / "mbpp" / "mbpp.jsonl").read_text().splitlines()]
        return {
            row["task_id"]: Job(
                row["code"], row["test_list"] + row["challenge_test_list"], row["test_setup_code"], CPU_SECONDS
            )
            for row in rows
        }
    rows = json.loads((data / "mbpp" / "sanitized-mbpp.json").read_text())
    return {
        row["task_id"]: Job(row["code"], row["test_list"], "\n".join(row["test_imports"]), CPU_SECONDS) for row in rows
    }


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


SLOW = {123}
"""The one reference that takes seconds."""


@pytest.mark.parametrize(("variant", "count"), [pytest.param("full", 974, marks=pytest.mark.slow), ("sanitized", 426)])
def test_every_reference_gets_the_verdict_of_plain_execution(data: Path, sandbox: Sandbox, variant: str, count: int):
    jobs = jobs_of(data, variant)
    if variant == "sanitized":
        jobs = {task: job for task, job in jobs.items() if task not in SLOW}
    assert len(jobs) == count
    with ThreadPoolExecutor(1) as executor:
        plain = executor.submit(passes_plainly, jobs.values())
        verdicts = dict(zip(jobs, sandbox.check(list(jobs.values())), strict=True))
    expected = dict(zip(jobs, plain.result(), strict=True))
    assert sum(expected.values()) > 0.99 * count
    differing = {task: verdict for task, verdict in verdicts.items() if verdict.passed != expected[task]}
    assert differing == {}


def test_a_wrong_solution_of_every_task_fails(data: Path, sandbox: Sandbox):
    """The reference with its first assert's name bound to a function that returns something else entirely."""
    wrong = {}
    for task, job in jobs_of(data, "sanitized").items():
        name = job.tests[0].split("assert", 1)[1].strip().lstrip("(").removeprefix("math.isclose(").removeprefix("not ")
        name = name.removeprefix("set(").split("(")[0].strip()
        if name.isidentifier():
            wrong[task] = Job(
                f"{job.program}\ndef {name}(*args, **kwargs):\n    return 'no such answer', 0.5", job.tests, job.setup
            )
    assert len(wrong) > 400
    truthy = {task for task, job in wrong.items() if "==" not in job.tests[0] and "isclose" not in job.tests[0]}
    passed = {task for task, verdict in zip(wrong, sandbox.check(list(wrong.values())), strict=True) if verdict.passed}
    assert passed <= truthy
