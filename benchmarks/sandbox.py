"""Programs judged per second, against widely used graders, in the same run.

    python benchmarks/sandbox.py [--programs 400] [--quick]

Each peer forks a process for every program, gets its verdict through a `multiprocessing.Manager`, and limits it by the
wall clock. They have their projects' default settings, without those projects' imports and guards:

    human-eval     openai/human-eval, `evaluate_functional_correctness(n_workers=4, timeout=3.0)`: threads; a temporary
                   folder; one `exec` of program and tests behind an alarm; killed a second after it
    LiveCodeBench  `codegen_metrics(num_process_evaluate=16, timeout=6)`: processes; an alarm for the program and for
                   each test; the first failure ends the grading; killed after seven seconds for each test and five more
    verl           `prime_code.compute_score(continuous=True)` under its `prime` reward manager (`num_processes=64`): an
                   alarm of five seconds; where a program fails, its first ten tests again one by one with ten seconds
                   each; killed a second after an alarm

`lean` is human-eval with a pipe instead of the manager. All fork the caller or a copy of it, so they pay for the
caller's memory; none contains a hostile program.

CPU per program counts every process of the sandbox, including the caller's share, after a warm start.

With endless loops the sandbox has a bound that no speed can change: each loop gets its second of CPU time, so that a
verdict does not depend on the machine's load, and no more loops end per second than there are cores.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from setwise.sandbox import Job, Sandbox

GIBIBYTE = 1 << 30
TARGETS = {"simple": 10.0, "caller holds 1 GiB": 30.0}
LOOP_TARGET = 5.0
CPU_TARGET_MS = 3.0
LOOP_CPU_SECONDS = 1.0
TESTS_RUN_AGAIN = 10
TURNS = 4
Grader = Callable[[Sequence[Job]], list[bool]]


@dataclass(frozen=True)
class Peer:
    """A grader that forks for each program."""

    pool: Callable[[int], Executor]
    workers: int
    alarm_seconds: float
    alarm_for_each_test: bool = True
    kill_for_each_test: bool = False
    again_seconds: float = 0.0
    """The alarm for each test by itself, after the program has failed."""
    in_folder: bool = False
    with_manager: bool = True

    def __call__(self, jobs: Sequence[Job]) -> list[bool]:
        with self.pool(self.workers) as executor:
            return list(executor.map(partial(grade, self), jobs))

    def kill_seconds(self, tests: int) -> float:
        return (self.alarm_seconds + 1) * tests + 5 if self.kill_for_each_test else self.alarm_seconds + 1


HUMAN_EVAL = Peer(ThreadPoolExecutor, 4, alarm_seconds=3.0, alarm_for_each_test=False, in_folder=True)
LEAN = replace(HUMAN_EVAL, with_manager=False)
LIVE_CODE_BENCH = Peer(ProcessPoolExecutor, 16, alarm_seconds=6.0, kill_for_each_test=True)
VERL = Peer(ProcessPoolExecutor, 64, alarm_seconds=5.0, again_seconds=10.0)
LOOP_PEERS = {"human-eval": HUMAN_EVAL, "LiveCodeBench": LIVE_CODE_BENCH, "verl": VERL}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=int, default=400, help="simple programs for the sandbox")
    parser.add_argument("--quick", action="store_true", help="few programs, one peer: a smoke test, not a measurement")
    args = parser.parse_args()
    count = 40 if args.quick else args.programs
    few = max(count // 5, 8)
    multiprocessing.set_start_method("fork")
    with Sandbox() as sandbox:
        ours: Grader = lambda jobs: [verdict.passed for verdict in sandbox.check(jobs)]  # noqa: E731
        print(f"{sandbox.isolation.summary}\n")
        ours(simple_programs(8 * len(os.sched_getaffinity(0))))
        report_cpu(sandbox, simple_programs(count))
        print(f"\n{'':22}{'sandbox/s':>10}{'human-eval/s':>14}{'lean/s':>9}{'ratio':>8}{'(lean)':>8}  target")
        compare("simple", ours, simple_programs(count), simple_programs(few))
        held = hold(GIBIBYTE)
        compare("caller holds 1 GiB", ours, simple_programs(count), simple_programs(few))
        del held
        mixed = with_loops(simple_programs(max(count // 2, 150)), share=0.02)
        compare_loops(ours, mixed, {"human-eval": HUMAN_EVAL} if args.quick else LOOP_PEERS)


def simple_programs(count: int) -> list[Job]:
    """All distinct, so that none is skipped as equal to another."""
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


def compare(name: str, ours: Grader, jobs: list[Job], fewer: list[Job]) -> None:
    """In turn, so that other work on the machine affects all of them."""
    graders = ((ours, jobs), (HUMAN_EVAL, fewer), (LEAN, fewer))
    seconds = [0.0] * len(graders)
    for turn in range(TURNS):
        for index, (grader, batch) in enumerate(graders):
            seconds[index] += elapsed(grader, batch[turn::TURNS])
    sandbox, classic, lean = (len(batch) / spent for (_, batch), spent in zip(graders, seconds, strict=True))
    numbers = f"{sandbox:10.1f}{classic:14.1f}{lean:9.1f}{sandbox / classic:8.1f}{sandbox / lean:8.1f}"
    print(f"{name:22}{numbers}  {met(sandbox / classic, TARGETS[name])}", flush=True)


def compare_loops(ours: Grader, mixed: list[Job], peers: dict[str, Peer]) -> None:
    loops = sum("offset" not in job.program for job in mixed)
    bound = len(mixed) * len(os.sched_getaffinity(0)) / (loops * LOOP_CPU_SECONDS)
    sandbox = rate(ours, mixed)
    print(
        f"\n2 % endless loops: the sandbox judges {sandbox:.1f}/s; its {loops} loops alone leave room for {bound:.1f}/s"
    )
    print(f"{'':22}{'peer/s':>10}{'ratio':>8}{'bound':>8}  target")
    for name, peer in peers.items():
        other = rate(peer, mixed)
        ratio = sandbox / other
        print(f"  {name:20}{other:10.1f}{ratio:8.1f}{bound / other:8.1f}  {met(ratio, LOOP_TARGET)}", flush=True)


def met(ratio: float, target: float) -> str:
    return f"{target:.0f}x {'reached' if ratio >= target else 'MISSED'}"


def rate(grader: Grader, jobs: list[Job]) -> float:
    return len(jobs) / elapsed(grader, jobs)


def elapsed(grader: Grader, jobs: list[Job]) -> float:
    started = time.perf_counter()
    passed = grader(jobs)
    seconds = time.perf_counter() - started
    assert passed == ["offset" in job.program for job in jobs], "a grader misjudged a program"
    return seconds


def report_cpu(sandbox: Sandbox, jobs: list[Job]) -> None:
    before = cpu_seconds_of_tree(os.getpid())
    assert all(verdict.passed for verdict in sandbox.check(jobs))
    spent = 1000 * (cpu_seconds_of_tree(os.getpid()) - before) / len(jobs)
    verdict = "reached" if spent <= CPU_TARGET_MS else "MISSED"
    print(f"{'CPU per program':22}{spent:7.2f} ms{'':39}  {CPU_TARGET_MS:.0f} ms {verdict}", flush=True)


def cpu_seconds_of_tree(root: int) -> float:
    """User and system time of a process, its descendants, and those they have waited for."""
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


def grade(peer: Peer, job: Job) -> bool:
    passed = check_in_fork(peer, job)
    if peer.again_seconds and not passed:
        for test in job.tests[:TESTS_RUN_AGAIN]:
            check_in_fork(replace(peer, alarm_seconds=peer.again_seconds), Job(job.program, [test], job.setup))
    return passed


def check_in_fork(peer: Peer, job: Job) -> bool:
    with outbox(peer) as (send, received):
        process = multiprocessing.Process(target=execute, args=(peer, job, send))
        process.start()
        process.join(peer.kill_seconds(len(job.tests)))
        if process.is_alive():
            process.kill()
            process.join()
        return received() == ["passed"]


@contextlib.contextmanager
def outbox(peer: Peer) -> Iterator[tuple[Callable[[Any], Any], Callable[[], list[Any]]]]:
    """How to send from the forked process, and what was received from it."""
    if peer.with_manager:
        with multiprocessing.Manager() as manager:
            result = manager.list()
            yield result.append, lambda: list(result)
    else:
        receiver, sender = multiprocessing.Pipe(duplex=False)
        with receiver, sender:
            yield sender.send, lambda: [receiver.recv()] if receiver.poll() else []


def execute(peer: Peer, job: Job, report: Callable[[Any], Any]) -> None:
    """In the forked process, with an alarm as the only limit."""

    def give_up(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    script = [job.program, job.setup, *job.tests]
    parts = script if peer.alarm_for_each_test else ["\n".join(script)]
    names: dict[str, Any] = {}
    with working_folder() if peer.in_folder else contextlib.nullcontext(), contextlib.redirect_stdout(io.StringIO()):
        try:
            for part in parts:
                signal.setitimer(signal.ITIMER_REAL, peer.alarm_seconds)
                exec(compile(part, "program", "exec"), names)
            outcome = "passed"
        except BaseException as error:
            outcome = f"failed: {error}"
        signal.setitimer(signal.ITIMER_REAL, 0)
    report(outcome)


@contextlib.contextmanager
def working_folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


if __name__ == "__main__":
    main()
