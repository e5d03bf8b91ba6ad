"""The zygote: builds the walls once, then forks one child per program, warm and already inside them.

It never runs a program itself and never sees a test; a child's channel to the referee passes through it unread.
"""

import gc
import importlib
import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Any

from .lockdown.limits import limit_resources
from .lockdown.privileges import die_with_parent
from .lockdown.tiers import Walls, build_walls
from .program import run_program

PRELOADED = (
    "abc argparse array ast base64 binascii bisect builtins calendar cmath codecs collections collections.abc colorsys "
    "contextlib copy csv ctypes dataclasses datetime decimal difflib enum errno fractions functools gc hashlib heapq "
    "hmac html inspect io itertools json keyword locale math numbers operator os pathlib pprint queue random re "
    "reprlib secrets shlex signal statistics string struct sys tempfile textwrap threading time timeit traceback types "
    "typing unicodedata uuid warnings weakref zlib zoneinfo"
).split()
CHANNEL = 3


def main() -> None:
    os.umask(0o022)
    control = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    for name in PRELOADED:
        with suppress(ImportError):
            importlib.import_module(name)
    try:
        walls = build_walls(sys.argv[2], control)
    except OSError as error:
        control.send(json.dumps({"failed": str(error)}).encode())
        return
    # What exists now is shared with every child; the collector would only copy it.
    gc.disable()
    gc.freeze()
    failure = _probe(walls)
    if failure:
        control.send(json.dumps({"failed": failure}).encode())
        return
    control.send(json.dumps(walls.facts).encode())
    _serve(control, walls)


def _serve(control: socket.socket, walls: Walls) -> None:
    child = 0
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 1 << 12, 1)
        if not data:
            return
        request = json.loads(data)
        if request["do"] == "fork":
            try:
                child = _fork(descriptors[0], request, control, walls)
                reply: dict[str, Any] = {}
            except OSError as error:
                reply = {"failed": f"fork: {error}"}
            os.close(descriptors[0])
        elif request["do"] == "cpu":
            reply = {"cpu_seconds": _cpu_seconds(child)}
        else:
            reply = _end(child)
        control.send(json.dumps(reply).encode())


def _fork(channel: int, request: dict[str, Any], control: socket.socket, walls: Walls) -> int:
    child = os.fork()
    if child:
        return child
    try:
        control.close()
        os.dup2(channel, CHANNEL)
        os.closerange(CHANNEL + 1, 64)
        die_with_parent()
        gc.enable()
        limit_resources(request["cpu_seconds"], request["memory_bytes"])
        walls.close_behind()
        run_program(CHANNEL)
    finally:
        os._exit(1)


def _cpu_seconds(child: int) -> float:
    """The clock that the kernel keeps for another process, by the number it derives from the process id."""
    try:
        return time.clock_gettime(~child << 3 | 2)
    except OSError:
        return 0.0


def _end(child: int) -> dict[str, Any]:
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    exit_code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
    return {"cpu_seconds": usage.ru_utime + usage.ru_stime, "exit_code": exit_code, "signal": ended_by}


def _probe(walls: Walls) -> str:
    """Try the walls from inside before anyone untrusted does. Says what gave way."""
    child = os.fork()
    if not child:
        try:
            limit_resources(10, 1 << 30)
            walls.close_behind()
            os._exit(walls.first_gap())
        finally:
            os._exit(255)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return walls.describe_gap(status)
