"""The servers of the benchmark, each in its own process."""

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@contextmanager
def upstream(delay_ms: float) -> Iterator[str]:
    """The base URL of the scripted upstream."""
    command = [sys.executable, str(Path(__file__).with_name("upstream.py")), "0", str(delay_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().split()[1]}"
        finally:
            process.kill()


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """The base URL of `setwise serve`."""
    command = [sys.executable, "-m", "setwise", "serve", *arguments, "--port", "0"]
    with tempfile.TemporaryFile("w+") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            yield _address(process, log)
        finally:
            process.terminate()


def _address(process: subprocess.Popen[bytes], log: IO[str]) -> str:
    """Read from a file: nobody reads a pipe while the server runs, and a full one would block it."""
    while True:
        log.seek(0)
        said = log.read()
        if found := re.search(r" is served at (http://\S+)\n", said):
            return found[1]
        if process.poll() is not None:
            raise SystemExit(f"the server did not start: {said}")
        time.sleep(0.05)


def completions_given(upstream_url: str) -> int:
    with _DIRECT.open(f"{upstream_url}/count") as answer:
        return json.load(answer)["count"]


def resident_mb(server_url: str) -> float:
    with _DIRECT.open(f"{server_url}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return int(next(line for line in lines if line.startswith("process_resident_memory_bytes")).split()[1]) / 1e6
