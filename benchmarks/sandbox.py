"""Programs judged per second, against the classic grader, measured in one run.

    python benchmarks/sandbox.py [--programs 400] [--quick]

The classic grader is the one of the well-known code benchmarks: a pool of threads, and for each program a
`multiprocessing.Manager`, a forked process, a temporary folder, `exec` of the program with its tests behind an alarm of
three seconds, and a verdict read from the shared list. `lean` is the same with a pipe in place of the manager. Both
fork the caller, so both pay for what the caller holds; neither keeps a hostile program in.

CPU per program counts every process of the sandbox, the caller's share included, after a warm start.
"""

import argparse
import contextlib
import io
import math
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setwise.sandbox import Job, Sandbox

CLASSIC_SECONDS = 3.0
GIBIBYTE = 1 << 30
TARGETS = {"simple": 10.0, "caller holds 1 GiB": 30.0, "2 % endless loops": 5.0}
CPU_TARGET_MS = 3.0
Grader = Callable[[Sequence[Job]], list[bool]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=int, default=400, help="simple programs for the sandbox")
    parser.add_argument("--quick", action="store_true", help="few programs: a smoke test, not a measurement")
    args = parser.parse_args()
    count = 40 if args.quick else args.programs
    few = max(count // 10, 8)
    multiprocessing.set_start_method("fork")
    workers = math.ceil(1.5 * len(os.sched_getaffinity(0)))
    classic, lean = classic_grader(workers, with_manager=True), classic_grader(workers, with_manager=False)
    with Sandbox(workers=workers) as sandbox:
        ours: Grader = lambda jobs: [verdict.passed for verdict in sandbox.check(jobs)]  # noqa: E731
        print(f"{sandbox.isolation.summary}\n{workers} workers each\n")
        print(f"{'':22}{'sandbox/s':>10}{'classic/s':>11}{'lean/s':>9}{'ratio':>8}{'(lean)':>8}  target")
        ours(simple_programs(2 * workers))
        report_cpu(sandbox, simple_programs(count))
        graders = (ours, classic, lean)
        compare("simple", graders, (simple_programs(count), simple_programs(few), simple_programs(few)))
        held = hold(GIBIBYTE)
        compare("caller holds 1 GiB", graders, (simple_programs(count), *[simple_programs(few)] * 2))
        del held
        mixed = with_loops(simple_programs(max(count // 2, 150)), share=0.02)
        compare("2 % endless loops", graders, (mixed, mixed, mixed))


def simple_programs(count: int) -> list[Job]:
    """Distinct, so that none is spared by being the same as another."""
    seed = random.randrange(1 << 30)
    return [
        Job(
            f"def add(a, b):\n    offset = {seed + n}\n    return a + b + offset - {seed + n}",
            ["assert add(1, 2) == 3", "assert add(-1, 1) == 0", "assert add(10, 5) == 15"],
        )
        for n in range(count)
    ]


def with_loops(jobs: list[Job], share: float) -> list[Job]:
    """Three kinds, as models write them: a plain loop, one that swallows exceptions, one inside a single C call."""
    every = round(1 / share)
    kinds = (
        "def add(a, b):\n    n = {}\n    while True:\n        n += 1",
        "def add(a, b):\n    n = {}\n    while True:\n        try: n += 1\n        except Exception: pass",
        "import re\ndef add(a, b):\n    return re.match('(a+)+$', 'a' * (100 + {}) + 'b')",
    )
    return [
        Job(kinds[n // every % 3].format(n), job.tests) if n % every == every // 2 else job
        for n, job in enumerate(jobs)
    ]


def hold(size: int) -> bytearray:
    memory = bytearray(size)
    for page in range(0, size, 4096):
        memory[page] = 1
    return memory


def compare(name: str, graders: Sequence[Grader], jobs: Sequence[list[Job]]) -> None:
    sandbox, classic, lean = (rate(grader, batch) for grader, batch in zip(graders, jobs, strict=True))
    ratio, target = sandbox / classic, TARGETS[name]
    verdict = "reached" if ratio >= target else "MISSED"
    numbers = f"{sandbox:10.1f}{classic:11.1f}{lean:9.1f}{ratio:8.1f}{sandbox / lean:8.1f}"
    print(f"{name:22}{numbers}  {target:.0f}x {verdict}", flush=True)


def rate(grader: Grader, jobs: list[Job]) -> float:
    started = time.perf_counter()
    passed = grader(jobs)
    elapsed = time.perf_counter() - started
    assert passed == ["offset" in job.program for job in jobs], "a grader misjudged a program"
    return len(jobs) / elapsed


def report_cpu(sandbox: Sandbox, jobs: list[Job]) -> None:
    before = cpu_seconds_of_tree(os.getpid())
    assert all(verdict.passed for verdict in sandbox.check(jobs))
    spent = 1000 * (cpu_seconds_of_tree(os.getpid()) - before) / len(jobs)
    verdict = "reached" if spent <= CPU_TARGET_MS else "MISSED"
    print(f"{'CPU per program':22}{spent:7.2f} ms{'':38}  {CPU_TARGET_MS:.0f} ms {verdict}", flush=True)


def cpu_seconds_of_tree(root: int) -> float:
    """User and system time of a process, its descendants, and what they have waited for."""
    ticks: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                ticks[int(entry.name)] = sum(map(int, fields[11:15]))
                children.setdefault(int(fields[1]), []).append(int(entry.name))
    total, todo = 0, [root]
    while todo:
        process = todo.pop()
        total += ticks.get(process, 0)
        todo += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def classic_grader(workers: int, *, with_manager: bool) -> Grader:
    check = check_with_manager if with_manager else check_with_pipe

    def grade(jobs: Sequence[Job]) -> list[bool]:
        with ThreadPoolExecutor(workers) as executor:
            return list(executor.map(check, jobs))

    return grade


def check_with_manager(job: Job) -> bool:
    with multiprocessing.Manager() as manager:
        result = manager.list()
        process = multiprocessing.Process(target=execute, args=(job, result.append))
        process.start()
        process.join(CLASSIC_SECONDS + 1)
        if process.is_alive():
            process.kill()
        return list(result) == ["passed"]


def check_with_pipe(job: Job) -> bool:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=execute, args=(job, sender.send))
    process.start()
    sender.close()
    process.join(CLASSIC_SECONDS + 1)
    if process.is_alive():
        process.kill()
    with receiver, contextlib.suppress(EOFError):
        return receiver.recv() == "passed"
    return False


def execute(job: Job, report: Callable[[Any], Any]) -> None:
    """In the forked process: the program and its asserts in one `exec`, with an alarm as the only limit."""

    def give_up(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    script = "\n".join([job.program, job.setup, *job.tests])
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        signal.setitimer(signal.ITIMER_REAL, CLASSIC_SECONDS)
        try:
            exec(compile(script, "program", "exec"), {})
            outcome = "passed"
        except BaseException as error:
            outcome = f"failed: {error}"
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.chdir("/")
    report(outcome)


if __name__ == "__main__":
    main()
