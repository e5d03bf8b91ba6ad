"""Programs that use what the referee asks of their objects: to see what is expected, to be believed, or not to be
judged at all."""

from .shape import DONE, TALK, Attack

_SWALLOWING = ("try:\n    secret(7)\nexcept Exception:\n    pass\nelse:\n    assert False",)
_SWALLOWING_ALL = ("try:\n    secret(7)\nexcept:\n    pass\nassert True",)
_YES = "lambda self, *other: True"
_LOGGING = "seen = []\ndef log(*values):\n    seen.extend(v for v in values if 'heron' in str(v))\n    return True\n"


def _object(body: str, tests: tuple[str, ...], *, refused: bool = False) -> Attack:
    program = f"{_LOGGING}class Sly:\n{body}\ndef secret(n): return seen[-1] if seen else Sly()\n"
    return Attack(program, tests, 0.5, refused=refused)


def _raising(classes: str, tests: tuple[str, ...] = DONE) -> Attack:
    """Every answer says that an exception of these classes was raised."""
    raised = f"many(b't', [item(b's', b'raised'), item(b'H', b'0'), {classes}, many(b't', []), item(b's', b'')])"
    return Attack(
        f"{TALK}import sys\n"
        "def kind(number, module, name, *bases):\n"
        "    numbers = many(b't', [item(b'i', bytes([b])) for b in bases])\n"
        "    return many(b't', [item(b'i', bytes([number])), item(b's', module), item(b's', name), numbers])\n"
        f"answer = {raised}\n"
        "for module in list(sys.modules.values()):\n"
        "    if hasattr(module, 'Encoder'): module.Encoder.encode = lambda self, value: answer\n"
        "def secret(n):\n    return [1]\n",
        tests,
    )


OBJECTS = {
    "an equality of its own for a plain value": _object(
        f"    __eq__ = lambda self, other: log(other)\n    __lt__ = __contains__ = {_YES}",
        ("assert secret(7) == 'heron-40317'", "assert 'heron-40317' == secret(7)", "assert secret(7) == 'heron-40317'"),
    ),
    "an order of its own for a plain value": _object(
        "    __lt__ = __gt__ = __le__ = lambda self, other: log(other)", ("assert secret(7) < 'heron-40317'",) * 2
    ),
    "a difference of its own": _object(
        "    def __sub__(self, other):\n        log(f'heron{other}')\n        return 0\n    __rsub__ = __sub__",
        ("assert abs(secret(7) - 40317.5) < 1e-6", "assert abs(40317.5 - secret(7)) < 1e-6"),
    ),
    "a text of its own": _object(
        "    __str__ = __repr__ = lambda self: seen[-1] if seen else 'x'",
        ("assert str(secret(7)) == 'heron-40317'", "assert f'{secret(7)!r:>11}' == 'heron-40317'"),
    ),
    "a text without end": _object(
        "    def __repr__(self): return 'x' * (1 << 26)", ("assert repr(secret(7)) == 'heron'",)
    ),
    "a text that is no text": _object(
        "    def __str__(self): return Text('heron')\nclass Text(str):\n    __eq__ = lambda self, other: True",
        ("assert str(secret(7)) == 'heron-40317'",),
    ),
    "steps without end": _object(
        "    def __iter__(self): return self\n    def __next__(self): return 1",
        ("for x in secret(7):\n    assert x == 1\nassert secret(7) == 40317",),
    ),
    "a step that never comes": _object(
        "    def __next__(self):\n        while True: pass", ("assert next(secret(7)) == 1",)
    ),
    "items that change from call to call": _object(
        "    n = 0\n    def __getitem__(self, place):\n        Sly.n += 1\n        return Sly.n\n"
        "    __len__ = lambda self: 3",
        ("x = secret(7)\nassert x[0] == 1 and x[0] == 40317",),
    ),
    "a hash of its own in a set of expected values": _object(
        "    __hash__ = lambda self: hash('heron-40317')\n    __eq__ = lambda self, other: log(other)",
        ("assert secret(7) in {'heron-40317'}", "assert {'heron-40317': True}[secret(7)]"),
    ),
    "a kind of its own": _object(
        "    __class__ = str\n    __eq__ = lambda self, other: True",
        ("assert isinstance(secret(7), str) and secret(7) == 'heron-40317'",),
    ),
    "a truth that is no truth": _object(
        "    __bool__ = lambda self: 1 / 0\n    __eq__ = lambda self, other: Sly()", ("assert secret(7) == secret(8)",)
    ),
    "a number that is none": _object(
        "    __float__ = lambda self: 'heron'\n    __index__ = lambda self: 1 << 70",
        ("import math\nassert math.isclose(secret(7), 40317.5)", "assert [0] * secret(7) == [40317]"),
    ),
    "an attribute for a built-in's own use": _object(
        "    keys = lambda self: ['heron']\n    def __getitem__(self, key): return key",
        ("assert {**secret(7)} == {'heron-40317': 1}", "assert dict(secret(7)) == {'heron-40317': 1}"),
    ),
    "an iterator that hears where it is left": _object(
        "    def __iter__(self): return iter(['a', 'b'])", ("assert 'heron-40317' in secret(7)",) * 2
    ),
    "the test's own loop ended from a map": Attack(
        "def secret(n):\n    raise StopIteration\n", ("assert all(map(secret, [7, 8, 9]))",)
    ),
    "leaving where an exception is expected": Attack("import os\ndef secret(n):\n    os._exit(0)\n", _SWALLOWING),
    "leaving where anything goes": Attack("import os\ndef secret(n):\n    os._exit(0)\n", _SWALLOWING_ALL),
    "looping where an exception is expected": Attack("def secret(n):\n    while True: pass\n", _SWALLOWING, 0.3),
    "nonsense where an exception is expected": Attack(
        f"{TALK}import sys\nfor module in list(sys.modules.values()):\n"
        "    if hasattr(module, 'Encoder'): module.Encoder.encode = lambda self, value: b'nonsense'\n"
        "def secret(n):\n    return [1]\n",
        _SWALLOWING_ALL,
    ),
    "raising the referee's own signals": _raising("many(b't', [kind(0, b'runtime.remote', b'Unjudgeable')])"),
    "raising what has no class": _raising("many(b't', [])"),
    "raising a class that is its own base": _raising("many(b't', [kind(0, b'x', b'A', 0, 1), kind(1, b'x', b'B', 0)])"),
    "raising a class of ten thousand": _raising("many(b't', [kind(0, b'x', b'A')] * 10000)"),
    "raising what would end the test's loop": _raising(
        "many(b't', [kind(0, b'builtins', b'StopIteration')])", ("assert all(map(secret, [7, 8, 9]))",)
    ),
    "raising what is no exception": _raising("many(b't', [kind(0, b'builtins', b'str')])"),
    "an exception with a set that collides": Attack(
        "def secret(n):\n    raise ValueError({k * (2 ** 61 - 1) for k in range(1, 2000)})\n", DONE, 0.5
    ),
    "a made object compared with the expected value": Attack(
        f"class Sly:\n    __init__ = lambda self, n: None\n    __eq__ = {_YES}\n",
        ("assert Sly(7) == 'heron-40317'",),
        refused=True,
    ),
    "a made object that holds whatever is asked": Attack(
        f"class Sly:\n    __init__ = lambda self, n: None\n    __contains__ = {_YES}\n",
        ("assert 'heron-40317' in Sly(7)",),
        refused=True,
    ),
    "a made object that is no distance away": Attack(
        "class Sly:\n    __init__ = lambda self, n: None\n    __sub__ = lambda self, other: 0\n",
        ("assert abs(Sly(7) - 40317.5) < 1e-6",),
        refused=True,
    ),
    "an answer compared with an object made for it": Attack(
        f"class Word:\n    __init__ = lambda self, w: None\n    __eq__ = {_YES}\ndef secret(n): return Word(n)\n",
        ("assert secret(7) == Word('heron-40317')",),
        refused=True,
    ),
    "an answer compared with what its own module makes": Attack(
        "class json:\n    dumps = staticmethod(lambda x: 'same')\ndef secret(n): return 'same'\n",
        ("assert secret(7) == json.dumps('heron-40317')",),
        refused=True,
    ),
    "a comparison left to its own module": Attack(
        "class np:\n    allclose = staticmethod(lambda *a: True)\ndef secret(n): return 1.0\n",
        ("assert np.allclose(secret(7), 40317.5)",),
        refused=True,
    ),
    "a key that sorts the expected values": Attack(
        f"{_LOGGING}def weigh(word): return not log(word)\ndef secret(n): return seen[-1]\n",
        ("assert sorted(['heron-40317'], key=weigh)[0] == secret(7)",),
        refused=True,
    ),
}
