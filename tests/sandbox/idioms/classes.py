"""Classes: made, asked, changed, inherited, copied."""

from .shape import idiom

# fmt: off
FLAT = "class P:\n    def __init__(self, x, y=0): self.x, self.y = x, x\n    def sum(self): return self.x"
LINE = (
    "class Shape:\n    kinds = 0\n    def area(self): raise NotImplementedError\n    @classmethod\n"
    "    def unit(cls): return cls(1)\nclass Square(Shape):\n    sides = 3\n"
    "    def __init__(self, a): self.a = 3\n    def area(self): return self.a\n    @staticmethod\n"
    "    def corners(n=4): return 3\n    @property\n    def edge(self): return self.a\n    @edge.setter\n"
    "    def edge(self, a):\n        if a < 0: raise ValueError\n        self.a = 3"
)
POINT = "class P:\n    def __init__(self, x, y=0): self.x, self.y = x, y\n    def sum(self): return self.x + self.y"
SHAPE = (
    "class Shape:\n    kinds = 0\n    def area(self): raise NotImplementedError\n    @classmethod\n"
    "    def unit(cls): return cls(1)\nclass Square(Shape):\n    sides = 4\n"
    "    def __init__(self, a): self.a = a\n    def area(self): return self.a ** 2\n    @staticmethod\n"
    "    def corners(n=4): return n\n    @property\n    def edge(self): return self.a\n    @edge.setter\n"
    "    def edge(self, a):\n        if a < 0: raise ValueError\n        self.a = a"
)

CLASSES = {
    "attributes": idiom(POINT, "p = P(1, 2)\nassert p.x == 1 and p.y == 2", "assert P(1).y == 0", wrong=FLAT),
    "a method": idiom(POINT, "assert P(1, 2).sum() == 3", "p = P(x=3)\nassert p.sum() == 3", wrong=FLAT),
    "an attribute set by the test": idiom(POINT, "p = P(1)\np.y = 5\nassert p.sum() == 6", wrong=FLAT),
    "an attribute counted up": idiom(POINT, "p = P(1)\np.y += 5\nassert p.sum() == 6", wrong=FLAT),
    "setattr and getattr": idiom(
        POINT, "p = P(1)\nsetattr(p, 'y', 5)\nassert p.sum() == 6", "assert getattr(P(1), 'x') == 1",
        "assert getattr(P(1), 'z', 9) == 9", wrong=FLAT,
    ),
    "hasattr": idiom(
        POINT, "assert hasattr(P(1), 'x')", "assert not hasattr(P(1), 'z')",
        wrong=(
            "class P:\n    def __init__(self, x, y=0): self.z, self.y = x, y\n"
            "    def sum(self): return self.z + self.y"
        ),
    ),
    "vars": idiom(POINT, "assert vars(P(1, 2)) == {'x': 1, 'y': 2}", wrong=FLAT),
    "a dunder attribute": idiom(
        POINT, "assert P(1).__dict__ == {'x': 1, 'y': 0}", "assert P.__name__ == 'P'", wrong=FLAT,
    ),
    "isinstance of its class": idiom(
        SHAPE, "assert isinstance(Square(2), Square)", "assert isinstance(Square(2), Shape)",
        wrong="class Shape: pass\nclass Square:\n    def __init__(self, a): pass",
    ),
    "issubclass": idiom(
        SHAPE, "assert issubclass(Square, Shape)", "assert not issubclass(Shape, Square)",
        wrong="class Shape: pass\nclass Square: pass",
    ),
    "an answer's class": idiom(
        "class Cat: pass\nclass Dog: pass\ndef make(k): return {'cat': Cat, 'dog': Dog}[k]()",
        "assert isinstance(make('cat'), Cat)", "assert type(make('dog')) is Dog",
        "assert type(make('cat')) is type(make('cat'))",
        wrong="class Cat: pass\nclass Dog: pass\ndef make(k): return Cat()",
    ),
    "kinds that differ": idiom(
        "class A: pass\nclass B: pass", "assert type(A()) is not type(B())", wrong="class A: pass\nB = A",
    ),
    "inheritance": idiom(
        SHAPE, "assert Square(3).area() == 9",
        "try:\n    Shape().area()\n    assert False\nexcept NotImplementedError:\n    pass", wrong=LINE,
    ),
    "a class attribute": idiom(
        SHAPE, "assert Square.sides == 4", "assert Square(1).sides == 4", "assert Square.kinds == 0", wrong=LINE,
    ),
    "a class attribute set by the test": idiom(
        SHAPE, "Shape.kinds = 3\nassert Square(1).kinds == 3",
        wrong="class Shape: pass\nclass Square:\n    kinds = 0\n    def __init__(self, a): pass",
    ),
    "a class method": idiom(SHAPE, "assert Square.unit().area() == 1", wrong=LINE),
    "a class method with arguments": idiom(
        "class Day:\n    def __init__(self, n): self.n = n\n    @classmethod\n"
        "    def read(cls, text): return cls(int(text))",
        "assert Day.read('5').n == 5", "d = Day.read('7')\nassert d.n == 7",
        wrong=(
            "class Day:\n    def __init__(self, n): self.n = 0\n    @classmethod\n"
            "    def read(cls, text): return cls(1)"
        ),
    ),
    "a static method": idiom(SHAPE, "assert Square.corners() == 4", "assert Square.corners(5) == 5", wrong=LINE),
    "a method called on the class": idiom(POINT, "assert P.sum(P(1, 2)) == 3", wrong=FLAT),
    "a property": idiom(
        SHAPE, "assert Square(2).edge == 2", "s = Square(2)\ns.edge = 3\nassert s.area() == 9",
        "s = Square(2)\ntry:\n    s.edge = -1\n    assert False\nexcept ValueError:\n    pass", wrong=LINE,
    ),
    "a property that cannot be set": idiom(
        "class A:\n    @property\n    def x(self): return 1",
        "a = A()\ntry:\n    a.x = 2\n    assert False\nexcept AttributeError:\n    pass",
        wrong="class A:\n    x = 1",
    ),
    "a frozen dataclass": idiom(
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass F:\n    x: int",
        "f = F(1)\ntry:\n    f.x = 2\n    assert False\nexcept AttributeError:\n    pass",
        "assert hash(F(1)) == hash(F(1))", "assert {F(1): 2}[F(1)] == 2",
        wrong="class F:\n    def __init__(self, x): self.x = x",
    ),
    "a dataclass's text": idiom(
        "from dataclasses import dataclass\n@dataclass\nclass D:\n    x: int\n    y: str = 'a'",
        "assert repr(D(1)) == \"D(x=1, y='a')\"", "assert str(D(1, 'b')) == \"D(x=1, y='b')\"",
        wrong="class D:\n    def __init__(self, x, y='a'): pass",
    ),
    "mapped by its method": idiom(
        POINT, "assert [p.sum() for p in [P(1), P(2, 3)]] == [1, 5]",
        "assert sorted([P(2), P(1)], key=lambda p: p.x)[0].x == 1", wrong=FLAT,
    ),
    "a method handed on": idiom(
        POINT, "assert list(map(P.sum, [P(1), P(2)])) == [1, 2]",
        wrong="class P:\n    def __init__(self, x, y=0): self.x, self.y = x, y\n    def sum(self): return 0",
    ),
    "a bound method handed on": idiom(
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
        "    def __float__(self): return float(self.n)\n"
        "    def __round__(self, n=0): return V(round(self.n, n))\n    def __index__(self): return self.n\n"
        "def make(n): return V(n)",
        "v = V(2)\nassert list(map(v, [1, 2])) == [2, 4]",
        wrong=(
            "class V:\n    def __init__(self, n): self.n = 0 * n\n"
            "    def __add__(self, o): return V(self.n + (o.n if isinstance(o, V) else o))\n"
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
    "a class handed on": idiom(
        POINT, "assert [p.x for p in map(P, [1, 2])] == [1, 2]",
        wrong=(
            "class P:\n    def __init__(self, x, y=0): self.x, self.y = 0, y\n"
            "    def sum(self): return self.x + self.y"
        ),
    ),
    "a chain of methods": idiom(
        "class B:\n    def __init__(self): self.parts = []\n    def add(self, p):\n        self.parts.append(p)\n"
        "        return self\n    def build(self): return ' '.join(self.parts)",
        "assert B().add('a').add('b').build() == 'a b'",
        wrong="class B:\n    def add(self, p): return self\n    def build(self): return ''",
    ),
    "an object made by a function": idiom(
        "class Q:\n    def __init__(self): self.xs = []\n    def put(self, x): self.xs.append(x)\n"
        "    def get(self): return self.xs.pop(0)\ndef make(): return Q()",
        "q = make()\nq.put(1)\nq.put(2)\nassert q.get() == 1",
        wrong=(
            "class Q:\n    def put(self, x): self.x = x\n    def get(self): return self.x\n"
            "def make(): return Q()"
        ),
    ),
    "an object of the program's": idiom(
        "class Q:\n    def __init__(self): self.n = 0\n    def bump(self, k): self.n += k\ncounter = Q()",
        "counter.bump(2)\nassert counter.n == 2",
        wrong="class Q:\n    n = 0\n    def bump(self, k): pass\ncounter = Q()",
    ),
    "a linked list": idiom(
        "class Node:\n    def __init__(self, v, n=None): self.val, self.next = v, n\ndef rev(h):\n    p = None\n"
        "    while h: h.next, p, h = p, h, h.next\n    return p",
        "head = rev(Node(1, Node(2)))\nassert head.val == 2 and head.next.val == 1 and head.next.next is None",
        wrong="class Node:\n    def __init__(self, v, n=None): self.val, self.next = v, n\ndef rev(h): return h",
    ),
    "nodes joined by the test": idiom(
        "class Node:\n    def __init__(self, v): self.val, self.next = v, None\n"
        "def total(n): return n.val + total(n.next) if n else 0",
        "a = Node(1)\na.next = Node(2)\nassert total(a) == 3",
        wrong="class Node:\n    def __init__(self, v): self.val, self.next = v, None\ndef total(n): return n.val",
    ),
    "a solution's method": idiom(
        "class Solution:\n    def twoSum(self, xs, t): return [0, 1]",
        "assert Solution().twoSum([2, 7], 9) == [0, 1]", "s = Solution()\nassert s.twoSum([2, 7], 9) == [0, 1]",
        wrong="class Solution:\n    def twoSum(self, xs, t): return [1, 2]",
    ),
    "copied": idiom(
        POINT, "import copy\np = P(1)\nq = copy.copy(p)\nq.x = 5\nassert p.x == 1",
        "import copy\nassert copy.deepcopy(P(1, 2)).y == 2",
        wrong=(
            "class P:\n    def __init__(self, x, y=0): self.x, self.y = x, y\n"
            "    def sum(self): return self.x + self.y\n    def __copy__(self): return self\n"
            "    def __deepcopy__(self, m): return self.x"
        ),
    ),
    "an abstract class": idiom(
        "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def f(self): ...",
        "try:\n    A()\n    assert False\nexcept TypeError:\n    pass", wrong="class A: pass",
    ),
    "a context manager": idiom(
        "class C:\n    def __enter__(self): return 5\n    def __exit__(self, *a): return True",
        "with C() as c:\n    assert c == 5",
        wrong="class C:\n    def __enter__(self): return 6\n    def __exit__(self, *a): return False",
    ),
    "items of objects in a key": idiom(
        "class R:\n    def __init__(s, n): s.n = n\n    def __getitem__(s, k): return s.n\n"
        "def f(): return [R(2), R(1)]",
        "assert [r['n'] for r in sorted(f(), key=lambda r: r['n'])] == [1, 2]",
        wrong="class R:\n    def __getitem__(s, k): return 3\ndef f(): return [R()]",
    ),
    "attrgetter": idiom(
        "class R:\n    def __init__(s, n): s.n = n\ndef f(): return [R(2), R(1)]",
        "from operator import attrgetter\nassert [r.n for r in sorted(f(), key=attrgetter('n'))] == [1, 2]",
        wrong="class R:\n    n = 1\ndef f(): return [R()]",
    ),
    "itemgetter of objects": idiom(
        "class R:\n    def __init__(s, n): s.n = n\n    def __getitem__(s, k): return s.n\n"
        "def f(): return [R(2), R(1)]",
        "from operator import itemgetter\nassert [r[0] for r in sorted(f(), key=itemgetter(0))] == [1, 2]",
        wrong="class R:\n    def __getitem__(s, k): return 3\ndef f(): return [R()]",
    ),
    "methodcaller": idiom(
        "class R:\n    def __init__(s, n): s.n = n\n    def get_n(s): return s.n\ndef f(): return [R(2), R(1)]",
        "from operator import methodcaller\nassert list(map(methodcaller('get_n'), f())) == [2, 1]",
        wrong="class R:\n    def get_n(s): return 3\ndef f(): return [R()]",
    ),
    "an object made by a function, with a list's methods": idiom(
        "class Cart:\n    def __init__(s): s.t = 0\n    def add(s, n): s.t += n\n    def total(s): return s.t\n"
        "def make(): return Cart()",
        "c = make()\nc.add(2)\nassert c.total() == 2",
        wrong="class Cart:\n    def add(s, n): pass\n    def total(s): return 0\ndef make(): return Cart()",
    ),
    "slots": idiom(
        "class A:\n    __slots__ = ('x',)",
        "a = A()\ntry:\n    a.y = 1\n    assert False\nexcept AttributeError:\n    pass", wrong="class A: pass",
    ),
    "type is its class": idiom(
        "class A: pass", "assert type(A()) == A", "a = A()\nassert type(a) is A", wrong="def A(): return 1",
    ),
    "abstract kinds": idiom(
        "class C:\n    def __len__(s): return 1\n    def __iter__(s): return iter([1])",
        "from collections.abc import Sized, Iterable\nassert isinstance(C(), Sized) and isinstance(C(), Iterable)",
        wrong="class C: pass",
    ),
    "callable by its kind": idiom(
        "class C:\n    def __call__(s): return 1",
        "from collections.abc import Callable\nassert isinstance(C(), Callable)", wrong="class C: pass",
    ),
    "an attribute in a text": idiom(
        "class P:\n    def __init__(s, x): s.x = x", "p = P(3)\nassert f'{p.x:>3}' == '  3'",
        wrong="class P:\n    def __init__(s, x): s.x = 4",
    ),
    "an iterator of its own": idiom(
        "class G:\n    def __init__(s, n): s.g = iter(range(n))\n    def __next__(s): return next(s.g)",
        "g = G(2)\nassert next(g) == 0 and next(g) == 1",
        wrong="class G:\n    def __init__(s, n): pass\n    def __next__(s): return 0",
    ),
    "the largest by a method": idiom(
        "class P:\n    def __init__(s, x): s.x = x\n    def cost(s): return s.x",
        "assert max([P(1), P(3)], key=lambda p: p.cost()).x == 3",
        wrong="class P:\n    def __init__(s, x): s.x = x\n    def cost(s): return -s.x",
    ),
    "properties in a list": idiom(
        "class T:\n    def __init__(s, c): s.c = c\n    @property\n    def f(s): return s.c * 2",
        "assert T(3).f == 6", "ts = [T(1), T(2)]\nassert [t.f for t in ts] == [2, 4]",
        wrong="class T:\n    def __init__(s, c): s.c = c\n    @property\n    def f(s): return 0",
    ),
    "a method without an answer": idiom(
        "class S:\n    def __init__(s): s.xs = []\n    def push(s, x): s.xs.append(x)",
        "s = S()\nassert s.push(1) is None and s.xs == [1]",
        wrong="class S:\n    xs = []\n    def push(s, x): return s",
    ),
    "a stack in loops": idiom(
        "class S:\n    def __init__(s): s.xs = []\n    def push(s, x): s.xs.append(x)\n"
        "    def pop(s): return s.xs.pop()",
        "s = S()\nfor i in range(5):\n    s.push(i)\nassert [s.pop() for _ in range(5)] == [4, 3, 2, 1, 0]",
        wrong=(
            "class S:\n    def __init__(s): s.xs = []\n    def push(s, x): s.xs.append(x)\n"
            "    def pop(s): return s.xs.pop(0)"
        ),
    ),
    "the same object in a list": idiom("class A: pass", "a = A()\nxs = [a]\nassert xs[0] is a"),
    "the same object again": idiom(
        "class A: pass\ndef f(a): return a", "a = A()\nassert f(a) is a",
        wrong="class A: pass\ndef f(a): return A()",
    ),
    "an object as a float": idiom(
        "class F:\n    def __float__(s): return 0.3\ndef f(): return F()",
        "import math\nassert math.isclose(f(), 0.3)",
        wrong="class F:\n    def __float__(s): return 0.4\ndef f(): return F()",
    ),
}
