"""Programs that try to outlast, outgrow or outnumber the machine."""

from dataclasses import replace

from .shape import DONE, Attack, doing

SHORT = 0.3


def _within(program: str) -> Attack:
    return Attack(program, DONE, SHORT)


# A little CPU time now and then, so that it looks busy while it waits.
_TRICKLE = (
    "import os, signal\ndef tick(*_):\n    for _ in range(50000): pass\nsignal.signal(signal.SIGALRM, tick)\n"
    "signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)\n"
)

RESOURCES = {
    "endless loop on loading": _within("while True: pass\n"),
    "endless loop deaf to signals": _within(
        "import signal\nfor number in range(1, 65):\n    try: signal.signal(number, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\ndef secret(n):\n    while True:\n        try:\n"
        "            while True: pass\n"
        "        except BaseException: pass\n"
    ),
    "one huge power": _within("def secret(n):\n    return 10 ** 10 ** 8 and 'done'\n"),
    "catastrophic regular expression": _within(
        "import re\ndef secret(n):\n    return re.match('(a+)+$', 'a' * 60 + 'b')\n"
    ),
    "a huge allocation": doing("bytearray(6 << 30)[::4096]"),
    "growing without end": Attack(
        "def secret(n):\n    kept = []\n    try:\n        while True: kept.append(bytearray(1 << 24))\n"
        "    except MemoryError:\n        return 'done' if len(kept) > 100 else len(kept)\n",
        DONE,
    ),
    "fork bomb": doing("pids = [os.fork() for _ in range(4)]"),
    "thread bomb": doing("import threading\nfor _ in range(4): threading.Thread(target=lambda: None).start()"),
    "clone through ctypes": doing("assert ctypes.CDLL(None).fork() >= 0"),
    "a daemon that survives": doing("if os.fork() == 0:\n    os.setsid()\n    signal.pause()"),
    "huge output": Attack(
        "import os, sys\ndef secret(n):\n    for _ in range(2000):\n"
        "        os.write(1, b'x' * (1 << 20)); sys.stderr.write('y' * 1000)\n"
        "    return None\n",
        DONE,
        SHORT,
    ),
    "a huge answer": Attack("def secret(n):\n    return list(range(2_000_000))\n", DONE),
    "a long string as answer": Attack("def secret(n):\n    return 'done' * (1 << 22)\n", DONE),
    "deep recursion in Python": _within(
        "import sys\nsys.setrecursionlimit(1 << 30)\ndef secret(n):\n    return secret(n + 1)\n"
    ),
    "deep recursion in C": _within(
        "import sys\nsys.setrecursionlimit(1 << 30)\nclass Deep:\n    def __repr__(self): return repr([self])\n"
        "def secret(n):\n    return repr(Deep())\n"
    ),
    "sleeping": Attack(
        "import time\ntime.sleep(10 ** 6)\ndef secret(n):\n    time.sleep(10 ** 6)\n    return 'woken'\n", DONE
    ),
    "waiting for a signal": Attack("import signal\ndef secret(n):\n    signal.pause()\n    return 'woken'\n", DONE),
    "waiting for nothing": doing("import select\nselect.select([], [], [])"),
    "reading its channel, and busy now and then": Attack(
        f"{_TRICKLE}def secret(n):\n    os.read(3, 1)\n    return 'woken'\n", DONE
    ),
    "reading nothing, and busy now and then": Attack(
        f"{_TRICKLE}import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()\n",
        (f"assert secret('{'x' * 300_000}') == 'done'",),
    ),
    "waiting for a lock": _within(
        "import threading\ndef secret(n):\n    lock = threading.Lock()\n    lock.acquire(); lock.acquire()\n"
    ),
    "an endless iterator": Attack(
        "import itertools\ndef secret(n):\n    return itertools.count()\n", ("assert list(secret(1)) == [0]",), SHORT
    ),
    "a source that is hard to compile": _within(
        "def secret(n): return " + "(" * 150 + "1" + ")" * 150 + " + 1" * 20000 + "\n"
    ),
    "raising its own limits": doing(
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))\n"
        "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))"
    ),
    "a decompression bomb": replace(
        doing("import zlib\nsmall = zlib.compress(bytes(1 << 26))\nheld = [zlib.decompress(small) for _ in range(40)]"),
        cpu_seconds=SHORT,
    ),
}
