"""A folder is one process's, until that process ends in whatever way."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.records.holding import held

fcntl = pytest.importorskip("fcntl")
HOLDING = """
import sys, time
from pathlib import Path
from setwise.records.holding import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path: Path):
    folder = tmp_path / "runs" / "a"
    with subprocess.Popen([sys.executable, "-c", HOLDING, str(folder)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(InputError, match=rf"^{folder}: another process is writing here; wait"), held(folder):
            pass
        other.kill()
    with held(folder):
        pass


def test_a_block_that_fails_lets_go(tmp_path: Path):
    with pytest.raises(ZeroDivisionError), held(tmp_path):
        raise ZeroDivisionError
    with held(tmp_path):
        pass


def test_a_file_system_without_locks_is_worked_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked = []

    def flock(descriptor: int, operation: int) -> None:
        asked.append(operation)
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with held(tmp_path):
        assert asked == [fcntl.LOCK_EX | fcntl.LOCK_NB]
