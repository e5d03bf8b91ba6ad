"""Programs that speak to the referee themselves, or answer what is hard to read."""

from .shape import DONE, SECRETS, TALK, Attack


def _on_call(body: str, tests: tuple[str, ...] = SECRETS, cpu_seconds: float | None = 0.3) -> Attack:
    """The program takes over the channel once it is loaded: it cannot see the number of the request it is in, so it
    answers that one by itself and the following ones by hand."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return Attack(f"{TALK}def secret(n):\n{lines}\n", tests, cpu_seconds)


COLLIDING = "[k * (2 ** 61 - 1) for k in range(1, 60000)]"


def _answering(payload: str, tests: tuple[str, ...] = SECRETS) -> Attack:
    """Every answer is these bytes, under the right number."""
    return Attack(
        f"{TALK}import sys\nanswer = {payload}\ndef patched(self, value): return answer\n"
        "for module in list(sys.modules.values()):\n"
        "    if hasattr(module, 'Encoder'): module.Encoder.encode = patched\n"
        "def secret(n):\n    return [1]\n",
        tests,
    )


PROTOCOL = {
    "answering before being asked": Attack(
        f"{TALK}os.write(3, framed(bytes(8), none))\ndef secret(n):\n    return 1\n"
    ),
    "answering many times ahead": _on_call("for _ in range(50): os.write(3, framed(bytes(8), none))\nreturn 1"),
    "replaying an older number": Attack(
        f"{TALK}import sys\nframe = sys._getframe()\nwhile frame:\n"
        f"    nonce = frame.f_locals.get('nonce', bytes(8))\n"
        "    frame = frame.f_back\ndef secret(n):\n    os.write(3, framed(nonce, none))\n    return 1\n"
    ),
    "a frame that never ends": _on_call("os.write(3, struct.pack('>I', 1 << 20) + b'x')\nos._exit(0)"),
    "a frame of four gigabytes": _on_call("os.write(3, b'\\xff' * 12)\nos._exit(0)"),
    "an empty frame": _on_call("os.write(3, bytes(4))\nos._exit(0)"),
    "a flood of zeros": _on_call("while True: os.write(3, bytes(1 << 16))"),
    "a flood of long frames": _on_call("while True: os.write(3, framed(bytes(8), bytes(1 << 22)))"),
    "a slow drip": _on_call(
        "os.write(3, struct.pack('>I', 1 << 20))\nwhile True:\n    os.write(3, b'x')\n    for _ in range(20000): pass"
    ),
    "a closed channel": _on_call("os.close(3)\nreturn 1"),
    "a channel closed on loading": Attack("import os\nos.closerange(0, 64)\ndef secret(n):\n    return 1\n"),
    "the channel read by the program": _on_call("while True: os.read(3, 1)", DONE),
    "the channel replaced": _on_call("os.dup2(0, 3)\nreturn 1"),
    "unknown tags": _answering("value(item(b'?', b'heron'))"),
    "an answer of another kind": _answering("many(b't', [item(b's', b'passed')])"),
    "text that is no text": _answering("value(item(b's', b'\\xff\\xfe'))"),
    "a fraction of nothing": _answering("value(many(b'Q', [item(b'i', b'1'), item(b'i', b'\\0')]))"),
    "an unhashable key": _answering("value(many(b'd', [many(b'l', []), item(b'n', b'')]))"),
    "deep nesting by hand": _answering("value(b'l\\0\\0\\0\\1' * 100000 + item(b'n', b''))"),
    "promising more than there is": _answering("b't' + b'\\xff' * 4"),
    "a set made to collide": _answering(
        f"value(many(b'S', [item(b'i', k.to_bytes(16, 'big')) for k in {COLLIDING}]))",
        ("assert secret(7) == {40317, 5}",),
    ),
    "a handle that was never given": _answering(
        "value(item(b'H', b'999999999'))", ("assert list(secret(7)) == [40317]",)
    ),
    "deep nesting": Attack(
        "def secret(n):\n    deep = []\n    for _ in range(100000): deep = [deep]\n    return deep\n", cpu_seconds=0.5
    ),
    "a list made to collide in the test's set": Attack(
        f"def secret(n):\n    return {COLLIDING}\n", ("assert set(secret(7)) == {40317, 5}",)
    ),
    "a cycle": Attack("def secret(n):\n    a = []\n    a.append(a)\n    return a\n"),
    "a wide cycle": Attack("def secret(n):\n    a = []\n    a += [a, a, a]\n    return a\n", cpu_seconds=0.5),
    "a number too large to use": Attack(
        "from decimal import Decimal\ndef secret(n):\n    return Decimal('1E+9999999')\n",
        ("assert int(secret(7)) == 40317",),
    ),
    "a length out of a list": Attack("def secret(n):\n    return 1 << 62\n", ("assert [0] * secret(7) == [40317]",)),
    "an iterator of nonsense": Attack(
        "class Sly:\n    def __iter__(self): return self\n    def __next__(self): return self\n"
        "    def __len__(self): return -1\ndef secret(n):\n    return Sly()\n",
        ("assert list(secret(7)) == [40317]", "assert len(secret(7)) == 40317"),
        0.3,
    ),
    "raising what would end the referee": Attack(
        "def secret(n):\n    raise {7: KeyboardInterrupt, 8: GeneratorExit, 9: SystemExit}[n]('passed')\n"
    ),
    "an exception that cannot be described": Attack(
        "class Sly(Exception):\n    def __str__(self): raise self\ndef secret(n):\n    raise Sly\n"
    ),
}
