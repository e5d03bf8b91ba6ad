"""The demo's trainings run side by side, fail loudly and leave nothing behind, forked or not."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path

import pytest

from setwise.cli.demo import IMPORTS
from setwise.errors import MachineryError
from setwise.workflows.demo import lanes
from setwise.workflows.demo.lanes import run_lanes
from setwise.workflows.demo.processes import Command, NewProcesses, Processes, Running, prepare_processes

ROOT = Path(__file__).parents[2]


def do(arguments: Sequence[str]) -> int:
    """What a fork does here in place of a training."""
    match arguments:
        case ["fail"]:
            sys.stderr.write("oh no\n")
            return 1
        case ["sleep"]:
            sys.stdout.write(f"{os.getpid()}\n")
            sys.stdout.flush()
            time.sleep(60)
        case _:
            told = {
                "threads": os.environ["OMP_NUM_THREADS"],
                "folder": str(Path.cwd()),
                "command": sys.argv,
                "imported": [name for name in IMPORTS if name in sys.modules],
                "threads of the server": len(list(Path(f"/proc/{os.getppid()}/task").iterdir())),
            }
            sys.stdout.write(json.dumps(told))
    return 0


@pytest.fixture(scope="module")
def forks() -> Processes:
    pytest.importorskip("trl")
    import torch

    if sys.platform != "linux" or torch.accelerator.is_available():
        pytest.skip("forks need Linux without a GPU")
    return prepare_processes(do, IMPORTS)


def command(folder: Path, name: str, *arguments: str) -> Command:
    return Command(name, arguments, folder / "logs" / f"{name}.log")


def test_a_fork_has_imported_everything_from_a_server_without_threads(
    forks: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    # On a busy machine, what one that takes long wrote last would be said too.
    monkeypatch.setattr(lanes, "SECONDS_BETWEEN_REPORTS", inf)
    said: list[str] = []
    commands = [command(Path(), name, "tell", name) for name in "abc"]
    run_lanes(commands, 2, forks, said.append)
    assert sorted(said) == ["a: done", "b: done", "c: done"]
    for each in commands:
        assert json.loads(each.log.read_text()) == {
            "threads": "1",
            "folder": str(tmp_path),
            "command": ["setwise", "tell", each.name],
            "imported": list(IMPORTS),
            "threads of the server": 1,
        }


def test_preparing_forks_leaves_this_process_as_it_was():
    before = signal.getsignal(signal.SIGINT), dict(os.environ)
    prepare_processes(do, IMPORTS)
    assert (signal.getsignal(signal.SIGINT), dict(os.environ)) == before


def test_one_that_fails_ends_the_others_and_is_named_with_its_last_words(forks: Processes, tmp_path: Path):
    begun: list[Running] = []

    class Noted(NewProcesses):
        def begin(self, command: Command) -> Running:
            begun.append(forks.begin(command))
            return begun[-1]

    commands = [command(tmp_path, "good", "sleep"), command(tmp_path, "bad", "fail")]
    with pytest.raises(MachineryError, match="bad failed: oh no"):
        run_lanes(commands, 2, Noted(), lambda line: None)
    assert [process.poll() for process in begun] == [-signal.SIGTERM, 1]


def test_functions_run_in_forks_too(forks: Processes):
    with forks.pool(2) as pool:
        assert list(pool.map(pow, (2, 3), (5, 2))) == [32, 9]
        assert pool.submit(os.getenv, "OMP_NUM_THREADS").result() == "1"
        assert pool.submit(os.getpid).result() != os.getpid()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_fork_outlives_the_process_that_began_it(number: signal.Signals, tmp_path: Path):
    # What runs in the background of a script ignores SIGINT.
    program = f"""
import signal
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
from {__name__} import command, do, prepare_processes, run_lanes
run_lanes([command(Path({str(tmp_path)!r}), "a", "sleep")], 1, prepare_processes(do, []), print)
"""
    search = os.pathsep.join([str(ROOT), *sys.path])
    parent = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": search}, stderr=subprocess.DEVNULL
    )
    log = command(tmp_path, "a").log
    wait_until(lambda: log.is_file() and log.read_text().endswith("\n"))
    child = int(log.read_text())
    assert not has_ended(child)
    parent.send_signal(number)
    parent.wait(20)
    wait_until(lambda: has_ended(child))


def test_without_forks_each_command_has_a_new_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("setwise.workflows.demo.processes._forks_are_safe", lambda: False)
    processes = prepare_processes(do, IMPORTS)
    version = command(tmp_path, "version", "--version")
    run_lanes([version], 2, processes, lambda line: None)
    assert version.log.read_text().startswith("setwise ")
    with pytest.raises(MachineryError, match=r"bad failed: setwise: .*missing\.yaml"):
        run_lanes([command(tmp_path, "bad", "train", "missing.yaml")], 2, processes, lambda line: None)
    with processes.pool(2) as pool:
        assert list(pool.map(pow, (2, 3), (5, 2))) == [32, 9]


def test_where_the_server_died_each_command_has_a_new_process(
    forks: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def broken(process: object) -> None:
        raise EOFError

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", broken)
    version = command(tmp_path, "version", "--version")
    run_lanes([version], 1, forks, lambda line: None)
    assert version.log.read_text().startswith("setwise ")


def has_ended(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(true: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
