"""Every reference solution of MBPP gets the verdict of plain execution."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from setwise.sandbox import Job, Sandbox

CPU_SECONDS = 60.0

# One process for many solutions, each in a fresh namespace and a fork of its own, the asserts executed as they stand.
PLAIN = """
import json, os, sys
for line in sys.stdin:
    program, tests, setup = json.loads(line)
    child = os.fork()
    if child == 0:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        try:
            exec(compile("\\n".join([program, setup, *tests]), "plain", "exec"), {"__name__": "plain"})
        except BaseException:
            os._exit(1)
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


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


def plainly(jobs: dict[int, Job]) -> dict[int, bool]:
    lines = "".join(json.dumps([job.program, job.tests, job.setup]) + "\n" for job in jobs.values())
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", PLAIN], input=lines, capture_output=True, text=True, check=True, env=environment
    )
    return {task: status == "0" for task, status in zip(jobs, done.stdout.split(), strict=True)}


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
        plain = executor.submit(plainly, jobs)
        verdicts = dict(zip(jobs, sandbox.check(list(jobs.values())), strict=True))
    expected = plain.result()
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
