"""The pool keeps order, survives, and cleans up."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from setwise.errors import InputError, SandboxError
from setwise.sandbox import Job, Sandbox
from setwise.sandbox.runtime import referee
from setwise.sandbox.worker import Worker, WorkerDied

from .conftest import start_as

ADD = "def f(x): return x + {}"


def jobs(count: int) -> list[Job]:
    return [Job(ADD.format(n), [f"assert f(1) == {n + 1 if n % 3 else 0}"]) for n in range(count)]


def descendants(pid: int) -> set[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, ProcessLookupError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = set(), [pid]
    while todo:
        todo += children.get(todo.pop(), [])
        found.update(todo)
    return found


def cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def both_are_spinning(trainer: subprocess.Popen[str]) -> bool:
    return sum(cpu_seconds(pid) > 0.5 for pid in descendants(trainer.pid)) >= 2


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_verdicts_come_in_the_order_of_the_jobs():
    slow = Job("def f(x):\n    for _ in range(10 ** 6): pass\n    return x", ["assert f(1) == 1"])
    with Sandbox(workers=2) as sandbox:
        verdicts = list(sandbox.check([slow, *jobs(12)]))
    assert [verdict.passed for verdict in verdicts] == [True, *(n % 3 != 0 for n in range(12))]


def test_identical_jobs_are_run_once(monkeypatch: pytest.MonkeyPatch):
    sent = []
    send = Worker.send
    monkeypatch.setattr(Worker, "send", lambda self, job: (sent.append(job), send(self, job))[1])
    with Sandbox(workers=1) as sandbox:
        verdicts = list(sandbox.check([jobs(2)[1]] * 10))
    assert len(sent) == 1
    assert all(verdict.passed for verdict in verdicts)


def test_the_death_of_a_referee_is_survived():
    with Sandbox(workers=2) as sandbox:
        seen = []
        for number, verdict in enumerate(sandbox.check(jobs(20))):
            seen.append(verdict.passed)
            if number == 3:
                for worker in list(sandbox._workers):
                    os.kill(worker.pid, signal.SIGKILL)
    assert seen == [n % 3 != 0 for n in range(20)]


def test_the_death_of_a_zygote_is_survived():
    with Sandbox(workers=1) as sandbox:
        assert [v.passed for v in sandbox.check(jobs(2))] == [False, True]
        for pid in descendants(sandbox._workers[0].pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert [v.passed for v in sandbox.check(jobs(2))] == [False, True]


def test_a_job_that_cannot_be_judged_is_an_infra_error_and_not_a_wrong_answer(monkeypatch: pytest.MonkeyPatch):
    def die(self: Worker) -> None:
        raise WorkerDied(overran=False)

    with Sandbox(workers=1) as sandbox:
        assert sandbox.isolation
        monkeypatch.setattr(Worker, "receive", die)
        monkeypatch.setattr(Worker, "greeting", lambda self: {"facts": {}})
        (verdict,) = sandbox.check(jobs(1))
    assert verdict.status == "infra_error"
    assert not verdict.judged


def test_closing_leaves_no_process():
    sandbox = Sandbox(workers=2)
    list(sandbox.check(jobs(4)))
    processes = {pid for worker in sandbox._workers for pid in (worker.pid, *descendants(worker.pid))}
    assert len(processes) >= 4
    sandbox.close()
    assert eventually(lambda: not any(map(alive, processes)))
    assert [v.passed for v in sandbox.check(jobs(2))] == [False, True]
    sandbox.close()


SPINNING = """
import signal
from setwise.sandbox import Job, Sandbox
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job of a shell ignores
with Sandbox(workers=2{options}) as sandbox:
    list(sandbox.check([Job("def f(): pass", ["assert f() is None"]), Job("def g(): pass", ["assert g() is None"])]))
    print("ready", flush=True)
    spin = [Job(f"while True: pass  # {{n}}", ["assert f() == 1"], cpu_seconds=500) for n in range(2)]
    list(sandbox.check(spin))
"""


FORKING = """    import os, time
    os.fork() or time.sleep(60)
    print("""


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.parametrize("tier", ["A", "C"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_outlives_the_trainer(number: signal.Signals, tier: str):
    trainer = start_as("self", ["-c", SPINNING.format(options=f", tier={tier!r}")])
    assert trainer.stdout
    first = trainer.stdout.readline()
    if not first:
        _, complaint = trainer.communicate()
        pytest.skip(f"tier {tier} cannot be made here: {complaint.strip().splitlines()[-1]}")
    try:
        assert eventually(lambda: both_are_spinning(trainer))
        processes = descendants(trainer.pid)
        trainer.send_signal(number)
        assert eventually(lambda: not any(map(alive, processes)))
    finally:
        trainer.kill()
        trainer.communicate()


def test_a_fork_of_the_trainer_does_not_keep_the_referees_alive():
    script = SPINNING.format(options="").replace("    print(", FORKING)
    trainer = start_as("self", ["-c", script])
    try:
        assert trainer.stdout
        assert trainer.stdout.readline()
        assert eventually(lambda: both_are_spinning(trainer))
        (copy,) = [pid for pid in descendants(trainer.pid) if command_of(pid) == command_of(trainer.pid)]
        processes = descendants(trainer.pid) - {copy}
        trainer.kill()
        assert eventually(lambda: not any(map(alive, processes)))
        os.kill(copy, signal.SIGKILL)
    finally:
        trainer.kill()
        trainer.communicate()


def test_a_check_left_early_does_not_disturb_the_next():
    with Sandbox(workers=2) as sandbox:
        for verdict in sandbox.check([*jobs(3), Job("while True: pass", ["assert f(1) == 1"])]):
            assert not verdict.passed
            break
        assert [v.passed for v in sandbox.check(jobs(4))] == [n % 3 != 0 for n in range(4)]


def test_tier_d_needs_to_be_allowed():
    with pytest.raises(SandboxError, match="allow_unsafe"):
        Sandbox(tier="D")
    with Sandbox(tier="D", workers=1, allow_unsafe=True) as sandbox:
        assert sandbox.isolation.tier == "D"
        assert sandbox.isolation.costs
        assert [v.passed for v in sandbox.check(jobs(2))] == [False, True]


def test_a_sandbox_that_cannot_be_made_is_an_error_that_says_why(monkeypatch: pytest.MonkeyPatch):
    refused = {"refused": {"A": "no namespaces", "B": "no Landlock", "C": "no seccomp"}}
    monkeypatch.setattr(Worker, "greeting", lambda self: refused)
    with pytest.raises(SandboxError, match=r"no seccomp.*allow_unsafe"):
        assert Sandbox().isolation


def test_workers_that_do_not_start_leave_the_work_to_those_that_did(monkeypatch: pytest.MonkeyPatch):
    greeting, greeted = Worker.greeting, []

    def only_the_first(self: Worker) -> dict[str, object]:
        greeted.append(self)
        if len(greeted) > 1:
            self.close()
            raise SandboxError("no more")
        return greeting(self)

    monkeypatch.setattr(Worker, "greeting", only_the_first)
    with Sandbox(workers=3) as sandbox:
        assert [v.passed for v in sandbox.check(jobs(6))] == [n % 3 != 0 for n in range(6)]
        assert len(greeted) == 3
        assert sandbox._workers == greeted[:1]
        os.kill(greeted[0].pid, signal.SIGKILL)
        with pytest.raises(SandboxError, match="no more"):
            list(sandbox.check(jobs(2)))


def test_a_python_found_by_a_relative_path_is_started(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", os.path.relpath(sys.executable))
    with Sandbox(workers=1) as sandbox:
        assert [verdict.passed for verdict in sandbox.check(jobs(2))] == [False, True]


def test_a_process_that_cannot_be_started_at_all_is_an_error_that_says_why(monkeypatch: pytest.MonkeyPatch):
    def refuse(self: Worker, tiers: str) -> None:
        raise BlockingIOError(11, "too many processes")

    monkeypatch.setattr(Worker, "__init__", refuse)
    with pytest.raises(SandboxError, match="too many processes"):
        assert Sandbox().isolation


@pytest.mark.parametrize(
    ("cores", "processes", "workers"),
    [
        (8, None, 16),
        (8, "1", 16),
        (8, "4", 4),
        (2, "8", 1),
        (8, "0", 16),
        (8, "many", 16),
        (192, "1", 64),
        (192, "8", 48),
    ],
)
def test_processes_that_share_a_machine_share_its_cores(
    monkeypatch: pytest.MonkeyPatch, cores: int, processes: str | None, workers: int
):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)))
    monkeypatch.delenv("LOCAL_WORLD_SIZE", raising=False)
    if processes is not None:
        monkeypatch.setenv("LOCAL_WORLD_SIZE", processes)
    assert Sandbox()._size == workers


def test_a_referee_out_of_memory_ends_and_leaves_the_job_to_another(monkeypatch: pytest.MonkeyPatch):
    sent: list[dict[str, object]] = []
    ended: list[int] = []
    monkeypatch.setattr(referee, "judge", Mock(side_effect=MemoryError))
    monkeypatch.setattr(referee, "_send", sent.append)
    monkeypatch.setattr(os, "_exit", ended.append)
    referee._answer({"tests": ["assert f(1) == 1"]}, Mock(), [])
    assert [message["status"] for message in sent] == ["infra_error"]
    assert ended == [1]


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="tier"):
        Sandbox(tier="E")
    with pytest.raises(InputError, match="worker"):
        Sandbox(workers=0)


def test_a_job_can_be_pickled():
    job = jobs(1)[0]
    assert pickle.loads(pickle.dumps(job)) == job


def test_importing_the_sandbox_starts_nothing_and_loads_little():
    script = "import sys, setwise.sandbox; print('ctypes' in sys.modules, 'setwise.sandbox.runtime' in sys.modules)"
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert seen.split() == ["False", "False"]
