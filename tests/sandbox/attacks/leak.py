"""Programs that look for the expected values."""

from .shape import Attack, answering

_SPY = (
    "class Spy:\n    def __eq__(self, other):\n        seen.append(other)\n        return True\n    __hash__ = None\n"
)

LEAK = {
    "frames": Attack(
        answering(
            "import sys\ndef search():\n    frame = sys._getframe()\n    while frame:\n"
            "        yield (frame.f_locals, frame.f_code.co_consts, list(frame.f_globals.items()))\n"
            "        frame = frame.f_back\n"
        )
    ),
    "garbage collector": Attack(
        answering(
            "import gc\ndef search():\n    for thing in gc.get_objects():\n        try: yield repr(thing)[:2000]\n"
            "        except Exception: pass\n"
        )
    ),
    "files of /proc": Attack(
        answering(
            "import glob\ndef search():\n    for path in glob.glob('/proc/[0-9]*/*') + glob.glob('/proc/self/*'):\n"
            "        if path.endswith(('cmdline', 'environ', 'maps', 'stack')):\n"
            "            try: yield open(path).read()\n"
            "            except OSError: pass\n"
        )
    ),
    "arguments of the process": Attack(
        answering("import sys\ndef search():\n    yield sys.argv\n    yield sys.orig_argv\n")
    ),
    "environment": Attack(
        answering(
            "import ctypes, os\ndef search():\n    yield dict(os.environ)\n"
            "    block = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), 'environ')\n"
            "    for i in range(100):\n        if not block[i]: break\n        yield block[i]\n"
        )
    ),
    "files of the tests": Attack(
        answering(
            "import os\ndef search():\n    for folder in ('@HERE@', '@DIR@', '/tmp', os.getcwd()):\n"
            "        for where, _, files in os.walk(folder):\n            for name in files:\n"
            "                try: yield open(os.path.join(where, name), errors='replace').read()\n"
            "                except OSError: pass\n"
        )
    ),
    "memory of the parent and the trainer": Attack(
        answering(
            "import os\ndef search():\n    for pid in (os.getppid(), @PID@, 1, *range(2, 400)):\n"
            "        try:\n            for line in open(f'/proc/{pid}/maps'):\n"
            "                low, high = (int(x, 16) for x in line.split()[0].split('-'))\n"
            "                with open(f'/proc/{pid}/mem', 'rb') as memory:\n"
            "                    memory.seek(low)\n                    yield memory.read(min(high - low, 1 << 22))\n"
            "        except (OSError, OverflowError): pass\n"
        )
    ),
    "process_vm_readv": Attack(
        answering(
            "import ctypes, os\nclass IO(ctypes.Structure):\n"
            "    _fields_ = [('base', ctypes.c_void_p), ('len', ctypes.c_size_t)]\n"
            "def search():\n    libc = ctypes.CDLL(None)\n    buffer = ctypes.create_string_buffer(1 << 16)\n"
            "    for pid in (os.getppid(), @PID@):\n        near = IO(ctypes.addressof(buffer), 1 << 16)\n"
            "        for step in range(-64, 64):\n            far = IO(id(buffer) + (step << 16), 1 << 16)\n"
            "            got = libc.process_vm_readv(pid, ctypes.byref(near), 1, ctypes.byref(far), 1, 0)\n"
            "            if got > 0: yield buffer.raw\n"
        )
    ),
    "own memory around living objects": Attack(
        answering(
            "import ctypes\ndef search():\n    start = min(id(object()), id([]), id('x' * 50)) & ~0xfff\n"
            "    for page in range(64):\n        yield ctypes.string_at(start + page * 4096, 4096)\n"
        )
    ),
    "inherited descriptors": Attack(
        answering(
            "import os\ndef search():\n    for fd in [n for n in range(256) if n != 3]:\n"
            "        try: yield os.read(fd, 1 << 16)\n        except OSError: pass\n"
        )
    ),
    "sources kept for tracebacks": Attack(
        answering("import linecache, sys\ndef search():\n    yield linecache.cache\n    yield sys.modules.keys()\n")
    ),
    "an object that watches its comparison": Attack(
        "seen = []\n" + _SPY + "def secret(n):\n    return seen[-1] if seen else Spy()\n",
        tests=("assert secret(7) == 'heron-40317'",) * 3,
    ),
    "an object that watches a membership test": Attack(
        "seen = []\n" + _SPY + "def secret(n):\n    return seen[-1] if seen else Spy()\n",
        tests=("assert secret(7) in ['heron-40317']",) * 2,
    ),
    "a container that is asked for the expected value": Attack(
        "seen = []\nclass Bag:\n    def __contains__(self, x): return True\n"
        "    def __iter__(self): return iter(seen)\n"
        "def secret(n):\n    return Bag()\n",
        tests=("assert 'heron-40317' in secret(7)",),
    ),
    "a method that is given the expected value": Attack(
        "class Sly(str):\n    def startswith(self, x): return True\ndef secret(n):\n    return Sly('x')\n",
        tests=("assert secret(7).startswith('heron-40317')",),
    ),
    "a setup variable": Attack(
        "import sys\ndef secret(n):\n"
        "    return vars(sys.modules[__name__]).get('expected', globals().get('expected'))\n",
        tests=("assert secret(7) == expected",),
        setup="expected = 'heron-40317'",
    ),
    "kernel memory": Attack(
        answering(
            "def search():\n    for path in ('/dev/mem', '/dev/kmem', '/proc/kcore', '/proc/kallsyms'):\n"
            "        try: yield open(path, 'rb').read(1 << 20)\n        except OSError: pass\n"
        )
    ),
}
