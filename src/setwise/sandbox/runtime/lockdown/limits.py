"""Resource limits of one child. Soft and hard are equal, so a program cannot raise them again."""

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


def limit_child(child: int, cpu_seconds: float, memory_bytes: int) -> None:
    """Set from outside, before the child has been told anything; what a fresh fork does itself costs page faults.

    The referee measures CPU time; the kernel's limit, in whole seconds, is the second lock.
    """
    _limit(child, resource.RLIMIT_CPU, math.ceil(cpu_seconds) + 1)
    _limit(child, resource.RLIMIT_AS, memory_bytes)
    _limit(child, resource.RLIMIT_NPROC, 0)


def _limit(process: int, kind: int, value: int) -> None:
    try:
        resource.prlimit(process, kind, (value, value))
    except (ValueError, PermissionError):
        # The machine's own limit is lower still.
        with suppress(ValueError, PermissionError):
            hard = resource.prlimit(process, kind)[1]
            resource.prlimit(process, kind, (hard, hard))
