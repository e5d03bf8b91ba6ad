"""The filter, run by a small interpreter of its own for both machines."""

import os
import struct

import pytest

from setwise.sandbox.runtime.lockdown import kernel
from setwise.sandbox.runtime.lockdown.seccomp import (
    ALLOW,
    AUDIT_ARCH,
    ENOSYS,
    EPERM,
    ERRNO,
    KILL,
    assemble,
    build_filter,
)
from setwise.sandbox.runtime.lockdown.syscalls import ALWAYS, BY_PATH, NUMBERS

MACHINES = ("x86_64", "aarch64")
REFUSED = {
    "x86_64": {
        "socket": 41,
        "execve": 59,
        "kill": 62,
        "fork": 57,
        "ptrace": 101,
        "unlink": 87,
        "mount": 165,
        "bpf": 321,
    },
    "aarch64": {"socket": 198, "execve": 221, "kill": 129, "unshare": 97, "ptrace": 117, "unlinkat": 35, "mount": 40},
}


def decide(code: bytes, machine: str, number: int, arguments: tuple[int, ...] = (), arch: int | None = None) -> int:
    """What the kernel would do, by the rules of classic BPF."""
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=iIQ6Q", number, AUDIT_ARCH[machine] if arch is None else arch, 0, *words)
    loaded = at = 0
    while True:
        operation, yes, no, value = struct.unpack_from("=HBBI", code, 8 * at)
        at += 1
        match operation:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", data, value)
            case 0x15:
                at += yes if loaded == value else no
            case 0x25:
                at += yes if loaded > value else no
            case 0x35:
                at += yes if loaded >= value else no
            case 0x45:
                at += yes if loaded & value else no
            case 0x06:
                return value
            case _:
                raise AssertionError(f"unknown instruction {operation:#x}")


@pytest.mark.parametrize("paths", [True, False])
@pytest.mark.parametrize("machine", MACHINES)
def test_exactly_the_listed_calls_are_let_through(machine: str, paths: bool):
    code = assemble(build_filter(machine, paths=paths))
    numbers = NUMBERS[machine]
    listed = {numbers[name] for name in (ALWAYS | BY_PATH if paths else ALWAYS) if name in numbers}
    # With all arguments zero these three are harmless: opening for reading, duplicating, reading one's own limits.
    conditional = {
        numbers[name] for name in ("fcntl", "prlimit64", *(("open", "openat") if paths else ())) if name in numbers
    }
    allowed = {number for number in range(600) if decide(code, machine, number) == ALLOW}
    assert allowed == listed | conditional


@pytest.mark.parametrize("machine", MACHINES)
def test_dangerous_calls_are_refused_by_number(machine: str):
    code = assemble(build_filter(machine, paths=True))
    for number in REFUSED[machine].values():
        assert decide(code, machine, number) == ERRNO | EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_files_open_for_reading_only(machine: str):
    code = assemble(build_filter(machine, paths=True))
    number = NUMBERS[machine]["openat"]
    assert decide(code, machine, number, (0, 0, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)) == ALLOW
    for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_TMPFILE):
        assert decide(code, machine, number, (0, 0, flag)) == ERRNO | EPERM
    closed = assemble(build_filter(machine, paths=False))
    assert decide(closed, machine, number, (0, 0, os.O_RDONLY)) == ERRNO | EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_limits_can_be_read_but_not_changed(machine: str):
    code = assemble(build_filter(machine, paths=True))
    number = NUMBERS[machine]["prlimit64"]
    assert decide(code, machine, number, (0, 7, 0, 1234)) == ALLOW
    for arguments in ((1, 7, 0, 0), (0, 7, 1234, 0), (0, 7, 1 << 32, 0)):
        assert decide(code, machine, number, arguments) == ERRNO | EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_signals_cannot_be_aimed_through_a_descriptor(machine: str):
    code = assemble(build_filter(machine, paths=True))
    number = NUMBERS[machine]["fcntl"]
    assert [decide(code, machine, number, (3, command)) == ALLOW for command in (0, 1, 2, 3, 1030)] == [True] * 5
    for set_flags, set_owner, set_signal in ((4, 8, 10), (4, 15, 1024)):
        for command in (set_flags, set_owner, set_signal):
            assert decide(code, machine, number, (3, command)) == ERRNO | EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_sleeping_is_instant_and_clone3_is_unknown(machine: str):
    code = assemble(build_filter(machine, paths=True))
    assert decide(code, machine, NUMBERS[machine]["clock_nanosleep"]) == ERRNO
    assert decide(code, machine, NUMBERS[machine]["clone3"]) == ERRNO | ENOSYS
    assert decide(code, machine, NUMBERS[machine]["clone"]) == ERRNO | EPERM


def test_a_foreign_machine_is_killed():
    code = assemble(build_filter("x86_64", paths=True))
    i386 = 0x40000003
    assert decide(code, "x86_64", 0, arch=i386) == KILL
    assert decide(code, "x86_64", 0, arch=AUDIT_ARCH["aarch64"]) == KILL


def test_x32_calls_are_killed():
    code = assemble(build_filter("x86_64", paths=True))
    assert decide(code, "x86_64", 0x40000000) == KILL
    assert decide(code, "x86_64", 0x40000000 | NUMBERS["x86_64"]["write"]) == KILL
    assert decide(code, "x86_64", -1) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_every_jump_stays_inside_the_program(machine: str):
    program = build_filter(machine, paths=True)
    for position, (operation, yes, no, _) in enumerate(program):
        assert 0 <= yes <= 255
        assert 0 <= no <= 255
        if operation not in (0x20, 0x06):
            assert position + 1 + max(yes, no) < len(program)
    assert program[-1][0] == 0x06


@pytest.mark.skipif(kernel.MACHINE not in NUMBERS, reason="no table for this machine")
def test_the_table_of_this_machine_is_the_kernels():
    import ctypes

    libc = ctypes.CDLL(None)
    numbers = NUMBERS[kernel.MACHINE]
    asked = {"getpid": os.getpid(), "getppid": os.getppid(), "getuid": os.getuid(), "getegid": os.getegid()}
    assert {name: libc.syscall(numbers[name]) for name in asked} == asked
