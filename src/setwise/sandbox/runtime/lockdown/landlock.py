"""Landlock: the kernel refuses every file outside the named folders, whatever the process's uid is."""

import ctypes
import os
from collections.abc import Iterable

from .kernel import syscall

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FILE_ACCESSES_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15}
_FILE_ACCESSES_NEWEST = 16
_BIND_TCP, _CONNECT_TCP = 1, 2
_SCOPE_ABSTRACT_SOCKET, _SCOPE_SIGNAL = 1, 2
_VERSION_FLAG, _RULE_PATH_BENEATH = 1, 1


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def landlock_version() -> int:
    """The ABI of the running kernel. Raises OSError if there is none."""
    return syscall("landlock_create_ruleset", None, 0, _VERSION_FLAG)


def restrict_files(readable: Iterable[str]) -> int:
    """Allow reading beneath `readable` and nothing else. Needs no_new_privs. Returns the ABI."""
    version = landlock_version()
    rules = _Ruleset(
        files=(1 << _FILE_ACCESSES_BY_ABI.get(version, _FILE_ACCESSES_NEWEST)) - 1,
        network=_BIND_TCP | _CONNECT_TCP if version >= 4 else 0,
        scoped=_SCOPE_ABSTRACT_SOCKET | _SCOPE_SIGNAL if version >= 6 else 0,
    )
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = syscall("landlock_create_ruleset", ctypes.byref(rules), size, 0)
    try:
        for folder in readable:
            _allow_reading(ruleset, folder)
        syscall("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
    return version


def _allow_reading(ruleset: int, folder: str) -> None:
    try:
        parent = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        # A folder that this user cannot reach needs no permission.
        return
    try:
        rule = _PathBeneath(_READ_FILE | _READ_DIR, parent)
        syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)
