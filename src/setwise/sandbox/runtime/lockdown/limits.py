"""Resource limits of one child. Soft and hard limits are equal, so a program cannot raise them again."""

import math
import resource
from contextlib import suppress

_NOTHING = (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE)
_OPEN_FILES = 64


def limit_zygote() -> None:
    """Limits that a child inherits and the zygote can live with."""
    _limit(0, resource.RLIMIT_NOFILE, _OPEN_FILES)
    for kind in _NOTHING:
        _limit(0, kind, 0)


def kernel_seconds(cpu_seconds: float) -> int:
    """The kernel's limit on CPU time. It is a second safeguard, since the referee measures too.

    The next power of two, because a child waits for the next program with its limits already set: programs with
    slightly different time limits can use the same child.
    """
    return 1 << math.ceil(cpu_seconds).bit_length()


def limit_child(child: int, seconds: int, memory_bytes: int) -> None:
    """Set from outside, before the child is told anything, because what a fresh fork does itself costs page faults."""
    _limit(child, resource.RLIMIT_CPU, seconds)
    _limit(child, resource.RLIMIT_AS, memory_bytes)
    _limit(child, resource.RLIMIT_NPROC, 0)


def _limit(process: int, kind: int, value: int) -> None:
    try:
        resource.prlimit(process, kind, (value, value))
    except (ValueError, PermissionError):
        # The machine's own limit is even lower.
        with suppress(ValueError, PermissionError):
            hard = resource.prlimit(process, kind)[1]
            resource.prlimit(process, kind, (hard, hard))
