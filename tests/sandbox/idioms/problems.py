"""Classes and functions as problems ask for them, tested as problems test them."""

from .shape import idiom

# fmt: off
PROBLEMS = {
    "a heap": idiom(
        "class H:\n    def __init__(s): s.h = []\n    def push(s, x):\n        import heapq\n"
        "        heapq.heappush(s.h, x)\n    def pop(s):\n        import heapq\n"
        "        return heapq.heappop(s.h)\n    def __len__(s): return len(s.h)",
        "h = H()\nfor x in [3, 1, 2]:\n    h.push(x)\nassert len(h) == 3\n"
        "assert [h.pop() for _ in range(len(h))] == [1, 2, 3]",
        wrong=(
            "class H:\n    def __init__(s): s.h = []\n    def push(s, x): s.h.append(x)\n"
            "    def pop(s): return s.h.pop()\n    def __len__(s): return len(s.h)"
        ),
    ),
    "a cache": idiom(
        "class LRU:\n    def __init__(s, n): s.n, s.d = n, {}\n    def get(s, k):\n"
        "        if k not in s.d: return -1\n        s.d[k] = s.d.pop(k)\n        return s.d[k]\n"
        "    def put(s, k, v):\n        s.d.pop(k, None)\n        s.d[k] = v\n"
        "        if len(s.d) > s.n: s.d.pop(next(iter(s.d)))",
        "c = LRU(2)\nc.put(1, 1)\nc.put(2, 2)\nassert c.get(1) == 1\nc.put(3, 3)\nassert c.get(2) == -1\n"
        "assert c.get(3) == 3",
        wrong=(
            "class LRU:\n    def __init__(s, n): s.d = {}\n    def get(s, k): return s.d.get(k, -1)\n"
            "    def put(s, k, v): s.d[k] = v"
        ),
    ),
    "a trie": idiom(
        "class Trie:\n    def __init__(s): s.w = set()\n    def insert(s, w): s.w.add(w)\n"
        "    def search(s, w): return w in s.w\n"
        "    def startsWith(s, p): return any(x.startswith(p) for x in s.w)",
        "t = Trie()\nt.insert('apple')\nassert t.search('apple') is True\nassert t.search('app') is False\n"
        "assert t.startsWith('app')",
        wrong=(
            "class Trie:\n    def insert(s, w): pass\n    def search(s, w): return True\n"
            "    def startsWith(s, p): return True"
        ),
    ),
    "a matrix": idiom(
        "class Matrix:\n    def __init__(s, r): s.rows = r\n"
        "    def __matmul__(s, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in "
        "zip(*o.rows)] for r in s.rows])\n    def __getitem__(s, ij): return s.rows[ij[0]][ij[1]]\n"
        "    @property\n    def T(s): return Matrix([list(c) for c in zip(*s.rows)])",
        "m = Matrix([[1, 2], [3, 4]])\nassert (m @ m)[0, 1] == 10\nassert m.T.rows == [[1, 3], [2, 4]]\n"
        "assert m.T.T.rows == m.rows",
        wrong=(
            "class Matrix:\n    def __init__(s, r): s.rows = r\n    def __matmul__(s, o): return s\n"
            "    def __getitem__(s, ij): return s.rows[ij[0]][ij[1]]\n    @property\n    def T(s): return s"
        ),
    ),
    "an account": idiom(
        "class Account:\n    def __init__(s, b=0): s.balance = b\n    def deposit(s, n):\n"
        "        if n <= 0: raise ValueError('bad amount')\n        s.balance += n\n        return s.balance",
        "a = Account(10)\nassert a.deposit(5) == 15\nassert a.balance == 15\ntry:\n    a.deposit(-1)\n"
        "    assert False, 'no error'\nexcept ValueError as e:\n    assert str(e) == 'bad amount'",
        wrong=(
            "class Account:\n    def __init__(s, b=0): s.balance = b\n    def deposit(s, n):\n"
            "        s.balance += n\n        return s.balance"
        ),
    ),
    "a decorator that counts": idiom(
        "def count(h):\n    def w(*a):\n        w.calls += 1\n        return h(*a)\n    w.calls = 0\n    return w",
        "g = count(lambda x: x + 1)\nassert g(1) == 2\nassert g.calls == 1",
        wrong="def count(h):\n    h.calls = 0\n    return h",
    ),
    "a decorator that remembers": idiom(
        "def memo(h):\n    c = {}\n    def w(x):\n        if x not in c: c[x] = h(x)\n        return c[x]\n"
        "    w.cache = c\n    return w",
        "g = memo(lambda x: x * 2)\nassert g(2) == 4 and g.cache == {2: 4}",
        wrong="def memo(h):\n    h.cache = {}\n    return h",
    ),
    "a pipeline": idiom(
        "def compose(*fs):\n    def g(x):\n        for f in fs: x = f(x)\n        return x\n    return g",
        "assert compose(str, len)(12345) == 5", "assert compose(lambda x: x + 1, lambda x: x * 2)(3) == 8",
        wrong="def compose(*fs): return fs[0]",
    ),
    "a dataclass with an order": idiom(
        "from dataclasses import dataclass\n@dataclass(order=True)\nclass P:\n    x: int", "assert P(1) < P(2)",
        "assert sorted([P(3), P(1)])[0].x == 1", "assert max(P(1), P(5)).x == 5",
        wrong=(
            "class P:\n    def __init__(s, x): s.x = -x\n    def __lt__(s, o): return s.x < o.x\n"
            "    def __gt__(s, o): return s.x > o.x"
        ),
    ),
    "a dataclass as a dict": idiom(
        "from dataclasses import dataclass, asdict\n@dataclass\nclass P:\n    x: int",
        "assert asdict(P(1)) == {'x': 1}",
        wrong="class P:\n    def __init__(s, x): pass\ndef asdict(p): return {}",
    ),
    "a dataclass with a field replaced": idiom(
        "from dataclasses import dataclass, replace\n@dataclass\nclass P:\n    x: int",
        "assert replace(P(1), x=3).x == 3",
        wrong="from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef replace(p, x): return p",
    ),
    "a class in lower case": idiom(
        "class point:\n    def __init__(s, x): s.x = x\n    def __add__(s, o): return point(s.x + o.x)\n"
        "    def __eq__(s, o): return s.x == o.x",
        "assert (point(1) + point(2)).x == 3", "p = point(1)\nq = point(1)\nassert p == q",
        wrong="class point:\n    def __init__(s, x): s.x = x\n    def __add__(s, o): return point(0)",
    ),
    "a class read twice": idiom(
        "class R:\n    def __init__(s, n): s.n = n\n    def __iter__(s):\n        for i in range(s.n): yield i",
        "r = R(2)\nit = iter(r)\nassert next(it) == 0 and next(it) == 1\nassert next(it, None) is None\n"
        "assert list(r) == [0, 1]",
        wrong="class R:\n    def __init__(s, n): s.g = iter(range(n))\n    def __iter__(s): return s.g",
    ),
    "an object that the setup makes": idiom(
        "class S:\n    def __init__(s): s.xs = []\n    def push(s, x): s.xs.append(x)",
        "s.push(1)\nassert s.xs == [1]", wrong="class S:\n    xs = []\n    def push(s, x): pass", setup="s = S()",
    ),
}
