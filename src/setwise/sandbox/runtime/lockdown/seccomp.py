"""An allow-list of system calls, as a classic BPF program.

The same generator serves both machines; the foreign machine's calls, and the x32 calls of x86_64, kill the process
because no honest interpreter makes them.
"""

import ctypes
import struct
from collections.abc import Iterable

from .kernel import MACHINE, syscall
from .syscalls import ABSENT, ALWAYS, BY_PATH, INSTANT, NUMBERS, OPENING

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
KILL, ERRNO, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
EPERM, ENOSYS = 1, 38
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_X32_BIT = 0x40000000
_SECCOMP_SET_MODE_FILTER = 1

# O_WRONLY | O_RDWR | O_CREAT | O_EXCL | O_TRUNC | O_APPEND, and the two bits of O_TMPFILE and O_PATH that both
# machines share. Reading is all an import needs.
_WRITING = 0o1 | 0o2 | 0o100 | 0o200 | 0o1000 | 0o2000 | 0o20000000 | 0o10000000
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. F_SETOWN would aim signals at other processes.
_FCNTL_COMMANDS = (0, 1, 2, 3, 1030)

Instruction = tuple[int, int, int, int]


def build_filter(machine: str, *, paths: bool) -> list[Instruction]:
    """The program for `machine`. `paths=False` also refuses every call that takes a path."""
    numbers = NUMBERS[machine]
    program: list[Instruction] = [
        (LOAD, 0, 0, _ARCH),
        (JUMP_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        _returning(KILL),
        (LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        program += [(JUMP_AT_LEAST, 0, 1, _X32_BIT), _returning(KILL)]
    for name in sorted(ALWAYS | (BY_PATH if paths else frozenset())):
        program += _when(numbers, name, [_returning(ALLOW)])
    if paths:
        for name, position in OPENING.items():
            program += _when(numbers, name, _unless_any_bit(position, _WRITING))
    for name in sorted(INSTANT):
        program += _when(numbers, name, [_returning(ERRNO)])
    for name in sorted(ABSENT):
        program += _when(numbers, name, [_returning(ERRNO | ENOSYS)])
    program += _when(numbers, "fcntl", _if_one_of(1, _FCNTL_COMMANDS))
    program += _when(numbers, "prlimit64", _only_reading_own_limits())
    return [*program, _returning(ERRNO | EPERM)]


def assemble(program: Iterable[Instruction]) -> bytes:
    """`struct sock_filter[]`."""
    return b"".join(struct.pack("=HBBI", code, yes, no, value) for code, yes, no, value in program)


class InstalledFilter:
    """A filter kept ready, so that a fresh child only has to hand it to the kernel."""

    def __init__(self, *, paths: bool) -> None:
        code = assemble(build_filter(MACHINE, paths=paths))
        self._code = ctypes.create_string_buffer(code, len(code))
        self._header = _Header(len(code) // 8, ctypes.addressof(self._code))

    def install(self) -> None:
        """Irrevocable, for this process and what it starts. Needs no_new_privs."""
        syscall("seccomp", _SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(self._header))


class _Header(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _returning(action: int) -> Instruction:
    return (RETURN, 0, 0, action)


def _when(numbers: dict[str, int], name: str, block: list[Instruction]) -> list[Instruction]:
    """`block` decides if the call is `name`. Every block ends in a return, so the number stays loaded otherwise."""
    return [(JUMP_EQUAL, 0, len(block), numbers[name]), *block] if name in numbers else []


def _argument(position: int, *, high: bool = False) -> Instruction:
    return (LOAD, 0, 0, _ARGUMENTS + 8 * position + (4 if high else 0))


def _unless_any_bit(position: int, bits: int) -> list[Instruction]:
    return [_argument(position), (JUMP_ANY_BIT, 1, 0, bits), _returning(ALLOW), _returning(ERRNO | EPERM)]


def _if_one_of(position: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [(JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [_argument(position), *tests, _returning(ERRNO | EPERM), _returning(ALLOW)]


def _only_reading_own_limits() -> list[Instruction]:
    """prlimit64(0, resource, NULL, old): anything else could change limits, its own or another process's."""
    return [
        _argument(0),
        (JUMP_EQUAL, 0, 5, 0),
        _argument(2),
        (JUMP_EQUAL, 0, 3, 0),
        _argument(2, high=True),
        (JUMP_EQUAL, 0, 1, 0),
        _returning(ALLOW),
        _returning(ERRNO | EPERM),
    ]
