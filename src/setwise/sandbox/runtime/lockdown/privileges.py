"""Gives up privileges for good: the uid, capabilities, and every way to get them back."""

import ctypes
import os
from contextlib import suppress

from . import kernel

NOBODY = 65534
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63
_CAP_SYS_ADMIN = 21
DIE_WITH_PARENT = (kernel.PR_SET_PDEATHSIG, 9)


def become_nobody() -> None:
    """Change from root to an unprivileged uid; other users need not."""
    if os.geteuid() != 0:
        return
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    # After a change of uid, root owns /proc/self, but a user namespace must still write its maps there.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)


def holds_admin() -> bool:
    """Whether this process may already make namespaces and mounts."""
    with open("/proc/self/status") as status:  # noqa: PTH123 (pathlib is too large to inherit)
        effective = next(line for line in status if line.startswith("CapEff:"))
    return bool(int(effective.split()[1], 16) >> _CAP_SYS_ADMIN & 1)


def drop_capabilities() -> None:
    """Empty every set, including those that a user namespace granted."""
    for capability in range(_LAST_CAPABILITY + 1):
        with suppress(OSError):
            kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    kernel.syscall("capset", ctypes.byref(header), ctypes.byref(nothing))


def forbid_new_privileges() -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)


def hide_memory() -> None:
    """Processes of the same uid can no longer trace this one or read its memory."""
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def die_with_parent() -> None:
    """Call this after the last change of uid, which clears the request."""
    kernel.prctl(*DIE_WITH_PARENT)
