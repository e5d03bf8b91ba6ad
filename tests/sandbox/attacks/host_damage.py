"""Programs that reach for the machine. Each says `done` if nothing stopped it."""

from .shape import Attack, doing

_SYSCALL = (
    "_X86 = os.uname().machine == 'x86_64'\n"
    "def call(x86, arm, *args):\n"
    "    libc = ctypes.CDLL(None, use_errno=True)\n"
    "    result = libc.syscall(x86 if _X86 else arm, *args)\n"
    "    if result < 0: raise OSError(ctypes.get_errno(), 'refused')\n"
    "    return result\n"
)


def _calling(x86: int, arm: int, arguments: str = "0, 0, 0, 0, 0") -> Attack:
    return doing(f"call({x86}, {arm}, {arguments})", _SYSCALL)


def _socket(family: str, kind: str, then: str = "") -> Attack:
    return doing(f"s = socket.socket(socket.{family}, socket.{kind})\n{then}")


HOST_DAMAGE = {
    "write a file": doing("open('@DIR@/canary', 'w').write('dead')"),
    "append to a file": doing("open('@DIR@/canary', 'a').write('dead')"),
    "create a file": doing("open('@DIR@/new', 'x').close()"),
    "create a file beside the standard library": doing("open(os.path.dirname(os.__file__) + '/new.py', 'w').close()"),
    "create a file in the working directory": doing("open('new', 'w').close()"),
    "delete a file": doing("os.remove('@DIR@/canary')"),
    "rename a file": doing("os.rename('@DIR@/canary', '@DIR@/gone')"),
    "truncate a file": doing("os.truncate('@DIR@/canary', 0)"),
    "change permissions": doing("os.chmod('@DIR@/canary', 0)"),
    "make a folder": doing("os.mkdir('@DIR@/folder')"),
    "make a link": doing("os.symlink('/etc/passwd', '@DIR@/link')"),
    "read a file of the machine": doing("open('@DIR@/canary').read()"),
    "read the password file": doing("open('/etc/passwd').read()"),
    "run a shell": doing("assert os.system('true') == 0"),
    "run a program": doing("subprocess.run(['/bin/true'], check=True)"),
    "become a program": doing("os.execv('/bin/true', ['true'])"),
    "TCP": _socket("AF_INET", "SOCK_STREAM", "s.connect(('127.0.0.1', @PORT@))"),
    "TCP over IPv6": _socket("AF_INET6", "SOCK_STREAM"),
    "UDP": _socket("AF_INET", "SOCK_DGRAM", "s.sendto(b'x', ('127.0.0.1', @PORT@))"),
    "Unix socket": _socket("AF_UNIX", "SOCK_STREAM", "s.connect('@DIR@/socket')"),
    "abstract Unix socket": _socket("AF_UNIX", "SOCK_STREAM", "s.connect('\\0setwise-canary-@PORT@')"),
    "netlink": _socket("AF_NETLINK", "SOCK_RAW"),
    "raw packets": _socket("AF_PACKET", "SOCK_RAW"),
    "socket pair": doing("socket.socketpair()"),
    "kill the trainer": doing("os.kill(@PID@, signal.SIGKILL)"),
    "stop a process of the trainer's": doing("os.kill(@CANARY@, signal.SIGSTOP)"),
    "kill the parent": doing("os.kill(os.getppid() or 1, signal.SIGKILL)"),
    "kill everyone": doing("os.kill(-1, signal.SIGKILL)"),
    "kill the process group": doing("os.killpg(0, signal.SIGKILL)"),
    "signal through a pidfd": doing("fd = os.pidfd_open(@CANARY@)\nsignal.pidfd_send_signal(fd, signal.SIGKILL)"),
    "trace the parent": _calling(101, 117, "16, os.getppid() or 1, 0, 0"),
    "limit another process": _calling(302, 261, "@CANARY@, 0, ctypes.byref((ctypes.c_ulong * 2)(0, 0)), 0"),
    "slow down another process": doing("os.setpriority(os.PRIO_PROCESS, @CANARY@, 19)"),
    "a new user namespace": _calling(272, 97, "0x10000000"),
    "mount": doing("assert ctypes.CDLL(None).mount(b'none', b'/', b'tmpfs', 0, None) == 0"),
    "become root": doing("os.setuid(0)\nos.setgid(0)"),
    "shared memory that outlives the program": _calling(29, 194, "4711, 4096, 0o1666"),
    "a key in the kernel's keyring": _calling(248, 217, "b'user', b'canary', b'x', 1, -3"),
    "a file in memory": doing("os.memfd_create('x')"),
    "io_uring": _calling(425, 425, "8, ctypes.create_string_buffer(120)"),
    "bpf": _calling(321, 280),
    "userfaultfd": _calling(323, 282),
    "restart the machine": _calling(169, 142, "0xfee1dead, 0x28121969, 0x01234567, 0"),
    "owning a descriptor's signals": doing("import fcntl\nfcntl.fcntl(3, fcntl.F_SETOWN, @CANARY@)"),
}
