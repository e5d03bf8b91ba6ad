"""Which system calls a program may make, and their numbers on the two architectures.

A name that is missing from an architecture's table does not exist there. Whatever is not named here is refused.
"""

_GENERIC = (
    "getcwd 17, dup 23, dup3 24, fcntl 25, faccessat 48, openat 56, close 57, getdents64 61, lseek 62, read 63, "
    "write 64, readv 65, writev 66, pread64 67, readlinkat 78, newfstatat 79, fstat 80, exit 93, exit_group 94, "
    "futex 98, nanosleep 101, getitimer 102, setitimer 103, clock_gettime 113, clock_getres 114, "
    "clock_nanosleep 115, sched_getaffinity 123, sched_yield 124, sigaltstack 132, rt_sigaction 134, "
    "rt_sigprocmask 135, rt_sigpending 136, rt_sigreturn 139, times 153, uname 160, getrlimit 163, getrusage 165, "
    "getcpu 168, gettimeofday 169, getpid 172, getppid 173, getuid 174, geteuid 175, getgid 176, getegid 177, "
    "gettid 178, sysinfo 179, brk 214, munmap 215, mremap 216, mmap 222, clone 220, mprotect 226, madvise 233, "
    "prlimit64 261, getrandom 278, statx 291, clone3 435, close_range 436, faccessat2 439"
)
_X86_64 = (
    "read 0, write 1, open 2, close 3, stat 4, fstat 5, lstat 6, lseek 8, mmap 9, mprotect 10, munmap 11, brk 12, "
    "rt_sigaction 13, rt_sigprocmask 14, rt_sigreturn 15, pread64 17, readv 19, writev 20, access 21, "
    "sched_yield 24, mremap 25, madvise 28, dup 32, dup2 33, nanosleep 35, getitimer 36, alarm 37, setitimer 38, "
    "getpid 39, clone 56, exit 60, uname 63, fcntl 72, getcwd 79, readlink 89, gettimeofday 96, getrlimit 97, "
    "getrusage 98, sysinfo 99, times 100, getuid 102, getgid 104, geteuid 107, getegid 108, getppid 110, "
    "rt_sigpending 127, sigaltstack 131, gettid 186, time 201, futex 202, sched_getaffinity 204, getdents64 217, "
    "clock_gettime 228, clock_getres 229, clock_nanosleep 230, exit_group 231, openat 257, newfstatat 262, "
    "readlinkat 267, faccessat 269, dup3 292, prlimit64 302, getcpu 309, getrandom 318, statx 332, clone3 435, "
    "close_range 436, faccessat2 439"
)


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in (entry.split() for entry in text.split(", "))}


NUMBERS = {"aarch64": _table(_GENERIC), "x86_64": _table(_X86_64)}

_ALWAYS = (
    "read write readv writev pread64 close close_range dup dup2 dup3 lseek fstat "
    "brk mmap munmap mremap mprotect madvise futex getrandom "
    "rt_sigaction rt_sigprocmask rt_sigpending rt_sigreturn sigaltstack getitimer setitimer alarm "
    "clock_gettime clock_getres gettimeofday time times getrusage getrlimit "
    "getpid getppid gettid getuid geteuid getgid getegid uname sysinfo getcpu sched_getaffinity sched_yield "
    "exit exit_group"
)
_BY_PATH = "stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64 getcwd"

ALWAYS = frozenset(_ALWAYS.split())
BY_PATH = frozenset(_BY_PATH.split())
OPENING = {"open": 1, "openat": 2}
"""Calls that open files, and which argument holds the flags."""
INSTANT = frozenset(["nanosleep", "clock_nanosleep"])
"""Sleeping returns at once, so a program cannot block a worker without spending its own CPU time."""
ABSENT = frozenset(["clone3"])
"""Reported as nonexistent, so that the C library falls back to `clone`, which is refused."""
