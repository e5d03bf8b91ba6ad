"""A private view of the machine: its own processes, an empty network, and a root with only the standard library.

Nothing here uses pathlib, since every child would inherit its two thirds of a megabyte.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress

from . import kernel
from .privileges import NOBODY, become_nobody

_SPACES = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
_READ_ONLY = kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV
_MOUNT_POINTS = ("/tmp", "/mnt", "/var", "/usr")


def enter_namespaces() -> str:
    """Unshare everything, and report how. Root without CAP_SYS_ADMIN and ordinary users go through a user namespace."""
    if os.geteuid() == 0:
        with suppress(PermissionError):
            kernel.unshare(_SPACES)
            return "as root"
        become_nobody()
    uid, gid = os.geteuid(), os.getegid()
    kernel.unshare(kernel.CLONE_NEWUSER | _SPACES)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{NOBODY} {uid} 1")
    _write("/proc/self/gid_map", f"{NOBODY} {gid} 1")
    return "in a user namespace"


def enter_private_root(visible: Sequence[str]) -> list[str]:
    """Make an empty read-only root with the `visible` folders at their own paths. Returns those it could show."""
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    shown = [folder for folder in visible if os.access(folder, os.R_OK | os.X_OK)]
    root = _mount_point(shown)
    kernel.mount("tmpfs", root, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=256k,mode=755")
    shown = [folder for folder in shown if _show(folder, root + folder)]
    os.chdir(root)
    kernel.syscall("pivot_root", b".", b".")
    kernel.unmount(".")
    os.chdir("/")
    kernel.mount("none", "/", "", _READ_ONLY)
    return shown


def _mount_point(shown: Iterable[str]) -> str:
    """A folder to mount the new root on that hides none of the folders to be shown."""
    for place in _MOUNT_POINTS:
        if os.path.isdir(place) and not any(folder.startswith(place + "/") for folder in shown):  # noqa: PTH112
            return place
    raise OSError(2, "no folder to mount a private root on")


def _show(folder: str, place: str) -> bool:
    try:
        os.makedirs(place, exist_ok=True)  # noqa: PTH103
        kernel.mount(folder, place, "", kernel.MS_BIND | kernel.MS_REC)
        # A user namespace may not clear flags of the mount it copies from.
        kernel.mount("none", place, "", _mount_flags(os.statvfs(place).f_flag) | _READ_ONLY)
    except OSError:
        with suppress(OSError):
            kernel.unmount(place)
        return False
    return True


def _mount_flags(statvfs_flags: int) -> int:
    noexec, noatime, relatime = 8, 1024, 1 << 21
    pairs = ((os.ST_NOEXEC, noexec), (os.ST_NOATIME, noatime), (os.ST_RELATIME, relatime))
    return sum(flag for seen, flag in pairs if statvfs_flags & seen)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
