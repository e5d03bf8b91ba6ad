"""A page of the docs, read as the list of things a reader does, and done: files written, commands run, Python executed.

What is on the line before a fence decides about its block:

    <!-- file: NAME -->     the block is that file in the reader's folder
    <!-- needs: WHAT -->    the block cannot run here; its `setwise` commands are parsed, and the files they name exist

Otherwise `sh` blocks run in bash and `python` blocks share one namespace, from top to bottom. Blocks in other languages
are shown and not run.
"""

import io
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from setwise.cli import command_parser

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
MARK = re.compile(r"<!-- (file|needs): (.+?) -->\s*\Z")
EXECUTED = ("sh", "python")
LASTING = re.compile(r"^(setwise serve|setwise report .*--watch|tensorboard|transformers serve)", re.MULTILINE)
BASH = ("bash", "-euo", "pipefail", "-c")
UP_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    language: str
    text: str
    file: str | None = None
    needs: str | None = None

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def lasts(self) -> bool:
        return self.language == "sh" and bool(LASTING.search(self.text))


def read_blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return list(_blocks(page, text))


def _blocks(page: Path, text: str) -> Iterator[Block]:
    for found in FENCE.finditer(text):
        mark = MARK.search(text[: found.start()])
        told = {mark[1]: mark[2]} if mark else {}
        line = text.count("\n", 0, found.start()) + 1
        content = re.sub(rf"^{found['indent']}", "", found["text"], flags=re.MULTILINE)
        yield Block(page, line, found["language"], content, told.get("file"), told.get("needs"))


def run_page(page: Path, folder: Path) -> int:
    """Do what the page says in the folder; the number of blocks that were run."""
    names: dict[str, Any] = {"__name__": "__main__"}
    done = 0
    with ExitStack() as lasting:
        for block in read_blocks(page):
            if block.file:
                path = folder / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
                continue
            if block.language not in EXECUTED:
                continue
            if block.needs:
                check_unrun(block, folder)
                continue
            done += 1
            if block.language == "python":
                _execute(block, names, folder)
            elif block.lasts:
                lasting.enter_context(_lasting(block, folder))
            else:
                _run(block, folder)
    return done


def check_unrun(block: Block, folder: Path) -> None:
    """The block's own commands are ones that the parser takes, with recipes that exist."""
    for words in setwise_commands(block.text):
        command_parser(words).parse_args(words)
        for word in words:
            if word.startswith(("recipes/", "examples/")):
                assert (folder / word).exists(), f"{block.place}: {word} is not there"


def setwise_commands(text: str) -> list[list[str]]:
    """The arguments of every `setwise ...` and `-m setwise ...` in a shell block."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [re.split(r"\s\|\s|\s>\s|;\s|\s&&\s", line)[0] for line in joined.splitlines()]
    found = [re.search(r"(?:^|-m )setwise (.*)", line.strip()) for line in lines]
    return [shlex.split(match[1], comments=True) for match in found if match]


def _run(block: Block, folder: Path) -> None:
    done = subprocess.run(
        [*BASH, block.text], cwd=folder, env=_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{block.place}: exit status {done.returncode}\n{block.text}{done.stdout}{done.stderr}"


def _execute(block: Block, names: dict[str, Any], folder: Path) -> None:
    printed = io.StringIO()
    sys.path.insert(0, str(folder))
    try:
        with chdir(folder), redirect_stdout(printed):
            exec(compile(block.text, block.place, "exec"), names)
    finally:
        sys.path.remove(str(folder))
    promised = _promised(block.text)
    if promised:
        assert printed.getvalue().splitlines() == promised, block.place


def _promised(text: str) -> list[str]:
    """The comment lines that follow a line that prints."""
    promised: list[str] = []
    printing = False
    for line, after in pairwise([*text.splitlines(), ""]):
        printing = "print(" in line or (printing and line.startswith("# "))
        if printing and after.startswith("# "):
            promised.append(after[2:])
    return promised


@contextmanager
def _lasting(block: Block, folder: Path) -> Iterator[None]:
    """A command that goes on, from when it listens until the page ends."""
    log = folder / f"lasting-{block.line}.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*BASH, block.text], cwd=folder, env=_environment(), stdout=stream, stderr=stream, start_new_session=True
        )
    try:
        _wait_until_up(process, block, log)
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _wait_until_up(process: subprocess.Popen[bytes], block: Block, log: Path) -> None:
    port = re.search(r"--port (\d+)", block.text)
    end = time.monotonic() + (UP_SECONDS if port else 5)
    while time.monotonic() < end:
        assert process.poll() is None, f"{block.place}: exit status {process.returncode}\n{block.text}{log.read_text()}"
        with socket.socket() as probe:
            if port and probe.connect_ex(("127.0.0.1", int(port[1]))) == 0:
                return
        time.sleep(0.2)
    assert port is None, f"{block.place}: nothing listens on port {port[1]}"


def _environment() -> dict[str, str]:
    """The reader's: `setwise` on the path, one thread, no hub, whatever is started asks nobody outside."""
    scripts = str(Path(sys.executable).parent)
    quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "MPLBACKEND": "agg"}
    return {**os.environ, **quiet, "PATH": f"{scripts}:{os.environ['PATH']}", "NO_PROXY": "127.0.0.1,localhost"}
