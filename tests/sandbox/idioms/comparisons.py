"""Comparisons: equality, order, membership, identity, and numbers that are nearly equal."""

from .shape import idiom

# fmt: off
COMPARISONS = {
    "equal": idiom("def f(): return 3", "assert f() == 3", wrong="def f(): return 1"),
    "not equal": idiom("def f(): return 3", "assert f() != 1", wrong="def f(): return 1"),
    "equal the other way round": idiom("def f(): return 3", "assert 3 == f()", wrong="def f(): return 1"),
    "chained": idiom("def f(): return 3", "assert 1 < f() <= 3", wrong="def f(): return 1"),
    "one of several": idiom(
        "def f(): return 3", "assert f() in (2, 3)", "assert f() in {3, 4}", wrong="def f(): return 1",
    ),
    "none of several": idiom("def f(): return 3", "assert f() not in [1, 2]", wrong="def f(): return 1"),
    "holds an item": idiom("def f(): return [1, 2]", "assert 2 in f()", wrong="def f(): return [1]"),
    "holds a text": idiom("def f(): return 'heron'", "assert 'ero' in f()", wrong="def f(): return 'x'"),
    "holds a key": idiom("def f(): return {'a': 1}", "assert 'a' in f()", wrong="def f(): return {}"),
    "is None": idiom("def f(): return None", "assert f() is None", wrong="def f(): return 1"),
    "is not None": idiom("def f(): return 1", "assert f() is not None", wrong="def f(): return None"),
    "is True": idiom(
        "def f(x): return x > 2", "assert f(3) is True", "assert f(1) is False", wrong="def f(x): return x < 2",
    ),
    "is True and not one": idiom("def f(): return True", "assert f() is True", wrong="def f(): return 1"),
    "truth": idiom("def f(x): return x > 2", "assert f(3)", "assert not f(1)", wrong="def f(x): return x < 2"),
    "truth of an empty list": idiom("def f(): return []", "assert not f()", wrong="def f(): return [0]"),
    "both": idiom("def f(x): return x > 2", "assert f(3) and f(4) and not f(0)", wrong="def f(x): return x < 2"),
    "either": idiom("def f(x): return x > 2", "assert f(1) or f(4)", wrong="def f(x): return False"),
    "conditional": idiom("def f(x): return x > 2", "assert (1 if f(3) else 2) == 1", wrong="def f(x): return x < 2"),
    "nearly": idiom("def f(): return 0.1 + 0.2", "assert abs(f() - 0.3) < 1e-9", wrong="def f(): return 0.4"),
    "isclose": idiom(
        "def f(): return 0.1 + 0.2", "import math\nassert math.isclose(f(), 0.3)", wrong="def f(): return 0.4",
    ),
    "isclose from the module": idiom(
        "def f(): return 0.1 + 0.2", "from math import isclose\nassert isclose(f(), 0.3, rel_tol=1e-6)",
        wrong="def f(): return 0.4",
    ),
    "rounded": idiom("def f(): return 0.1 + 0.2", "assert round(f(), 2) == 0.3", wrong="def f(): return 0.4"),
    "not a number": idiom("def f(): return float('nan')", "assert f() != f()", wrong="def f(): return 1"),
    "isnan": idiom("def f(): return float('nan')", "import math\nassert math.isnan(f())", wrong="def f(): return 1"),
    "infinity": idiom("def f(): return float('inf')", "assert f() == float('inf')", wrong="def f(): return 1"),
    "negative zero": idiom(
        "def f(): return -0.0", "import math\nassert f() == 0 and math.copysign(1, f()) == -1",
        wrong="def f(): return 0.0",
    ),
    "type": idiom(
        "def f(): return 3", "assert type(f()) is int", "assert type(f()) == int", wrong="def f(): return 3.0",
    ),
    "type is not that of a subclass": idiom(
        "def f(): return {}", "assert type(f()) is dict",
        wrong="from collections import defaultdict\ndef f(): return defaultdict(int)",
    ),
    "isinstance": idiom("def f(): return 3", "assert isinstance(f(), int)", wrong="def f(): return '3'"),
    "isinstance of several": idiom(
        "def f(): return 3", "assert isinstance(f(), (int, float))", wrong="def f(): return '3'",
    ),
    "all are integers": idiom(
        "def f(): return [1, 2]", "assert all(isinstance(x, int) for x in f())", wrong="def f(): return ['1']",
    ),
    "a class's own equality": idiom(
        "class V:\n    def __init__(self, n): self.n = n\n    def __eq__(self, o): return self.n == o.n",
        "assert V(1) == V(1)", "assert V(1) != V(2)", "a, b = V(1), V(1)\nassert a == b",
        wrong="class V:\n    def __init__(self, n): self.n = n",
    ),
    "a dataclass's equality": idiom(
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 0",
        "assert P(1) == P(1, 0)", "assert P(1) != P(2)",
        wrong="class P:\n    def __init__(self, x, y=0): self.x = x",
    ),
    "a dataclass as the expected value": idiom(
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(n): return P(n + 1)",
        "assert f(1) == P(2)",
        wrong="from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(n): return P(n)",
    ),
    "a list of dataclasses as the expected value": idiom(
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(n): return [P(n)]",
        "assert f(1) == [P(1)]", "wanted = [P(2)]\nassert f(2) == wanted",
        wrong="class P:\n    def __init__(self, x): pass\ndef f(n): return [P(n)]",
    ),
    "a class equal to a plain value": idiom(
        "class Money:\n    def __init__(self, n): self.n = n\n    def __eq__(self, o): return self.n == o",
        "assert Money(3) == 3", wrong="class Money:\n    def __init__(self, n): self.n = n",
    ),
    "order of objects": idiom(
        "class V:\n    def __init__(self, n): self.n = n\n    def __lt__(self, o): return self.n < o.n",
        "assert V(1) < V(2)", "assert not V(2) < V(1)", "assert V(2) > V(1)",
        wrong="class V:\n    def __init__(self, n): self.n = n\n    def __lt__(self, o): return self.n > o.n",
    ),
    "total ordering": idiom(
        "from functools import total_ordering\n@total_ordering\nclass V:\n    def __init__(self, n): self.n = n\n"
        "    def __eq__(self, o): return self.n == o.n\n    def __lt__(self, o): return self.n < o.n",
        "a, b = V(1), V(2)\nassert a <= b and b >= a and a != b",
        wrong="class V:\n    def __init__(self, n): self.n = n",
    ),
    "sorted objects": idiom(
        "class V:\n    def __init__(self, n): self.n = n\n    def __lt__(self, o): return self.n < o.n",
        "assert [v.n for v in sorted([V(3), V(1), V(2)])] == [1, 2, 3]", "assert max([V(1), V(3)]).n == 3",
        wrong="class V:\n    def __init__(self, n): self.n = n\n    def __lt__(self, o): return self.n > o.n",
    ),
    "objects in a set": idiom(
        "class V:\n    def __init__(self, n): self.n = n\n    def __eq__(self, o): return self.n == o.n\n"
        "    def __hash__(self): return hash(self.n)",
        "assert len({V(1), V(1), V(2)}) == 2", "assert hash(V(1)) == hash(V(1))",
        wrong="class V:\n    def __init__(self, n): self.n = n",
    ),
    "the same object": idiom(
        "class Config:\n    made = None\n    def __new__(cls):\n"
        "        cls.made = cls.made or object.__new__(cls)\n        return cls.made",
        "assert Config() is Config()", "a = Config()\nb = Config()\nassert a is b", wrong="class Config: pass",
    ),
    "another object": idiom(
        "class V: pass", "assert V() is not V()",
        wrong="class V:\n    one = object()\n    def __new__(cls): return cls.one",
    ),
    "the same list again": idiom(
        "kept = [1]\ndef f(): return kept", "assert f() is f()", wrong="def f(): return [1]",
    ),
    "an enum's member": idiom(
        "from enum import Enum\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\ndef f(n): return Color(n)",
        "assert f(1) == Color.RED", "assert f(2) is Color.BLUE", "assert f(1) is not Color.BLUE",
        wrong="from enum import Enum\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\ndef f(n): return Color.RED",
    ),
    "an enum's name and value": idiom(
        "from enum import Enum\nclass Color(Enum):\n    RED = 1", "assert Color.RED.value == 1",
        "assert Color.RED.name == 'RED'", "assert Color(1).name == 'RED'", "assert Color['RED'].value == 1",
        "assert len(Color) == 1", "assert [c.name for c in Color] == ['RED']",
        wrong="from enum import Enum\nclass Color(Enum):\n    RED = 2",
    ),
    "an integer enum": idiom(
        "from enum import IntEnum\nclass Level(IntEnum):\n    LOW = 1\ndef f(): return Level.LOW",
        "assert f() == 1", "assert f().name == 'LOW'", "assert Level.LOW < 2",
        wrong="from enum import IntEnum\nclass Level(IntEnum):\n    HIGH = 1\ndef f(): return Level.HIGH",
    ),
    "two answers": idiom(
        "def f(): return [1]\ndef g(): return [1]", "assert f() == g()",
        wrong="def f(): return [1]\ndef g(): return [2]",
    ),
    "two answers that are objects": idiom(
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(x): return P(x)",
        "assert f(1) == f(1)", "assert f(1) != f(2)", wrong="class P: pass\ndef f(x): return P()",
    ),
    "a variable of the program's": idiom(
        "LIMIT = 5\ndef f(): return 5", "assert f() == LIMIT", wrong="LIMIT = 6\ndef f(): return 5",
    ),
    "a count of a variable": idiom(
        "calls = 0\ndef f():\n    global calls\n    calls += 1", "f()\nf()\nassert calls == 2",
        wrong="calls = 0\ndef f(): pass",
    ),
    "an object's place in a list": idiom(
        "class V:\n    def __init__(s, n): s.n = n\n    def __eq__(s, o): return s.n == o.n",
        "vs = [V(1), V(2)]\nassert V(2) in vs and vs.index(V(2)) == 1",
        wrong="class V:\n    def __init__(s, n): s.n = n",
    ),
    "flags": idiom(
        "from enum import Flag\nclass F(Flag):\n    R = 1\n    W = 2\ndef f(): return F.R | F.W",
        "assert f() & F.R == F.R", "assert F.W in f()",
        wrong="from enum import Flag\nclass F(Flag):\n    R = 1\n    W = 2\ndef f(): return F.R",
    ),
    "a text enum": idiom(
        "from enum import StrEnum\nclass S(StrEnum):\n    A = 'a'\ndef f(): return S.A", "assert f() == 'a'",
        "assert f().upper() == 'A'", "assert f'{f()}' == 'a'", wrong="def f(): return 'b'",
    ),
    "a kind of number": idiom(
        "def f(): return 3", "from numbers import Number\nassert isinstance(f(), Number)",
        wrong="def f(): return 'x'",
    ),
    "division with remainder": idiom(
        "def f(): return 7", "assert divmod(f(), 2) == (3, 1)", "assert pow(f(), 2) == 49",
        wrong="def f(): return 8",
    ),
    "not a number in a list": idiom(
        "def f(): return [float('nan')]", "import math\nassert math.isnan(f()[0])", wrong="def f(): return [1.0]",
    ),
    "None is not False": idiom(
        "def f(): return None", "assert not f()", "assert f() is not False", wrong="def f(): return False",
    ),
    "zero is not False": idiom(
        "def f(): return 0", "assert f() == False and f() is not False", wrong="def f(): return False",
    ),
    "one is not True": idiom(
        "def f(): return 1", "assert f() == True", "assert f() is not True", wrong="def f(): return True",
    ),
    "a text is no number": idiom(
        "def f(): return '3'", "assert f() != 3 and int(f()) == 3", wrong="def f(): return 3",
    ),
    "a bool by its type": idiom(
        "def f(): return True", "assert isinstance(f(), bool)", "assert type(f()) is bool",
        wrong="def f(): return 1",
    ),
    "the types of a list": idiom(
        "def f(): return [1, 'a', None]", "assert [type(x) for x in f()] == [int, str, type(None)]",
        "assert list(map(type, f())) == [int, str, type(None)]", wrong="def f(): return [1, 2, 3]",
    ),
    "the type of each": idiom(
        "def f(): return [1]", "assert list(map(type, f())) == [int]",
        wrong="from enum import IntEnum\nE = IntEnum('E', 'A')\ndef f(): return [E.A]",
    ),
    "each of a kind": idiom(
        "def f(): return [1, 2]", "assert all(map(lambda x: isinstance(x, int), f()))",
        wrong="def f(): return ['a']",
    ),
}
