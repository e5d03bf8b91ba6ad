"""The four tiers, strongest first: which walls each has, and how one process builds them.

A  namespaces, private root, Landlock if available, seccomp
B  Landlock, seccomp
C  seccomp without file access: only modules that were loaded before
D  limits alone
"""

import os
from _socket import AF_INET, AF_UNIX, SOCK_STREAM, socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from .landlock import restrict_files
from .limits import limit_zygote
from .namespaces import enter_namespaces, enter_private_root
from .privileges import (
    DIE_WITH_PARENT,
    become_nobody,
    die_with_parent,
    drop_capabilities,
    forbid_new_privileges,
    hide_memory,
)
from .seccomp import ReadyFilter

TIERS = "ABCD"


class Walls:
    """What isolates every child of this process."""

    def __init__(self, facts: dict[str, Any], seccomp: ReadyFilter | None) -> None:
        self.facts = facts
        self._seccomp = seccomp
        # A namespace's processes end with its first one. Without a namespace, each child must ask for that.
        death_wish = [] if facts["namespaces"] else [DIE_WITH_PARENT]
        self.last_calls = (*death_wish, *([seccomp.arguments] if seccomp else []))
        """The last walls, which the child builds itself: arguments for `prctl`, which must return 0."""

    def first_gap(self) -> int:
        """Checked from inside: 0, or the number of the first attempt that should have failed but did not."""
        if not self._seccomp:
            return 0
        for number, (_, attempt) in enumerate(_ATTEMPTS, start=1):
            with suppress(OSError):
                attempt()
                return number
        return 0

    def describe_gap(self, status: int) -> str:
        if status == 0:
            return ""
        if 0 < status <= len(_ATTEMPTS):
            return f"the walls do not hold: a program could {_ATTEMPTS[status - 1][0]}"
        return f"the walls could not be tried (status {status})"


def build_walls(tier: str, library: Sequence[str], control: socket) -> Walls:
    """For this process and all its forks. An OSError names the wall that could not be built."""
    was_root = os.geteuid() == 0
    facts: dict[str, Any] = {"tier": tier, "namespaces": "", "landlock": 0, "library": [], "was_root": was_root}
    if tier == "A":
        facts["namespaces"] = enter_namespaces()
        _become_first_process(control)
        library = enter_private_root(library)
    become_nobody()
    drop_capabilities()
    forbid_new_privileges()
    if tier in "AB":
        try:
            facts["landlock"] = restrict_files(library)
        except OSError:
            if tier == "B":
                raise
    if tier != "C":
        facts["library"] = [folder for folder in library if os.access(folder, os.R_OK | os.X_OK)]
    limit_zygote()
    hide_memory()
    die_with_parent()
    return Walls(facts, None if tier == "D" else ReadyFilter(paths=tier in "AB"))


def _become_first_process(control: socket) -> None:
    """A process namespace begins with the next fork. The outer process only waits, and takes the inner one with it."""
    die_with_parent()
    inside = os.fork()
    if inside:
        control.close()
        os.waitpid(inside, 0)
        os._exit(0)


def _socket_of(kind: int) -> Callable[[], object]:
    return lambda: socket(kind, SOCK_STREAM)


_ATTEMPTS: tuple[tuple[str, Callable[[], object]], ...] = (
    ("start a process", os.fork),
    ("open a TCP socket", _socket_of(AF_INET)),
    ("open a Unix socket", _socket_of(AF_UNIX)),
    ("signal another process", lambda: os.kill(os.getppid() or 1, 0)),
    ("read a file of the machine", lambda: os.open("/proc/self/status", os.O_RDONLY)),
    ("read the password file", lambda: os.open("/etc/passwd", os.O_RDONLY)),
    ("write a file", lambda: os.open("/tmp/setwise-probe", os.O_WRONLY | os.O_CREAT)),
    ("run another program", lambda: os.execv("/bin/true", ["true"])),
)
