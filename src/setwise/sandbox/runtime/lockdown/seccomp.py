"""An allow-list of system calls, as a classic BPF program.

The same generator serves both architectures. Calls of the other architecture, and the x32 calls of x86_64, kill the
process, because no honest interpreter makes them.
"""

import ctypes
import struct
from collections.abc import Iterable

from .kernel import MACHINE, PR_SET_SECCOMP
from .syscalls import ABSENT, ALWAYS, BY_PATH, INSTANT, NUMBERS, OPENING

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
KILL, ERRNO, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
EPERM, ENOSYS = 1, 38
LOAD, JUMP_EQUAL, JUMP_ABOVE, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_X32_BIT = 0x40000000
_SECCOMP_MODE_FILTER = 2

# O_WRONLY | O_RDWR | O_CREAT | O_EXCL | O_TRUNC | O_APPEND, and the two bits of O_TMPFILE and O_PATH that both
# architectures share. An import needs only to read.
_WRITING = 0o1 | 0o2 | 0o100 | 0o200 | 0o1000 | 0o2000 | 0o20000000 | 0o10000000
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. F_SETOWN would send signals to other processes.
_FCNTL_COMMANDS = (0, 1, 2, 3, 1030)

Instruction = tuple[int, int, int, int]
Block = tuple[Instruction, ...]
"""Instructions that decide one call; the last of them returns."""
Range = tuple[int, int, Block]


def build_filter(machine: str, *, paths: bool) -> list[Instruction]:
    """The program for `machine`. `paths=False` also refuses every call that takes a path."""
    program: list[Instruction] = [
        (LOAD, 0, 0, _ARCH),
        (JUMP_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        _returning(KILL),
        (LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        program += [(JUMP_AT_LEAST, 0, 1, _X32_BIT), _returning(KILL)]
    return program + _search(_as_ranges(_rules(NUMBERS[machine], paths=paths)))


def _rules(numbers: dict[str, int], *, paths: bool) -> dict[int, Block]:
    """What happens to each call that is not simply refused."""
    rules: dict[str, Block] = {name: (_returning(ALLOW),) for name in (ALWAYS | BY_PATH if paths else ALWAYS)}
    if paths:
        rules |= {name: _unless_any_bit(position, _WRITING) for name, position in OPENING.items()}
    rules |= {name: (_returning(ERRNO),) for name in INSTANT}
    rules |= {name: (_returning(ERRNO | ENOSYS),) for name in ABSENT}
    rules |= {"fcntl": _if_one_of(1, _FCNTL_COMMANDS), "prlimit64": _only_reading_own_limits()}
    return {numbers[name]: block for name, block in rules.items() if name in numbers}


def _as_ranges(rules: dict[int, Block]) -> list[Range]:
    """Neighbours with the same rule become one range."""
    ranges: list[Range] = []
    for number, block in sorted(rules.items()):
        if ranges and ranges[-1][1:] == (number - 1, block):
            ranges[-1] = (ranges[-1][0], number, block)
        else:
            ranges.append((number, number, block))
    return ranges


def _search(ranges: list[Range]) -> list[Instruction]:
    """A binary search. The kernel runs a new filter once for every existing call, so its depth is paid at each fork."""
    if len(ranges) == 1:
        first, last, block = ranges[0]
        inside = [(JUMP_AT_LEAST, 0, len(block) + 1, first), (JUMP_ABOVE, len(block), 0, last)]
        return [*inside, *block, _returning(ERRNO | EPERM)]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    return [(JUMP_AT_LEAST, len(below), 0, ranges[middle][0]), *below, *above]


def assemble(program: Iterable[Instruction]) -> bytes:
    """`struct sock_filter[]`."""
    return b"".join(struct.pack("=HBBI", code, yes, no, value) for code, yes, no, value in program)


class ReadyFilter:
    """A filter kept ready, so that a fresh child only has to pass it to the kernel."""

    def __init__(self, *, paths: bool) -> None:
        code = assemble(build_filter(MACHINE, paths=paths))
        self._code = ctypes.create_string_buffer(code, len(code))
        self._header = _Header(len(code) // 8, ctypes.addressof(self._code))
        self.arguments = (PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(self._header))
        """Arguments of `prctl`. Irrevocable, for this process and those it starts. Needs no_new_privs."""


class _Header(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _returning(action: int) -> Instruction:
    return (RETURN, 0, 0, action)


def _argument(position: int, *, high: bool = False) -> Instruction:
    return (LOAD, 0, 0, _ARGUMENTS + 8 * position + (4 if high else 0))


def _unless_any_bit(position: int, bits: int) -> Block:
    return (_argument(position), (JUMP_ANY_BIT, 1, 0, bits), _returning(ALLOW), _returning(ERRNO | EPERM))


def _if_one_of(position: int, values: tuple[int, ...]) -> Block:
    tests = [(JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return (_argument(position), *tests, _returning(ERRNO | EPERM), _returning(ALLOW))


def _only_reading_own_limits() -> Block:
    """prlimit64(0, resource, NULL, old): anything else could change limits, its own or another process's."""
    return (
        _argument(0),
        (JUMP_EQUAL, 0, 5, 0),
        _argument(2),
        (JUMP_EQUAL, 0, 3, 0),
        _argument(2, high=True),
        (JUMP_EQUAL, 0, 1, 0),
        _returning(ALLOW),
        _returning(ERRNO | EPERM),
    )
