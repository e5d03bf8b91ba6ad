"""How a test is laid out: setups, cases, names, lines."""

from .shape import idiom

# fmt: off
LAYOUT = {
    "a setup that reads a linked list": idiom(
        "class Node:\n    def __init__(s, v, n=None): s.val, s.next = v, n\ndef build(xs):\n    h = None\n"
        "    for x in reversed(xs): h = Node(x, h)\n    return h\n",
        "assert to_list(build([1, 2, 3])) == [1, 2, 3]",
        wrong=(
            "class Node:\n    def __init__(s, v, n=None): s.val, s.next = v, n\ndef build(xs):\n    h = None\n"
            "    for x in xs: h = Node(x, h)\n    return h\n"
        ),
        setup=(
            "def to_list(n):\n    out = []\n    while n:\n        out.append(n.val)\n        n = n.next\n"
            "    return out"
        ),
    ),
    "a setup that reads a linked list by recursion": idiom(
        "class Node:\n    def __init__(s, v, n=None): s.val, s.next = v, n\ndef build(xs):\n    h = None\n"
        "    for x in reversed(xs): h = Node(x, h)\n    return h\n",
        "assert to_list(build([1, 2, 3])) == [1, 2, 3]",
        wrong=(
            "class Node:\n    def __init__(s, v, n=None): s.val, s.next = v, n\ndef build(xs):\n    h = None\n"
            "    for x in xs: h = Node(x, h)\n    return h\n"
        ),
        setup="def to_list(n):\n    return [] if n is None else [n.val] + to_list(n.next)",
    ),
    "a setup that compares item by item": idiom(
        "class R:\n    def __getitem__(s, i): return i * i\ndef f(): return R()", "assert same(f(), [0, 1, 4])",
        wrong="class R:\n    def __getitem__(s, i): return i\ndef f(): return R()",
        setup="def same(got, want):\n    return all(got[i] == w for i, w in enumerate(want))",
    ),
    "a setup that holds what is expected": idiom(
        "def f(x): return 2 * x", "assert [f(x) for x in GIVEN] == WANTED", wrong="def f(x): return 3 * x",
        setup="GIVEN = [1, 2]\nWANTED = [2, 4]",
    ),
    "a setup that holds the cases": idiom(
        "def f(x): return 2 * x", "for x, y in CASES:\n    assert f(x) == y", wrong="def f(x): return 3 * x",
        setup="CASES = [(1, 2), (2, 4)]",
    ),
    "a setup that imports": idiom(
        "def f(): return [3, 1]", "assert Counter(f()) == Counter([1, 3])", wrong="def f(): return [3]",
        setup="from collections import Counter",
    ),
    "under a condition": idiom(
        "def f(x): return 2 * x", "import sys\nif sys.version_info >= (3,):\n    assert f(2) == 4",
        wrong="def f(x): return 3 * x",
    ),
    "over several lines": idiom(
        "def f(s): return {c: s.count(c) for c in s}", "assert f('aab') == {\n    'a': 2,\n    'b': 1,\n}",
        wrong="def f(s): return {}",
    ),
    "with comments": idiom(
        "def f(x): return 2 * x", "# doubles\nassert f(2) == 4  # yes", wrong="def f(x): return 3 * x",
    ),
    "several on a line": idiom(
        "def f(x): return 2 * x", "assert f(1) == 2; assert f(2) == 4", wrong="def f(x): return 3 * x",
    ),
    "by a lambda": idiom(
        "def f(x): return 2 * x", "check = lambda x, y: f(x) == y\nassert check(1, 2) and check(2, 4)",
        wrong="def f(x): return 3 * x",
    ),
    "cases with several arguments": idiom(
        "def f(a, b): return a - b", "for args, want in [((3, 1), 2), ((1, 1), 0)]:\n    assert f(*args) == want",
        wrong="def f(a, b): return b - a",
    ),
    "cases that are dicts": idiom(
        "def f(a, b=1): return a - b", "for c in [{'k': {'a': 3}, 'w': 2}]:\n    assert f(**c['k']) == c['w']",
        wrong="def f(a, b=1): return b",
    ),
    "cases that are lists": idiom(
        "def f(xs): return sorted(xs)", "for xs, want in [([2, 1], [1, 2]), ([], [])]:\n    assert f(xs) == want",
        wrong="def f(xs): return xs",
    ),
    "cases that are lists, with a message": idiom(
        "def f(xs): return sorted(xs)",
        "for xs, want in [([2, 1], [1, 2]), ([], [])]:\n    assert f(xs) == want, xs",
        wrong="def f(xs): return xs",
    ),
    "all permutations": idiom(
        "def f(xs): return sorted(xs)",
        "from itertools import permutations\nfor p in permutations([1, 2, 3]):\n"
        "    assert f(list(p)) == [1, 2, 3]",
        wrong="def f(xs): return xs",
    ),
    "all products": idiom(
        "def f(a, b): return a * b",
        "from itertools import product\nassert all(f(a, b) == a * b for a, b in product(range(3), repeat=2))",
        wrong="def f(a, b): return a + b",
    ),
    "a variable named as a built-in function": idiom(
        "def f(xs): return len(xs)", "input = [1, 2]\nassert f(input) == 2", wrong="def f(xs): return 0",
    ),
    "a variable named as a built-in class": idiom(
        "def f(): return [1, 2]", "list = f()\nassert list == [1, 2] and len(list) == 2",
        wrong="def f(): return [1]",
    ),
    "a printed answer": idiom(
        "def f(x): return 2 * x", "print(f(2))\nassert f(2) == 4", wrong="def f(x): return 3 * x",
    ),
    "the sum of calls": idiom(
        "def f(x): return 2 * x", "assert sum(f(x) for x in range(4)) == 12", wrong="def f(x): return 3 * x",
    ),
    "a variable named as a module": idiom(
        "def f(s): return s.upper()", "string = 'abc'\nassert f(string) == string.upper()",
        wrong="def f(s): return s",
    ),
    "an answer named as a module": idiom(
        "def f(xs): return xs[:]", "copy = f([1])\nassert copy == [1] and copy.index(1) == 0",
        wrong="def f(xs): return []",
    ),
    "an object named as a module": idiom(
        "class A:\n    def go(s, n): return n + 1\ndef f(): return A()", "re = f()\nassert re.go(1) == 2",
        wrong="class A:\n    def go(s, n): return n\ndef f(): return A()",
    ),
    "a module by another name": idiom(
        "def f(): return 2.0", "import math as m\nassert m.isclose(f(), 2.0)", wrong="def f(): return 3.0",
    ),
    "a class by another name": idiom(
        "def f(): return [3, 1]", "from collections import Counter as C\nassert C(f()) == C([1, 3])",
        wrong="def f(): return [3]",
    ),
    "an iterator's module by another name": idiom(
        "def f(): return [1, 2]", "import itertools as it\nassert list(it.accumulate(f())) == [1, 3]",
        wrong="def f(): return [1]",
    ),
}
