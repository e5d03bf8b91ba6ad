"""Containers: what they hold, and how they are read."""

from .shape import idiom

# fmt: off
BOX = (
    "class Box:\n    def __init__(self): self.d = {}\n    def __getitem__(self, k): return self.d[k]\n"
    "    def __setitem__(self, k, v): self.d[k] = v\n    def __len__(self): return len(self.d)\n"
    "    def __contains__(self, k): return k in self.d\n    def __delitem__(self, k): del self.d[k]"
)
EMPTY_BOX = (
    "class Box:\n    def __init__(self): self.d = {}\n    def __getitem__(self, k): return self.d[k]\n"
    "    def __setitem__(self, k, v): pass\n    def __len__(self): return len(self.d)\n"
    "    def __contains__(self, k): return k in self.d\n    def __delitem__(self, k): del self.d[k]"
)

CONTAINERS = {
    "index": idiom(
        "def f(): return [3, 1, 2]", "assert f()[0] == 3", "assert f()[-1] == 2", wrong="def f(): return [3, 1]",
    ),
    "slice": idiom(
        "def f(): return [3, 1, 2]", "assert f()[1:] == [1, 2]", "assert f()[::-1] == [2, 1, 3]",
        wrong="def f(): return [3, 1]",
    ),
    "length": idiom("def f(): return [3, 1, 2]", "assert len(f()) == 3", wrong="def f(): return [3, 1]"),
    "sorted": idiom("def f(): return [3, 1, 2]", "assert sorted(f()) == [1, 2, 3]", wrong="def f(): return [3, 1]"),
    "sorted in place": idiom(
        "def f(): return [3, 1, 2]", "r = f()\nr.sort()\nassert r == [1, 2, 3]", wrong="def f(): return [3, 1]",
    ),
    "as a set": idiom("def f(): return [3, 1, 2]", "assert set(f()) == {1, 2, 3}", wrong="def f(): return [3, 1]"),
    "as a tuple": idiom(
        "def f(): return [3, 1, 2]", "assert tuple(f()) == (3, 1, 2)", wrong="def f(): return [3, 1]",
    ),
    "counted": idiom(
        "def f(): return [3, 1, 2]", "from collections import Counter\nassert Counter(f()) == Counter([1, 2, 3])",
        wrong="def f(): return [3, 1]",
    ),
    "its method": idiom(
        "def f(): return [3, 1, 2]", "assert f().index(2) == 2", "assert f().count(3) == 1",
        wrong="def f(): return [3, 1]",
    ),
    "taken apart": idiom(
        "def f(): return [3, 1, 2]", "a, b, c = f()\nassert (a, b, c) == (3, 1, 2)",
        wrong="def f(): return [3, 1]",
    ),
    "taken apart with a star": idiom(
        "def f(): return [3, 1, 2]", "a, *rest = f()\nassert rest == [1, 2]", wrong="def f(): return [3, 1]",
    ),
    "spread into another": idiom(
        "def f(): return [3, 1, 2]", "assert [0, *f()] == [0, 3, 1, 2]", wrong="def f(): return [3, 1]",
    ),
    "added": idiom("def f(): return [3, 1, 2]", "assert f() + [4] == [3, 1, 2, 4]", wrong="def f(): return [3, 1]"),
    "a comprehension over it": idiom(
        "def f(): return [3, 1, 2]", "assert [x + 1 for x in f()] == [4, 2, 3]", wrong="def f(): return [3, 1]",
    ),
    "nested": idiom(
        "def f(): return {'a': [1, {'b': (2,)}]}", "assert f()['a'][1]['b'][0] == 2",
        wrong="def f(): return {'a': [1, {'b': (3,)}]}",
    ),
    "a tuple is no list": idiom("def f(): return (1, 2)", "assert f() == (1, 2)", wrong="def f(): return [1, 2]"),
    "keys": idiom(
        "def f(): return {'a': 1}", "assert list(f().keys()) == ['a']", "assert f().keys() == {'a'}",
        wrong="def f(): return {'b': 1}",
    ),
    "items": idiom(
        "def f(): return {'a': 1}", "assert dict(f().items()) == {'a': 1}", "assert f().get('b') is None",
        wrong="def f(): return {'b': 1}",
    ),
    "values as the answer": idiom(
        "def f(): return {'a': 1, 'b': 2}.values()", "assert list(f()) == [1, 2]", "assert sum(f()) == 3",
        "assert len(f()) == 2", wrong="def f(): return {'a': 1}.values()",
    ),
    "keys as the answer": idiom(
        "def f(): return {'a': 1}.keys()", "assert f() == {'a'}", "assert 'a' in f()",
        wrong="def f(): return {'b': 1}.keys()",
    ),
    "order of keys": idiom(
        "def f(): return {'b': 1, 'a': 2}", "assert list(f()) == ['b', 'a']",
        wrong="def f(): return {'a': 2, 'b': 1}",
    ),
    "a default dict": idiom(
        "from collections import defaultdict\ndef f(): return defaultdict(int, a=1)", "assert f() == {'a': 1}",
        "assert f()['a'] == 1", wrong="def f(): return {'a': 2}",
    ),
    "a default dict's default": idiom(
        "from collections import defaultdict\ndef f(): return defaultdict(int, a=1)", "assert f()['z'] == 0",
        wrong="def f(): return {}",
    ),
    "an ordered dict": idiom(
        "from collections import OrderedDict\ndef f(): return OrderedDict(a=1, b=2)",
        "from collections import OrderedDict\nassert f() == OrderedDict([('a', 1), ('b', 2)])",
        wrong="from collections import OrderedDict\ndef f(): return OrderedDict(b=2, a=1)",
    ),
    "a deque": idiom(
        "from collections import deque\ndef f(): return deque([1, 2], maxlen=2)", "assert list(f()) == [1, 2]",
        "assert f()[0] == 1", wrong="def f(): return [1]",
    ),
    "a deque's bound": idiom(
        "from collections import deque\ndef f(): return deque([1, 2], maxlen=2)", "assert f().maxlen == 2",
        wrong="from collections import deque\ndef f(): return deque([1, 2])",
    ),
    "a counter": idiom(
        "from collections import Counter\ndef f(): return Counter('aab')",
        "assert f()['a'] == 2 and f()['z'] == 0", "assert f().most_common(1) == [('a', 2)]",
        wrong="from collections import Counter\ndef f(): return Counter('ab')",
    ),
    "a set's operations": idiom(
        "def f(): return {1, 2}", "assert f() | {3} == {1, 2, 3}", "assert f() <= {1, 2, 3}",
        "assert f().issubset([1, 2])", wrong="def f(): return {1, 4}",
    ),
    "a frozen set": idiom(
        "def f(): return frozenset([1])", "assert f() == {1}", "assert {f(): 2}[frozenset([1])] == 2",
        wrong="def f(): return frozenset()",
    ),
    "a set of frozen sets": idiom(
        "def f(): return {frozenset([1]), frozenset()}", "assert frozenset() in f()",
        wrong="def f(): return {frozenset([1])}",
    ),
    "a named tuple": idiom(
        "from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(): return P(1, 2)",
        "assert f() == (1, 2)", "assert f().y == 2", "x, y = f()\nassert x < y", wrong="def f(): return (1, 2)",
    ),
    "a named tuple's methods": idiom(
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int\n"
        "    def total(self): return self.x + self.y\ndef f(): return P(1, 2)",
        "assert f().total() == 3", "assert f()._asdict() == {'x': 1, 'y': 2}", "assert P(1, 2).total() == 3",
        wrong="def f(): return (1, 2)",
    ),
    "a named tuple's text": idiom(
        "from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(): return P(1, 2)",
        "assert repr(f()) == 'P(x=1, y=2)'", "assert str(P(3, 4)) == 'P(x=3, y=4)'",
        wrong="def f(): return (1, 2)",
    ),
    "bytes": idiom(
        "def f(): return b'ab'", "assert f() == b'ab'", "assert f()[0] == 97", "assert f().hex() == '6162'",
        wrong="def f(): return 'ab'",
    ),
    "a byte array": idiom(
        "def f(): return bytearray(b'ab')", "assert f() == b'ab'", "assert bytes(f()) == b'ab'",
        wrong="def f(): return 'ab'",
    ),
    "a memory view": idiom(
        "def f(): return memoryview(b'ab')", "assert bytes(f()) == b'ab'", "assert f()[1] == 98",
        wrong="def f(): return memoryview(b'ac')",
    ),
    "an array": idiom(
        "from array import array\ndef f(): return array('i', [1, 2])", "assert list(f()) == [1, 2]",
        "assert f()[1] == 2", "assert f().tolist() == [1, 2]",
        wrong="from array import array\ndef f(): return array('i', [1, 3])",
    ),
    "a range": idiom(
        "def f(): return range(3)", "assert f() == range(3)", "assert list(f()) == [0, 1, 2]",
        wrong="def f(): return range(4)",
    ),
    "an object's item": idiom(
        "class Squares:\n    def __getitem__(self, n): return n * n", "assert Squares()[3] == 9",
        "s = Squares()\nassert s[4] == 16", wrong="class Squares:\n    def __getitem__(self, n): return n",
    ),
    "an item of an object that was answered": idiom(
        "class Squares:\n    def __getitem__(self, n): return n * n\ndef f(): return Squares()",
        "assert f()[3] == 9", "s = f()\nfor n in range(3):\n    assert s[n] == n * n",
        wrong="class Squares:\n    def __getitem__(self, n): return n\ndef f(): return Squares()",
    ),
    "an object's slice": idiom(
        "class Letters:\n    def __getitem__(self, n): return 'abcd'[n]", "assert Letters()[1:3] == 'bc'",
        "assert Letters()[-1] == 'd'", wrong="class Letters:\n    def __getitem__(self, n): return 'abcc'[n]",
    ),
    "an object's items are set": idiom(
        BOX, "b = Box()\nb['a'] = 1\nassert b['a'] == 1", "b = Box()\nb[1, 2] = 3\nassert len(b) == 1",
        wrong=EMPTY_BOX,
    ),
    "an object holds a key": idiom(BOX, "b = Box()\nb['a'] = 1\nassert 'a' in b and 'z' not in b", wrong=EMPTY_BOX),
    "an object's item is deleted": idiom(
        BOX, "b = Box()\nb['a'] = 1\ndel b['a']\nassert len(b) == 0",
        wrong=(
            "class Box:\n    def __init__(self): self.d = {}\n    def __getitem__(self, k): return self.d[k]\n"
            "    def __setitem__(self, k, v): self.d[k] = v\n    def __len__(self): return len(self.d)\n"
            "    def __contains__(self, k): return k in self.d\n    def __delitem__(self, k): pass"
        ),
    ),
    "a missing item of an object": idiom(
        BOX, "try:\n    Box()['z']\nexcept KeyError:\n    pass\nelse:\n    assert False",
        wrong=(
            "class Box:\n    def __init__(self): self.d = {}\n    def __getitem__(self, k): return None\n"
            "    def __setitem__(self, k, v): self.d[k] = v\n    def __len__(self): return len(self.d)\n"
            "    def __contains__(self, k): return k in self.d\n    def __delitem__(self, k): del self.d[k]"
        ),
    ),
    "a list of the program's own kind": idiom(
        "class Stack(list):\n    def push(self, x): self.append(x)\n    def peek(self): return self[-1]",
        "s = Stack()\ns.push(1)\ns.push(2)\nassert s.peek() == 2\nassert len(s) == 2 and s[0] == 1\n"
        "assert s.pop() == 2",
        wrong="class Stack(list):\n    def push(self, x): self.insert(0, x)\n    def peek(self): return self[-1]",
    ),
    "a list of the program's own kind equals a list": idiom(
        "class Stack(list):\n    def push(self, x): self.append(x)", "s = Stack()\ns.push(1)\nassert s == [1]",
        "assert Stack([1, 2]) == [1, 2]", wrong="class Stack(list):\n    def push(self, x): pass",
    ),
    "a dict of the program's own kind": idiom(
        "class Lower(dict):\n    def __getitem__(self, k): return dict.__getitem__(self, k.lower())\n"
        "def f(): return Lower(a=1)",
        "d = Lower(a=1)\nassert d['A'] == 1", wrong="class Lower(dict): pass",
    ),
    "a named tuple of the test's as the expected value": idiom(
        "def f(): return (1, 2)",
        "from collections import namedtuple\nP = namedtuple('P', 'x y')\nassert f() == P(1, 2)",
        wrong="def f(): return (2, 2)",
    ),
    "an object with keys as a dict": idiom(
        "class M:\n    def keys(self): return ['a']\n    def __getitem__(self, k): return 1\ndef f(): return M()",
        "assert dict(f()) == {'a': 1}",
        wrong=(
            "class M:\n    def keys(self): return ['b']\n    def __getitem__(self, k): return 1\n"
            "def f(): return M()"
        ),
    ),
    "an object with keys spread": idiom(
        "class M:\n    def keys(self): return ['a']\n    def __getitem__(self, k): return 1\ndef f(): return M()",
        "assert {**f()} == {'a': 1}", wrong="def f(): return {}",
    ),
    "a UserList": idiom(
        "from collections import UserList\ndef f(): return UserList([1, 2])", "assert list(f()) == [1, 2]",
        "assert len(f()) == 2", "assert f()[0] == 1", wrong="def f(): return [1]",
    ),
    "a UserList equals a list": idiom(
        "from collections import UserList\ndef f(): return UserList([1, 2])", "assert f() == [1, 2]",
        wrong="def f(): return [1]",
    ),
    "a dict with objects as keys": idiom(
        "class K:\n    def __init__(s, n): s.n = n\n    def __eq__(s, o): return s.n == o.n\n"
        "    def __hash__(s): return s.n\ndef f(): return {K(1): 'a'}",
        "assert list(f().values()) == ['a']", "assert len(f()) == 1", wrong="def f(): return {}",
    ),
    "a dict asked by an object": idiom(
        "class K:\n    def __init__(s, n): s.n = n\n    def __eq__(s, o): return s.n == o.n\n"
        "    def __hash__(s): return s.n\ndef f(): return {K(1): 'a'}",
        "assert f()[K(1)] == 'a'", wrong="def f(): return {}",
    ),
    "a dict with enum members as keys": idiom(
        "from enum import Enum\nclass C(Enum):\n    A = 1\ndef f(): return {C.A: 'x'}", "assert f()[C.A] == 'x'",
        "assert f() == {C.A: 'x'}", wrong="from enum import Enum\nclass C(Enum):\n    A = 1\ndef f(): return {}",
    ),
    "a list of enum members": idiom(
        "from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\ndef f(): return [C.B, C.A]",
        "assert f() == [C.B, C.A]", "assert C.A in f()",
        wrong="from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\ndef f(): return [C.A]",
    ),
    "a set of tuples": idiom(
        "def f(): return {(1, 2)}", "assert (1, 2) in f()", "assert set(map(tuple, [[1, 2]])) == f()",
        wrong="def f(): return {(2, 1)}",
    ),
    "a list is no tuple": idiom(
        "def f(): return [1]", "assert f() != (1,)", "assert isinstance(f(), list) and not isinstance(f(), tuple)",
        wrong="def f(): return (1,)",
    ),
    "compared by index": idiom(
        "def f(): return [5, 6]",
        "want = [5, 6]\ngot = f()\nfor i, w in enumerate(want):\n    assert got[i] == w, i",
        wrong="def f(): return [5, 7]",
    ),
    "taken apart twice": idiom(
        "def f(): return [(1, (2, 3))]", "for a, (b, c) in f():\n    assert (a, b, c) == (1, 2, 3)",
        wrong="def f(): return [(1, (2, 4))]",
    ),
    "swapped": idiom(
        "def f(): return 1, 2", "a, b = f()\na, b = b, a\nassert (a, b) == (2, 1)", wrong="def f(): return 2, 1",
    ),
    "itemgetter of tuples": idiom(
        "def f(): return [(1, 'b'), (2, 'a')]",
        "from operator import itemgetter\nassert sorted(f(), key=itemgetter(1))[0] == (2, 'a')",
        wrong="def f(): return [(1, 'b')]",
    ),
}
