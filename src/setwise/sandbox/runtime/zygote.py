"""The zygote: builds the walls once, then forks one child per program, warm and already inside them.

It never runs a program itself and never sees a test; a child's channel to the referee passes through it unread.
"""

import gc
import importlib
import json
import os
import random
import signal
import socket
import sys
import time
from contextlib import suppress

from .channel import NONCE_BYTES
from .lockdown.kernel import fork
from .lockdown.limits import limit_child
from .lockdown.privileges import holds_admin
from .lockdown.tiers import Walls, build_walls
from .orders import CPU, DONE, FAILED, FORK, ORDER, REPORT
from .program import MODULE_NAME, ProgramProcess, run_program
from .remote import ProgramName, request

COMMON_MODULES = (
    "abc bisect builtins collections collections.abc copy datetime decimal enum fractions functools gc heapq io "
    "itertools math operator os random re signal string sys time types typing"
)
OTHER_MODULES = (
    "argparse array ast base64 binascii calendar cmath codecs colorsys contextlib csv dataclasses difflib errno "
    "hashlib hmac html inspect json keyword locale numbers pathlib pprint queue reprlib secrets shlex statistics "
    "struct tempfile textwrap threading timeit traceback unicodedata uuid warnings weakref zlib zoneinfo"
)
"""Loaded beforehand only where a program could not import them itself; every page loaded is paid at each fork."""
CHANNEL = 3
_WARM_UP_ROUNDS = 40


def main() -> None:
    os.umask(0o022)
    tier = sys.argv[2]
    control = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    _preload(COMMON_MODULES if _library_stays_in_reach(tier) else f"{COMMON_MODULES} {OTHER_MODULES}")
    _warm_up()
    try:
        walls = build_walls(tier, control)
    except OSError as error:
        control.send(FAILED + str(error).encode())
        return
    random.seed(0)
    # What exists now is shared with every child; the collector would only copy it.
    gc.disable()
    gc.freeze()
    failure = _probe(walls)
    if failure:
        control.send(FAILED + failure.encode())
        return
    control.send(DONE + json.dumps(walls.facts).encode())
    _serve(control, walls)


def _library_stays_in_reach(tier: str) -> bool:
    """Root that has to become nobody first may lose sight of its own interpreter's folder."""
    return tier == "A" and (os.geteuid() != 0 or holds_admin())


def _preload(names: str) -> None:
    for name in names.split():
        with suppress(ImportError):
            importlib.import_module(name)


def _warm_up() -> None:
    """Let the interpreter specialise our own code now: in a child, every such write would copy a page."""
    requests: list[bytes] = []
    request(requests.append, "load", "def f(x):\n    return [x, 1.5, 'a', (None, True)]", "")
    request(requests.append, "call", ProgramName("f", requests.append), (1, [2, "b"]), {})
    for _ in range(_WARM_UP_ROUNDS):
        process = ProgramProcess()
        for message in requests:
            process.answer(bytes(NONCE_BYTES), message)
    del sys.modules[MODULE_NAME]


def _serve(control: socket.socket, walls: Walls) -> None:
    child = 0
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, ORDER.size, 1)
        if not data:
            return
        order, cpu_seconds, memory_bytes = ORDER.unpack(data)
        reply = DONE
        if order == FORK:
            try:
                child = _fork(descriptors[0], control, walls)
                limit_child(child, cpu_seconds, memory_bytes)
            except OSError as error:
                reply = FAILED + f"fork: {error}".encode()
            os.close(descriptors[0])
        elif order == CPU:
            reply += REPORT.pack(_cpu_seconds(child), 0, 0)
        else:
            reply += REPORT.pack(*_end(child))
        control.send(reply)


def _fork(channel: int, control: socket.socket, walls: Walls) -> int:
    child = fork()
    if child:
        return child
    try:
        control.close()
        os.dup2(channel, CHANNEL)
        os.closerange(CHANNEL + 1, 64)
        gc.enable()
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


def _end(child: int) -> tuple[float, int, int]:
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    exit_code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
    return usage.ru_utime + usage.ru_stime, exit_code, ended_by


def _probe(walls: Walls) -> str:
    """Try the walls from inside before anyone untrusted does. Says what gave way."""
    child = fork()
    if not child:
        try:
            walls.close_behind()
            os._exit(walls.first_gap())
        finally:
            os._exit(255)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return walls.describe_gap(status)
