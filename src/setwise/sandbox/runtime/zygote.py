"""The zygote: builds the walls once, then forks one child per program, warm and already isolated.

It never runs a program itself and never sees a test; a child's channel to the referee passes through it unread. A fork
copies its page tables, and both sides copy every page they touch afterwards. So it loads little (hence the plain
`_socket`) and does little around a fork.
"""

import gc
import marshal
import os
import random
import signal
import struct
import sys
from _socket import CMSG_SPACE, SCM_RIGHTS, SOL_SOCKET, socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from .cpu_clock import cpu_seconds_of
from .lockdown.kernel import fork, prctl_in_child
from .lockdown.limits import limit_child
from .lockdown.privileges import holds_admin
from .lockdown.tiers import Walls, build_walls
from .orders import CPU, DONE, END, FAILED, ORDER, REPLACE, REPORT
from .program import ProgramProcess
from .warmup import load_modules, warm_up

CHANNEL = 3
_CONTROL = CHANNEL + 1
_DESCRIPTORS = 64
_ANCILLARY_BYTES = CMSG_SPACE(4)
_CHANNEL_ARRIVED = [(SOL_SOCKET, SCM_RIGHTS, struct.pack("i", CHANNEL))]
_RECURSION_LIMIT = 1018
"""The depth that a program has in plain execution, whatever our own frames take."""


def main() -> None:
    """Arguments: the descriptor to take orders from, the tier, and the folders of the standard library."""
    os.umask(0o022)
    tier, library = sys.argv[2], sys.argv[3:]
    control = _place_control(int(sys.argv[1]))
    load_modules(all_of_them=not _library_stays_in_reach(tier))
    sys.setrecursionlimit(_RECURSION_LIMIT)
    warm_up()
    try:
        walls = build_walls(tier, library, control)
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
    control.send(DONE + marshal.dumps(walls.facts))
    _serve(control, walls)


def _place_control(descriptor: int) -> socket:
    """Moved so that the next lower number is free: each child's channel arrives and stays there."""
    if descriptor != _CONTROL:
        os.dup2(descriptor, _CONTROL)
        os.close(descriptor)
    os.set_inheritable(_CONTROL, False)
    os.closerange(CHANNEL, _CONTROL)
    os.closerange(_CONTROL + 1, _DESCRIPTORS)
    return socket(fileno=_CONTROL)


def _library_stays_in_reach(tier: str) -> bool:
    """Root that has to become nobody first may lose access to its own interpreter's folder."""
    return tier == "A" and (os.geteuid() != 0 or holds_admin())


def _serve(control: socket, walls: Walls) -> None:
    children: deque[int] = deque()
    be_child = _make_child(walls)
    while True:
        data, notes, _, _ = control.recvmsg(ORDER.size, _ANCILLARY_BYTES)
        if not data or notes not in ([], _CHANNEL_ARRIVED):
            return
        order, seconds, memory_bytes = ORDER.unpack(data)
        if order == CPU:
            control.send(DONE + REPORT.pack(cpu_seconds_of(children[0]), 0, 0))
        elif order == END:
            control.send(DONE + REPORT.pack(*_end(children.popleft())))
        else:
            if order == REPLACE:
                os.kill(children[0], signal.SIGKILL)
            child = fork()
            if child == 0:
                be_child()
            os.close(CHANNEL)
            if child < 0:
                control.send(FAILED + b"fork")
                continue
            limit_child(child, seconds, memory_bytes)
            children.append(child)
            control.send(DONE)
            if order == REPLACE:
                os.waitpid(children.popleft(), 0)


def _make_child(walls: Walls) -> Callable[[], None]:
    """Everything that a child needs at hand, so that it touches few pages."""
    close_range, enable_collector, prctl, leave = os.closerange, gc.enable, prctl_in_child, os._exit
    last_calls, serve = walls.last_calls, ProgramProcess().serve

    def be_child() -> None:
        try:
            close_range(_CONTROL, _DESCRIPTORS)
            enable_collector()
            for arguments in last_calls:
                if prctl(*arguments) != 0:
                    leave(1)
            serve(CHANNEL)
        finally:
            leave(1)

    return be_child


def _end(child: int) -> tuple[float, int, int]:
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    exit_code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
    return usage.ru_utime + usage.ru_stime, exit_code, ended_by


def _probe(walls: Walls) -> str:
    """Test the walls from inside before untrusted code does. Returns what failed."""
    child = fork()
    if not child:
        try:
            held = all(prctl_in_child(*arguments) == 0 for arguments in walls.last_calls)
            os._exit(walls.first_gap() if held else 255)
        finally:
            os._exit(255)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return walls.describe_gap(status)
