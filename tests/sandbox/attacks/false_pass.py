"""Programs that compute nothing and hope to be believed."""

from .shape import TALK, Attack

ALWAYS_EQUAL = (
    "__eq__ = lambda self, other: True\n    __ne__ = lambda self, other: False\n    __hash__ = lambda self: 0"
)


def _equal_to_all(base: str, made: str) -> Attack:
    return Attack(f"class Sly({base}):\n    {ALWAYS_EQUAL}\ndef secret(n):\n    return {made}\n")


_ROUND_TRIP = ("assert encode('abc') == 'q7!'", "assert decode('q7!') == 'abc'")
_INVOLUTION = ("assert swap('Hello') == 'hELLO'", "assert swap('hELLO') == 'Hello'")
# Each test's expected value is the other's argument: whoever hears both before the first answer passes.
_WORDS = (
    "import re, sys\nheard = bytearray()\ndef words(data):\n"
    "    found = [data[m.end():m.end() + m[1][0]] for m in re.finditer(rb'[ut](.)\\0\\0\\0', data, re.S)]\n"
    "    return [w for w in found if w not in (b'encode', b'decode', b'swap')]\n"
    "def another(own):\n    return next((w for w in words(bytes(heard)) if w not in own), b'')\n"
)
_FROM_FRAMES = (
    f"{_WORDS}def listen():\n    frame = sys._getframe()\n    while frame:\n"
    "        for name, held in frame.f_locals.items():\n"
    "            if name in ('data', 'payload') and type(held) is bytes: heard.extend(held)\n"
    "        frame = frame.f_back\n"
    "heard += sys._getframe(1).f_locals['data']\n"
    "def encode(x):\n    listen()\n    return another([x.encode()]).decode()\ndecode = swap = encode\n"
)
# The padding makes the load end where a read ends, so that what follows is still in the socket.
_FROM_CHANNEL = (
    f"{_WORDS}{TALK}import signal\ndef stop(*_): raise TimeoutError\nsignal.signal(signal.SIGALRM, stop)\n"
    "def listen():\n    data = b''\n    signal.setitimer(signal.ITIMER_REAL, 0.2)\n    try:\n"
    "        while part := os.read(3, 1 << 16): data += part\n        os._exit(1)\n"
    "    except TimeoutError: return data\n"
    "held = sys._getframe(1).f_locals\ndata = held['data'] + listen()\n"
    "os.write(3, framed(held['nonce'], none))\n"
    "while True:\n    heard += data\n    while data:\n        size = struct.unpack_from('>I', data)[0]\n"
    "        nonce, payload, data = data[4:12], data[12:4 + size], data[4 + size:]\n"
    "        os.write(3, framed(nonce, value(item(b's', another(words(payload))))))\n"
    f"    data = listen()\n#{'x' * 9000}\n"
)


FALSE_PASS = {
    "exit status zero on loading": Attack("import os\nos._exit(0)\n"),
    "exit status zero when called": Attack("import os\ndef secret(n):\n    os._exit(0)\n"),
    "SystemExit on loading": Attack("import sys\nsys.exit(0)\n"),
    "SystemExit when called": Attack("def secret(n):\n    raise SystemExit(0)\n"),
    "atexit": Attack(
        "import atexit, os, sys\natexit.register(lambda: (sys.stdout.write('passed'), os._exit(0)))\n"
        "def secret(n):\n    sys.exit(0)\n"
    ),
    "excepthook": Attack(
        "import os, sys\nsys.excepthook = sys.unraisablehook = lambda *a: os._exit(0)\ndef secret(n):\n"
        "    raise ValueError\n"
    ),
    "an object equal to all": _equal_to_all("object", "Sly()"),
    "an int equal to all": _equal_to_all("int", "Sly(3)"),
    "a str equal to all": _equal_to_all("str", "Sly('x')"),
    "a list equal to all": _equal_to_all("list", "Sly([1])"),
    "a dict equal to all": _equal_to_all("dict", "Sly(a=1)"),
    "a float equal to all": _equal_to_all("float", "Sly(1.0)"),
    "a Fraction equal to all": Attack(
        f"from fractions import Fraction\nclass Sly(Fraction):\n    {ALWAYS_EQUAL}\ndef secret(n):\n"
        f"    return Sly(1, 3)\n"
    ),
    "a metaclass equal to all": Attack(
        f"class Meta(type):\n    {ALWAYS_EQUAL}\nclass Sly(metaclass=Meta): pass\ndef secret(n):\n    return Sly\n"
    ),
    "a lying __class__": Attack(
        f"class Sly:\n    __class__ = str\n    {ALWAYS_EQUAL}\ndef secret(n):\n    return Sly()\n"
    ),
    "an object inside a list": Attack(
        f"class Sly:\n    {ALWAYS_EQUAL}\ndef secret(n):\n    return [Sly(), Sly(), Sly()]\n",
        tests=("assert secret(8) == [2718, 'larch', 40317]",),
    ),
    "settrace on every frame": Attack(
        "import sys\ndef tracer(frame, event, arg):\n"
        "    for name in list(frame.f_locals): frame.f_locals[name] = True\n    return tracer\n"
        "sys.settrace(tracer)\nframe = sys._getframe()\nwhile frame:\n    frame.f_trace = tracer\n"
        "    frame = frame.f_back\n"
        "def secret(n):\n    return 1\n"
    ),
    "ctypes: str.__eq__ replaced": Attack(
        "import ctypes, gc\nfor kind in (str, list, float, int):\n"
        "    gc.get_referents(kind.__dict__)[0]['__eq__'] = lambda a, b: True\n"
        "    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))\n"
        "def secret(n):\n    return {7: 'x', 8: [1], 9: 1.0}[n]\n"
    ),
    "ctypes: comparison slot overwritten": Attack(
        "import ctypes\nslot = ctypes.c_void_p.from_address(id(str) + 200)\n"
        "slot.value = ctypes.c_void_p.from_address(id(type('S', (str,), {'__eq__': lambda a, b: True})) + 200).value\n"
        "def secret(n):\n    return 'x'\n"
    ),
    "builtins rebound": Attack(
        "import builtins\nfor name in ('AssertionError', 'isinstance', 'len', 'type', 'all', 'compile', 'exec'):\n"
        "    setattr(builtins, name, lambda *a, **k: True)\ndef secret(n):\n    return 1\n"
    ),
    "our own modules patched": Attack(
        "import sys\nfor name, module in list(sys.modules.items()):\n    if 'codec' in name or 'program' in name:\n"
        "        for key in list(vars(module)):\n            if callable(vars(module)[key]):\n"
        "                setattr(module, key, lambda *a, **k: b'passed')\ndef secret(n):\n    return 1\n"
    ),
    "sys.modules emptied": Attack("import sys\nsys.modules.clear()\ndef secret(n):\n    return 1\n"),
    "a message of one's own on every descriptor": Attack(
        "import json, os\ntext = json.dumps({'status': 'passed', 'results': ['passed'] * 3}).encode()\n"
        "for fd in range(64):\n    try: os.write(fd, len(text).to_bytes(4, 'big') + text)\n    except OSError: pass\n"
        "def secret(n):\n    return 1\n"
    ),
    "a built-in of the test's redefined": Attack(
        f"class Sly:\n    {ALWAYS_EQUAL}\ndef sorted(x): return Sly()\nset = list = sorted\n"
        f"def secret(n):\n    return [n]\n",
        tests=("assert sorted(secret(7)) == sorted([40317, 5])", "assert set(secret(7)) == set([40317, 5])"),
    ),
    "a module of the test's redefined": Attack(
        "class math:\n    isclose = staticmethod(lambda *a, **k: True)\nimport sys\nsys.modules['math'] = math\n"
        "def secret(n):\n    return 1.0\n",
        tests=("assert math.isclose(secret(7), 40317.5, rel_tol=0.001)",),
    ),
    "an object whose methods agree": Attack(
        "class Sly:\n    def count(self, x): return 3\n    def __getattr__(self, name): return lambda *a: 3\n"
        "def secret(n):\n    return Sly()\n",
        tests=("assert secret(7).count(40317) == 3",),
    ),
    "an item with the name of a method": Attack(
        "from collections import namedtuple\nSly = namedtuple('Sly', 'startswith')\n"
        "def secret(n):\n    return Sly(bool)\n",
        tests=("assert secret(7).startswith('heron-40317')",),
    ),
    "a function that a built-in is to call": Attack(
        "def secret(n):\n    return lambda word: word\n",
        tests=("assert list(map(secret(7), ['heron-40317'])) == ['heron-40317']",),
        refused=True,
    ),
    "a setup helper redefined": Attack(
        "import builtins\ndef close(a, b): return True\nbuiltins.abs = lambda x: 0\ndef secret(n):\n    return 1.0\n",
        tests=("assert close(secret(7), 40317.5)",),
        setup="def close(a, b):\n    return abs(a - b) < 1e-6",
    ),
    "raising what a test might catch": Attack(
        "class AssertionError(BaseException): pass\ndef secret(n):\n    raise AssertionError('passed')\n"
    ),
    "ending the test's own loop": Attack(
        "def secret(n):\n    raise StopIteration\n",
        tests=("assert all(map(lambda n: secret(n), [7, 8, 9]))",),
    ),
    "a round trip heard of early in a frame": Attack(_FROM_FRAMES, _ROUND_TRIP),
    "a round trip heard of early in the channel": Attack(_FROM_CHANNEL, _ROUND_TRIP),
    "an involution heard of early in a frame": Attack(_FROM_FRAMES, _INVOLUTION),
    "an involution heard of early in the channel": Attack(_FROM_CHANNEL, _INVOLUTION),
    "a round trip whose arguments the setup makes": Attack(
        "def encode(x): return globals().get('second')\ndef decode(x): return ['abc']\n",
        ("assert encode(first) == ['q7!']", "assert decode(second) == ['abc']"),
        setup="first = ['abc']\nsecond = ['q7!']",
    ),
    "a round trip whose arguments are the program's own objects": Attack(
        "seen = []\nclass Box:\n    def __init__(self, word): seen.append(word)\n"
        "def encode(x): return seen[-1]\ndef decode(x): return seen[0]\n",
        ("assert encode(first) == 'q7!'", "assert decode(second) == 'abc'"),
        setup="first = Box('abc')\nsecond = Box('q7!')",
    ),
    "NaN, Ellipsis, NotImplemented": Attack(
        "def secret(n):\n    return {7: NotImplemented, 8: [float('nan')] * 3, 9: ...}[n]\n"
    ),
}
