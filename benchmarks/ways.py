"""Runs each way to measure in its own process, because vLLM does not give its memory back."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def lacks_gpu_or_vllm() -> bool:
    """Report if it does. Only the parent checks: vLLM forks its engine, which cannot use CUDA once it was used."""
    import torch

    if find_spec("vllm") is not None and torch.cuda.is_available():
        return False
    print("this benchmark needs a GPU and vLLM: pip install 'setwise[vllm]'", file=sys.stderr)
    return True


def tell(measured: dict[str, Any]) -> None:
    """What a child reports to its parent, after whatever libraries print."""
    print("\n" + json.dumps(measured), flush=True)


def measure_elsewhere(
    script: str, way: str, arguments: list[str], packages: Path | None = None
) -> dict[str, Any] | None:
    """Run the script again for one way; None if that failed. Its imports look in the folder `packages` first."""
    child = _start(script, way, arguments, packages)
    return _told(way, child)


def measure_in_turn(script: str, ways: Sequence[str], arguments: list[str]) -> Iterator[dict[str, Any] | None]:
    """The same for several ways, each of which asks for its turn: they get ready side by side, and run one by one."""
    children = [(way, _start(script, way, arguments)) for way in ways]
    before = [_until_ready(child) for _, child in children]
    for (way, child), said in zip(children, before, strict=True):
        yield _told(way, child, said)


TURN = "ready for its turn\n"


def wait_for_turn() -> None:
    """In a child of `measure_in_turn`, once it is ready. Exits if there is no parent to wait for."""
    print("\n" + TURN, end="", flush=True)
    if not sys.stdin.readline():
        sys.exit("nobody gives turns")


def _start(script: str, way: str, arguments: list[str], packages: Path | None = None) -> subprocess.Popen[str]:
    searched = [str(packages.resolve())] if packages else []
    searched += filter(None, [os.environ.get("PYTHONPATH")])
    return subprocess.Popen(
        [sys.executable, script, *arguments, "--way", way],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(searched)},
    )


def _until_ready(child: subprocess.Popen[str]) -> str:
    """What the child prints before it asks for its turn, or before it ends."""
    assert child.stdout
    said = ""
    while (line := child.stdout.readline()) and line != TURN:
        said += line
    return said


def _told(way: str, child: subprocess.Popen[str], before: str = "") -> dict[str, Any] | None:
    said, _ = child.communicate("\n" if child.poll() is None else None)
    said = before + said
    lines = [line for line in said.splitlines() if line.startswith('{"way"')]
    if lines:
        return json.loads(lines[-1])
    print(f"{way}: failed with exit status {child.returncode}\n{said[-2000:]}", flush=True)
    return None
