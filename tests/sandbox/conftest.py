"""Where the data is, and how to run something as an ordinary user."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IS_ROOT = os.geteuid() == 0
NOBODY = 65534


def start_as(user: str, arguments: Sequence[str]) -> subprocess.Popen[str]:
    """Start Python with `arguments` as `user`: whoever runs the tests, nobody, or root without CAP_SYS_ADMIN."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    if user == "nobody":
        command = ["unshare", "--mount", sys.executable, "-c", _BECOME_NOBODY, *command]
    if user == "root-without-admin":
        command = ["capsh", "--drop=cap_sys_admin", "--", "-c", shlex.join(command)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd="/"
    )


# Root's interpreter may lie in a folder that only root can enter. In a mount namespace of its own, this covers such a
# folder with an open one that holds the interpreter alone.
_BECOME_NOBODY = f"""
import os, pathlib, subprocess, sys
prefix = pathlib.Path(sys.base_prefix)
closed = next((p for p in reversed(prefix.parents) if p.stat().st_mode & 0o005 != 0o005), None)
if closed:
    run = lambda *command: subprocess.run(command, check=True)
    run("mount", "--make-rprivate", "/")
    run("mount", "-t", "tmpfs", "none", "/mnt")
    held = pathlib.Path("/mnt/python")
    held.mkdir()
    run("mount", "--bind", str(prefix), str(held))
    run("mount", "-t", "tmpfs", "-o", "mode=755", "none", str(closed))
    prefix.mkdir(parents=True)
    run("mount", "--bind", str(held), str(prefix))
os.setgroups([])
os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the datasets; they are not part of the repository."""
    folder = Path(os.environ.get("SETWISE_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "mbpp" / "mbpp.jsonl").is_file():
        pytest.skip(f"no MBPP in {folder}; set SETWISE_DATA to the folder that holds mbpp/")
    return folder
