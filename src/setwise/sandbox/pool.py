"""The sandbox itself: enough referees to keep the cores busy, verdicts in order, no process left behind."""

import os
import select
import time
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from setwise.errors import InputError, SandboxError
from setwise.sandbox.isolation import TIERS, Isolation, describe
from setwise.sandbox.job import DEFAULT_CPU_SECONDS, MAX_PROGRAM_BYTES, Job, Verdict
from setwise.sandbox.worker import Worker, WorkerDied

_ATTEMPTS = 3
_MOST_WORKERS = 64
"""The default limit: one thread feeds them all, and each holds an interpreter's memory."""
_SECONDS_OF_SILENCE = 120.0
_CPU_SECONDS_OF_SILENCE = 30.0
"""A referee that is silent for this long, plus this many times the job's CPU time, counts as dead."""


@dataclass
class _Run:
    """The state of one `check`."""

    waiting: deque[tuple[Job, int]] = field(default_factory=deque)
    """Jobs to run, each with the number of attempts already made."""
    verdicts: dict[Job, Verdict] = field(default_factory=dict)
    may_grow: bool = True
    """False once a worker could not be started; the sandbox then continues with those that run."""


@dataclass
class _Assignment:
    job: Job
    attempts: int
    deadline: float


class Sandbox:
    """Judges untrusted programs.

    `workers` defaults to two per core: while one waits for its processes, or is held by a program that does not end,
    the other continues. Training processes that share a machine (LOCAL_WORLD_SIZE) share its cores. By default, the
    sandbox uses the strongest tier possible; `tier` forces one of A to D. Tier D isolates nothing and needs
    `allow_unsafe=True`. `memory_bytes` is what one program may use. Only one `check` may run at a time.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        tier: str | None = None,
        memory_bytes: int = 1 << 30,
        allow_unsafe: bool = False,
    ) -> None:
        if tier is not None and (tier not in TIERS or len(tier) != 1):
            raise InputError("the tier of a sandbox must be A, B, C or D", value=tier)
        if workers is not None and workers < 1:
            raise InputError("a sandbox needs at least one worker", value=workers)
        self._tiers = tier or ("ABCD" if allow_unsafe else "ABC")
        if tier == "D" and not allow_unsafe:
            raise SandboxError(_unsafe("tier D was asked for"))
        self._size = workers or _default_workers()
        self._memory_bytes = memory_bytes
        self._workers: list[Worker] = []
        # Not `__del__`, which at exit may run after the modules that it needs are gone.
        weakref.finalize(self, _end_all, self._workers)
        self._isolation: Isolation | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def isolation(self) -> Isolation:
        """The report of the tier. Starts the first worker if there is none."""
        self._forget_if_forked()
        if self._isolation is None:
            self._start_workers(1)
        assert self._isolation
        return self._isolation

    def check(self, jobs: Iterable[Job]) -> Iterator[Verdict]:
        """Verdicts in the order of the jobs, each as soon as it and those before it are ready."""
        ordered = list(jobs)
        self._forget_if_forked()
        run = _Run()
        for job in dict.fromkeys(ordered):
            if len(job.program) > MAX_PROGRAM_BYTES:
                run.verdicts[job] = Verdict("error", ("not_run",) * len(job.tests), detail="the program is too long")
            else:
                run.waiting.append((job, 0))
        busy: dict[Worker, _Assignment] = {}
        try:
            for job in ordered:
                while job not in run.verdicts:
                    self._dispatch(run, busy)
                    self._collect(run, busy)
                yield run.verdicts[job]
        finally:
            # An abandoned job would answer the next check.
            for worker in busy:
                self._discard(worker)

    def close(self) -> None:
        """End every process of the sandbox. It can be used again, and then starts new ones."""
        _end_all(self._workers)

    def _dispatch(self, run: _Run, busy: dict[Worker, _Assignment]) -> None:
        while run.waiting and len(busy) < self._size:
            idle = next((worker for worker in self._workers if worker not in busy), None)
            if idle is None:
                if busy and not run.may_grow:
                    return
                run.may_grow = self._start_workers(min(len(run.waiting), self._size - len(self._workers)))
                continue
            job, attempts = run.waiting.popleft()
            cpu_seconds = job.cpu_seconds or DEFAULT_CPU_SECONDS
            silence = _SECONDS_OF_SILENCE + _CPU_SECONDS_OF_SILENCE * cpu_seconds
            assignment = _Assignment(job, attempts + 1, time.monotonic() + silence)
            busy[idle] = assignment
            try:
                idle.send(self._message(job, cpu_seconds))
            except WorkerDied as death:
                self._bury(idle, busy.pop(idle), death, run)

    def _collect(self, run: _Run, busy: dict[Worker, _Assignment]) -> None:
        """Wait for the next verdict, or for a worker to die."""
        poll = select.poll()
        for worker in busy:
            poll.register(worker, select.POLLIN)
        patience = min((a.deadline for a in busy.values()), default=0.0) - time.monotonic()
        ready = {descriptor for descriptor, _ in poll.poll(max(patience, 0) * 1000)}
        for worker in [worker for worker in busy if worker.fileno() in ready]:
            try:
                message = worker.receive()
            except WorkerDied as death:
                self._bury(worker, busy.pop(worker), death, run)
                continue
            if message is not None:
                self._conclude(busy.pop(worker), message, run)
        for worker in [w for w, a in busy.items() if a.deadline < time.monotonic()]:
            self._bury(worker, busy.pop(worker), WorkerDied(overran=False), run)

    def _conclude(self, assignment: _Assignment, message: dict[str, Any], run: _Run) -> None:
        verdict = Verdict(**{**message, "results": tuple(message["results"])})
        if verdict.status == "infra_error" and assignment.attempts < _ATTEMPTS:
            run.waiting.appendleft((assignment.job, assignment.attempts))
        else:
            run.verdicts[assignment.job] = verdict

    def _bury(self, worker: Worker, assignment: _Assignment, death: WorkerDied, run: _Run) -> None:
        self._discard(worker)
        count = len(assignment.job.tests)
        if death.overran:
            verdict = Verdict("protocol_error", ("protocol_error",) * count, detail="answers too costly to compare")
            run.verdicts[assignment.job] = verdict
        elif assignment.attempts < _ATTEMPTS:
            run.waiting.appendleft((assignment.job, assignment.attempts))
        else:
            detail = f"the referee died {assignment.attempts} times"
            run.verdicts[assignment.job] = Verdict("infra_error", ("infra_error",) * count, detail=detail)

    def _message(self, job: Job, cpu_seconds: float) -> dict[str, Any]:
        return {
            "program": job.program,
            "tests": job.tests,
            "setup": job.setup,
            "cpu_seconds": cpu_seconds,
            "memory_bytes": self._memory_bytes,
        }

    def _start_workers(self, count: int) -> bool:
        """Start workers in parallel, since each takes a moment; the first one alone, to learn which tier the machine
        supports.

        Returns False if fewer could be started. Raises if none is left.
        """
        if self._isolation is None and count > 1:
            self._start_workers(1)
            count -= 1
        fresh: list[Worker] = []
        failure: Exception | None = None
        try:
            try:
                while len(fresh) < count:
                    fresh.append(Worker(self._isolation.tier if self._isolation else self._tiers))
            except OSError as error:
                failure = SandboxError(f"the sandbox's referee did not start: {error}")
            while fresh:
                try:
                    self._greet(fresh[-1].greeting())
                    self._workers.append(fresh.pop())
                except SandboxError as error:
                    failure = error
                    fresh.pop().close()
        finally:
            _end_all(fresh)
        if failure and not self._workers:
            raise failure
        return failure is None

    def _greet(self, greeting: dict[str, Any]) -> None:
        if "facts" not in greeting:
            reasons = "; ".join(f"tier {tier}: {why}" for tier, why in greeting["refused"].items())
            raise SandboxError(_unsafe(reasons) if self._tiers == "ABC" else f"no sandbox can be made here: {reasons}")
        if self._isolation is None:
            self._isolation = describe(greeting["facts"], greeting["refused"])

    def _discard(self, worker: Worker) -> None:
        worker.close()
        if worker in self._workers:
            self._workers.remove(worker)

    def _forget_if_forked(self) -> None:
        """A forked copy must not use its parent's pipes."""
        if any(not worker.is_ours for worker in self._workers):
            self._workers.clear()


def _default_workers() -> int:
    neighbours = os.environ.get("LOCAL_WORLD_SIZE", "")
    share = 2 * len(os.sched_getaffinity(0)) // max(int(neighbours) if neighbours.isdecimal() else 1, 1)
    return min(max(share, 1), _MOST_WORKERS)


def _end_all(workers: list[Worker]) -> None:
    while workers:
        worker = workers.pop()
        if worker.is_ours:
            worker.close()


def _unsafe(reasons: str) -> str:
    return (
        f"this machine cannot keep a program in ({reasons}); allow_unsafe=True runs programs with your own rights, "
        "for programs you trust"
    )
