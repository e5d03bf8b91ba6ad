"""Values that the program, or the test, changes while the other still has them."""

from .shape import idiom

# fmt: off
CHANGES = {
    "an argument changed by the program": idiom(
        "def f(xs): xs.sort()", "xs = [2, 1]\nf(xs)\nassert xs == [1, 2]", wrong="def f(xs): sorted(xs)",
    ),
    "an argument left alone": idiom(
        "def f(xs): return sorted(xs)", "xs = [2, 1]\nassert f(xs) == [1, 2]\nassert xs == [2, 1]",
        wrong="def f(xs):\n    xs.sort()\n    return xs",
    ),
    "an argument used twice in a loop": idiom(
        "def f(xs): return xs[-1]", "xs = [1, 2]\nfor _ in range(2):\n    assert f(xs) == 2",
        wrong="def f(xs): return xs.pop()",
    ),
    "an argument used twice in a comprehension": idiom(
        "def f(xs): return xs[-1]", "xs = [1, 2]\nassert [f(xs) for _ in range(2)] == [2, 2]",
        wrong="def f(xs): return xs.pop()",
    ),
    "an argument used twice in a lambda": idiom(
        "def f(xs): return xs[-1]", "xs = [1, 2]\ng = lambda: f(xs)\nassert g() == g() == 2",
        wrong="def f(xs): return xs.pop()",
    ),
    "a mutable default": idiom(
        "def f(x, xs=None): return (xs or []) + [x]", "assert f(1) == [1]", "assert f(2) == [2]",
        wrong="def f(x, xs=[]):\n    xs.append(x)\n    return xs",
    ),
    "an answer changed by the test": idiom(
        "def f(): return []", "a = f()\na.append(1)\nassert f() == []", wrong="kept = []\ndef f(): return kept",
    ),
    "an answer changed beside another": idiom(
        "def f(): return []", "a = f()\nb = f()\na.append(1)\nassert b == []",
        wrong="kept = []\ndef f(): return kept",
    ),
    "an answer changed by its index": idiom(
        "def f(): return [0]", "a = f()\na[0] = 1\nassert f() == [0]", wrong="kept = [0]\ndef f(): return kept",
    ),
    "an answer changed by addition": idiom(
        "def f(): return []", "a = f()\na += [1]\nassert f() == []", wrong="kept = []\ndef f(): return kept",
    ),
    "rows that are not one": idiom(
        "def f(n): return [[0] * n for _ in range(n)]", "m = f(2)\nm[0][0] = 1\nassert m[1][0] == 0",
        "m = f(2)\nm[0].append(1)\nassert len(m[1]) == 2",
        "m = f(2)\nfor row in m:\n    row.append(1)\nassert m[0] == [0, 0, 1]",
        wrong="def f(n): return [[0] * n] * n",
    ),
    "a global changed by the test": idiom(
        "table = {}\ndef f(k): return table.get(k)", "table['a'] = 1\nassert f('a') == 1",
        wrong="table = {}\ndef f(k): return None",
    ),
    "a global's method that changes it": idiom(
        "log = []\ndef f(): return len(log)", "log.append(1)\nassert f() == 1",
        wrong="log = []\ndef f(): return 0",
    ),
    "an object's list changed by the test": idiom(
        "class A:\n    def __init__(self): self.xs = []\n    def size(self): return len(self.xs)",
        "a = A()\na.xs.append(1)\nassert a.size() == 1",
        wrong="class A:\n    @property\n    def xs(self): return []\n    def size(self): return 0",
    ),
    "an argument changed after it was given": idiom(
        "class S:\n    def __init__(s): s.xs = []\n    def push(s, x): s.xs.append(x)",
        "s = S()\nx = [1]\ns.push(x)\nx.append(2)\nassert s.xs == [[1, 2]]",
        wrong="class S:\n    def __init__(s): s.xs = []\n    def push(s, x): s.xs.append(list(x))",
    ),
    "a list used twice": idiom(
        "def f(s): return sorted(s)", "s = [2, 1]\nassert f(s) == sorted(s)", wrong="def f(s): return s",
    ),
    "a list from a call used twice": idiom(
        "def f(s): return sorted(s)", "s = list(range(3, 0, -1))\nassert f(s) == sorted(s)",
        wrong="def f(s): return s",
    ),
    "a class attribute shared by mistake": idiom(
        "class A:\n    n = []\n    def __init__(s): s.n = []\n    def add(s, x): s.n.append(x)",
        "a, b = A(), A()\na.add(1)\nassert b.n == []",
        wrong="class A:\n    n = []\n    def add(s, x): s.n.append(x)",
    ),
    "a slice given": idiom(
        "def f(xs):\n    xs.sort()\n    return xs", "xs = [2, 1]\nassert f(xs[:]) == [1, 2] and xs == [2, 1]",
        wrong="def f(xs): return []",
    ),
    "a copy given": idiom(
        "def f(xs):\n    xs.sort()\n    return xs",
        "xs = [2, 1]\nassert f(list(xs)) == [1, 2]\nassert xs == [2, 1]", wrong="def f(xs): return []",
    ),
    "a deep copy given": idiom(
        "def f(xs):\n    xs.sort()\n    return xs",
        "import copy\nxs = [2, 1]\nassert f(copy.deepcopy(xs)) == [1, 2]\nassert xs == [2, 1]",
        wrong="def f(xs): return []",
    ),
    "a copy given that shares its rows": idiom(
        "def f(m):\n    m[0].append(1)\n    return m", "m = [[]]\nassert f(list(m)) == [[1]]\nassert m == [[1]]",
        wrong="def f(m): return [[1]]",
    ),
    "a slice given that shares its rows": idiom(
        "def f(m):\n    m[0].append(1)\n    return m", "m = [[]]\nassert f(m[:]) == [[1]]\nassert m == [[1]]",
        wrong="def f(m): return [[1]]",
    ),
    "a row given": idiom("def f(r): r.append(1)", "m = [[]]\nf(m[0])\nassert m == [[1]]", wrong="def f(r): pass"),
    "a list given in a tuple": idiom(
        "def f(t): t[0].append(1)", "x = []\nf((x,))\nassert x == [1]", wrong="def f(t): pass",
    ),
    "a dict given": idiom("def f(d): d['a'] = 1", "d = {}\nf(d)\nassert d == {'a': 1}", wrong="def f(d): pass"),
}
