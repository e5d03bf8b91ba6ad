"""Operators and conversions of a program's own classes."""

from .shape import idiom

# fmt: off
NULL = (
    "class V:\n    def __init__(self, n): self.n = 0 * n\n"
    "    def __add__(self, o): return V(self.n + (o.n if isinstance(o, V) else o))\n"
    "    def __radd__(self, o): return V(self.n + o)\n    def __mul__(self, k): return V(self.n * k)\n"
    "    __rmul__ = __mul__\n    def __neg__(self): return V(-self.n)\n"
    "    def __abs__(self): return abs(self.n)\n    def __bool__(self): return self.n != 0\n"
    "    def __eq__(self, o): return isinstance(o, V) and self.n == o.n\n"
    "    def __matmul__(self, o): return self.n * o.n\n    def __iadd__(self, o):\n        self.n += o.n\n"
    "        return self\n    def __call__(self, x): return self.n * x\n"
    "    def __repr__(self): return f'V({self.n})'\n    def __int__(self): return self.n\n"
    "    def __len__(self): return self.n\n    def __format__(self, spec): return format(self.n, spec)\n"
    "    def __float__(self): return float(self.n)\n    def __round__(self, n=0): return V(round(self.n, n))\n"
    "    def __index__(self): return self.n\ndef make(n): return V(n)"
)
VECTOR = (
    "class V:\n    def __init__(self, n): self.n = n\n"
    "    def __add__(self, o): return V(self.n + (o.n if isinstance(o, V) else o))\n"
    "    def __radd__(self, o): return V(self.n + o)\n    def __mul__(self, k): return V(self.n * k)\n"
    "    __rmul__ = __mul__\n    def __neg__(self): return V(-self.n)\n"
    "    def __abs__(self): return abs(self.n)\n    def __bool__(self): return self.n != 0\n"
    "    def __eq__(self, o): return isinstance(o, V) and self.n == o.n\n"
    "    def __matmul__(self, o): return self.n * o.n\n    def __iadd__(self, o):\n        self.n += o.n\n"
    "        return self\n    def __call__(self, x): return self.n * x\n"
    "    def __repr__(self): return f'V({self.n})'\n    def __int__(self): return self.n\n"
    "    def __len__(self): return self.n\n    def __format__(self, spec): return format(self.n, spec)\n"
    "    def __float__(self): return float(self.n)\n    def __round__(self, n=0): return V(round(self.n, n))\n"
    "    def __index__(self): return self.n\ndef make(n): return V(n)"
)

OPERATORS = {
    "str": idiom(
        "class A:\n    def __str__(self): return 'an A'", "assert str(A()) == 'an A'",
        "assert f'{A()}!' == 'an A!'", "assert '%s' % A() == 'an A'", "assert '{}'.format(A()) == 'an A'",
        wrong="class A: pass",
    ),
    "repr": idiom(
        VECTOR, "assert repr(V(1)) == 'V(1)'", "assert str([V(1)]) == '[V(1)]'", "assert f'{V(2)!r}' == 'V(2)'",
        wrong=NULL,
    ),
    "str of an answer": idiom(VECTOR, "assert str(make(3)) == 'V(3)'", "assert repr(make(4)) == 'V(4)'", wrong=NULL),
    "format": idiom(VECTOR, "assert f'{V(3):04d}' == '0003'", "assert format(V(3), '>3') == '  3'", wrong=NULL),
    "added": idiom(
        VECTOR, "assert (V(1) + V(2)).n == 3", "a, b = V(1), V(2)\nc = a + b\nassert c.n == 3", wrong=NULL,
    ),
    "added answers": idiom(
        VECTOR, "assert (make(1) + make(2)).n == 3", "assert str(make(1) + make(2)) == 'V(3)'", wrong=NULL,
    ),
    "added and compared": idiom(
        VECTOR, "assert V(1) + V(2) == V(3)",
        wrong=(
            "class V:\n    def __init__(self, n): self.n = n\n"
            "    def __add__(self, o): return V(self.n - (o.n if isinstance(o, V) else o))\n"
            "    def __radd__(self, o): return V(self.n + o)\n    def __mul__(self, k): return V(self.n * k)\n"
            "    __rmul__ = __mul__\n    def __neg__(self): return V(-self.n)\n"
            "    def __abs__(self): return abs(self.n)\n    def __bool__(self): return self.n != 0\n"
            "    def __eq__(self, o): return isinstance(o, V) and self.n == o.n\n"
            "    def __matmul__(self, o): return self.n * o.n\n    def __iadd__(self, o):\n"
            "        self.n += o.n\n        return self\n    def __call__(self, x): return self.n * x\n"
            "    def __repr__(self): return f'V({self.n})'\n    def __int__(self): return self.n\n"
            "    def __len__(self): return self.n\n"
            "    def __format__(self, spec): return format(self.n, spec)\n"
            "    def __float__(self): return float(self.n)\n"
            "    def __round__(self, n=0): return V(round(self.n, n))\n    def __index__(self): return self.n\n"
            "def make(n): return V(n)"
        ),
    ),
    "added to a number": idiom(VECTOR, "assert (V(1) + 2).n == 3", "assert (2 + V(1)).n == 3", wrong=NULL),
    "times a number": idiom(
        VECTOR, "assert (V(2) * 3).n == 6", "assert (3 * V(2)).n == 6", "assert (make(2) * 3).n == 6",
        "v = make(2) * 3\nassert v.n == 6", wrong=NULL,
    ),
    "product": idiom(VECTOR, "assert V(2) @ V(3) == 6", wrong=NULL),
    "negated": idiom(VECTOR, "assert (-V(1)).n == -1", "assert abs(V(-2)) == 2", wrong=NULL),
    "added in place": idiom(VECTOR, "v = V(1)\nv += V(2)\nassert v.n == 3", wrong=NULL),
    "summed": idiom(VECTOR, "assert sum([V(1), V(2)], V(0)).n == 3", wrong=NULL),
    "summed from zero": idiom(VECTOR, "assert sum([V(1), V(2)]).n == 3", wrong=NULL),
    "truth": idiom(VECTOR, "assert V(1)", "assert not V(0)", "assert bool(make(2))", wrong=NULL),
    "length": idiom(VECTOR, "assert len(V(3)) == 3", wrong=NULL),
    "called": idiom(
        VECTOR, "assert V(2)(3) == 6", "v = V(2)\nassert v(4) == 8", "assert make(2)(5) == 10", wrong=NULL,
    ),
    "as a number": idiom(
        VECTOR, "assert int(V(2)) == 2", "assert float(V(2)) == 2.0", "assert round(V(2)).n == 2",
        "assert 'abc'[V(1)] == 'b'", "assert hex(V(17)) == '0x11'", wrong=NULL,
    ),
    "a number of the program's own kind": idiom(
        "class Meter(float):\n    def __str__(self): return f'{float(self)} m'\n"
        "    def twice(self): return Meter(2 * self)\ndef f(): return Meter(2)",
        "assert str(Meter(2)) == '2.0 m'", "assert Meter(2).twice() == 4", "assert str(f()) == '2.0 m'",
        "assert f() == 2 and f().twice() == 4",
        wrong="class Meter(float):\n    def twice(self): return Meter(self)\ndef f(): return Meter(3)",
    ),
    "a text equal without case": idiom(
        "class Text(str):\n    def __eq__(self, o): return self.lower() == o.lower()\n    __hash__ = str.__hash__",
        "assert Text('A') == 'a'", wrong="class Text(str): pass",
    ),
    "the text of each": idiom(
        "class A:\n    def __str__(s): return 'A'\ndef f(): return [A()]", "assert list(map(str, f())) == ['A']",
        "assert ', '.join(map(str, f())) == 'A'", wrong="class A: pass\ndef f(): return [A()]",
    ),
    "the length of each": idiom(
        "def f(): return ['a', 'bb']", "assert list(map(len, f())) == [1, 2]", wrong="def f(): return ['a']",
    ),
    "callable or not, each": idiom(
        "def f(): return [len, 3]", "assert list(map(callable, f())) == [True, False]",
        wrong="def f(): return [3, 3]",
    ),
    "an attribute of each": idiom(
        "class A:\n    x = 1\ndef f(): return [A()]", "assert all(map(lambda a: hasattr(a, 'x'), f()))",
        wrong="class A: pass\ndef f(): return [A()]",
    ),
    "an attribute that is missing": idiom(
        "class A: pass\ndef f(): return A()", "assert getattr(f(), 'x', None) is None",
        wrong="class A:\n    x = 1\ndef f(): return A()",
    ),
    "reversed by its items": idiom(
        "class A:\n    def __len__(s): return 2\n    def __getitem__(s, i): return 'ab'[i]\ndef f(): return A()",
        "assert list(reversed(f())) == ['b', 'a']", "assert list(f()) == ['a', 'b']",
        wrong=(
            "class A:\n    def __len__(s): return 2\n    def __getitem__(s, i): return 'ac'[i]\n"
            "def f(): return A()"
        ),
    ),
}
