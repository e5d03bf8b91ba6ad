"""Runs commands side by side, each on its own core: for tiny models, two one-thread runs beat one run on two
threads."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from setwise.errors import MachineryError

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_BETWEEN_REPORTS = 15.0


@dataclass(frozen=True, slots=True)
class Command:
    """A command to run, and where its output goes."""

    name: str
    arguments: tuple[str, ...]
    log: Path


def run_lanes(commands: Sequence[Command], lanes: int, say: Callable[[str], None]) -> None:
    """Run all commands, at most `lanes` at a time. One that fails ends the others, and the end of its output is
    shown."""
    waiting, running = list(commands), dict[str, subprocess.Popen[bytes]]()
    said_at = time.monotonic()
    try:
        while waiting or running:
            while waiting and len(running) < lanes:
                command = waiting.pop(0)
                running[command.name] = _begin(command)
            time.sleep(SECONDS_BETWEEN_LOOKS)
            for command in commands:
                process = running.get(command.name)
                if process is None or process.poll() is None:
                    continue
                del running[command.name]
                if process.returncode:
                    raise MachineryError(f"{command.name} failed: {last_line(command.log)} (all of it: {command.log})")
                say(f"{command.name}: done")
            if time.monotonic() - said_at > SECONDS_BETWEEN_REPORTS:
                said_at = time.monotonic()
                for command in commands:
                    if command.name in running:
                        say(f"{command.name}: {last_line(command.log)}")
    finally:
        for process in running.values():
            process.terminate()
            process.wait()


def last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() if log.is_file() else []
    return lines[-1] if lines else "starting"


def _begin(command: Command) -> "subprocess.Popen[bytes]":
    command.log.parent.mkdir(parents=True, exist_ok=True)
    one_thread = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    with command.log.open("wb") as log:
        return subprocess.Popen(
            command.arguments, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **one_thread}
        )
