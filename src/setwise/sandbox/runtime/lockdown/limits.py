"""Resource limits of one child. Soft and hard are equal, so a program cannot raise them again."""

import math
import resource
from contextlib import suppress

_NOTHING = (
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_CORE,
    resource.RLIMIT_NPROC,
    resource.RLIMIT_MEMLOCK,
    resource.RLIMIT_MSGQUEUE,
)
_OPEN_FILES = 32


def limit_resources(cpu_seconds: float, memory_bytes: int) -> None:
    """The referee measures CPU time itself; the kernel's limit, in whole seconds, is the second lock."""
    _limit(resource.RLIMIT_CPU, math.ceil(cpu_seconds) + 1)
    _limit(resource.RLIMIT_AS, memory_bytes)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    for kind in _NOTHING:
        _limit(kind, 0)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with suppress(ValueError):
        resource.setrlimit(kind, (value, value))
