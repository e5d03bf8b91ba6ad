"""Runs commands side by side, each on its own core: for tiny models, two one-thread runs beat one run on two
threads."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from setwise.errors import MachineryError
from setwise.workflows.demo.processes import Command, Processes, Running

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_BETWEEN_REPORTS = 15.0


def run_lanes(commands: Sequence[Command], lanes: int, processes: Processes, say: Callable[[str], None]) -> None:
    """Run all commands, at most `lanes` at a time. One that fails ends the others, and the end of its output is
    shown."""
    waiting, running = list(commands), dict[str, Running]()
    said_at = time.monotonic()
    try:
        while waiting or running:
            while waiting and len(running) < lanes:
                command = waiting.pop(0)
                command.log.parent.mkdir(parents=True, exist_ok=True)
                command.log.write_bytes(b"")
                running[command.name] = processes.begin(command)
            time.sleep(SECONDS_BETWEEN_LOOKS)
            for command in commands:
                process = running.get(command.name)
                if process is None or (status := process.poll()) is None:
                    continue
                del running[command.name]
                if status:
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
