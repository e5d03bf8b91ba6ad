"""How long processes have used a CPU or waited for one. For the referee alone, since the zygote sees no `/proc`."""

import os
from dataclasses import dataclass

from .cpu_clock import cpu_seconds_of


@dataclass(frozen=True)
class Share:
    """Seconds on a CPU, and seconds of waiting for one; None if the kernel does not report it."""

    used: float
    waited: float | None = None


def share_of(process: int) -> Share:
    return Share(cpu_seconds_of(process), _waited(f"/proc/{process}/schedstat"))


def own_wait() -> float:
    """How long this process has waited for a CPU."""
    return _waited("/proc/self/schedstat") or 0.0


def oldest_leaf_below(process: int) -> int:
    """The oldest child of the last process in the chain that has children; 0 if the kernel does not report it."""
    found = 0
    while children := _children(process):
        found = process = children[0]
    return found


def _children(process: int) -> list[int]:
    return [int(number) for number in _read(f"/proc/{process}/task/{process}/children").split()]


def _waited(path: str) -> float | None:
    fields = _read(path).split()
    return int(fields[1]) / 1e9 if len(fields) == 3 else None


def _read(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 1 << 12)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
