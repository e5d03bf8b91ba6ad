"""System calls that the standard library does not offer, through ctypes."""

import ctypes
import os
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc_in_child = ctypes.PyDLL(None)
"""For calls next to a fork: leaves the interpreter's lock and errno alone, since both touch pages."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
MNT_DETACH = 2

MACHINE = os.uname().machine
# The few calls made by number. Those above 400 are the same on both architectures.
_NUMBERS = {
    "x86_64": {"capset": 126, "pivot_root": 155},
    "aarch64": {"capset": 91, "pivot_root": 41},
}.get(MACHINE, {})
_NUMBERS |= {"landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446}


def syscall(name: str, *arguments: Any) -> int:
    """Call by name. A failure is an OSError that names the call."""
    if name not in _NUMBERS:
        raise OSError(38, f"{name}: unknown machine {MACHINE}")
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc.syscall(ctypes.c_long(_NUMBERS[name]), *words), name)


fork = _libc_in_child.fork
"""`fork` without the interpreter's own handlers, for a process with one thread; negative if it failed.

The handlers reseed `random` (a verdict should not depend on that) and touch a few hundred pages of every child.
"""


prctl_in_child = _libc_in_child.prctl


def prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    _checked(_libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero), f"prctl({option})")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    arguments = (source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode())
    _checked(_libc.mount(*arguments), f"mount {target}")


def unmount(target: str) -> None:
    _checked(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
