"""Calls: arguments of every kind, and the answer function handed on."""

from .shape import idiom

# fmt: off
CALLS = {
    "positional": idiom("def add(a, b): return a + b", "assert add(2, 3) == 5", wrong="def add(a, b): return a - b"),
    "keywords": idiom(
        "def add(a, b): return a + b", "assert add(b=2, a=3) == 5", wrong="def add(a, b): return a - b",
    ),
    "unpacked list": idiom(
        "def add(a, b): return a + b", "assert add(*[2, 3]) == 5", wrong="def add(a, b): return a - b",
    ),
    "unpacked dict": idiom(
        "def add(a, b): return a + b", "assert add(**{'a': 2, 'b': 3}) == 5", wrong="def add(a, b): return a - b",
    ),
    "unpacked answer": idiom(
        "def pair(): return 2, 3\ndef add(a, b): return a + b", "assert add(*pair()) == 5",
        wrong="def pair(): return 2, 3\ndef add(a, b): return a - b",
    ),
    "nested calls": idiom("def f(x): return 2 * x", "assert f(f(3)) == 12", wrong="def f(x): return 3 * x"),
    "default argument": idiom("def f(x, n=2): return x * n", "assert f(3) == 6", wrong="def f(x, n=3): return x * n"),
    "variable arguments": idiom(
        "def f(*a, **k): return len(a), sorted(k)", "assert f(1, 2, z=3) == (2, ['z'])",
        wrong="def f(*a, **k): return len(k), sorted(k)",
    ),
    "mapped": idiom(
        "def f(x): return 2 * x", "assert list(map(f, [1, 2, 3])) == [2, 4, 6]", wrong="def f(x): return 3 * x",
    ),
    "mapped over two": idiom(
        "def add(a, b): return a + b", "assert list(map(add, [1, 2], [3, 4])) == [4, 6]",
        wrong="def add(a, b): return a - b",
    ),
    "mapped and joined": idiom(
        "def last(word): return word[-1]", "assert ''.join(map(last, ['ab', 'cd'])) == 'bd'",
        wrong="def last(word): return word[0]",
    ),
    "mapped in all": idiom(
        "def even(n): return n % 2 == 0", "assert all(map(even, [2, 4]))", "assert not any(map(even, [1, 3]))",
        wrong="def even(n): return n % 2 == 1",
    ),
    "mapped over an answer": idiom(
        "def f(x): return 2 * x\ndef g(): return [1, 2]", "assert list(map(f, g())) == [2, 4]",
        wrong="def f(x): return 3 * x\ndef g(): return [1, 2]",
    ),
    "mapped into a variable": idiom(
        "def f(x): return 2 * x", "found = list(map(f, range(3)))\nassert found == [0, 2, 4]",
        wrong="def f(x): return 3 * x",
    ),
    "filtered": idiom(
        "def even(n): return n % 2 == 0", "assert list(filter(even, range(5))) == [0, 2, 4]",
        wrong="def even(n): return n % 2 == 1",
    ),
    "filtered and counted": idiom(
        "def even(n): return n % 2 == 0", "assert len(list(filter(even, [1, 2, 3]))) == 1",
        wrong="def even(n): return n % 2 == 1",
    ),
    "reduced": idiom(
        "def add(a, b): return a + b", "from functools import reduce\nassert reduce(add, [1, 2, 3]) == 6",
        "import functools\nassert functools.reduce(add, [1, 2], 10) == 13", wrong="def add(a, b): return a - b",
    ),
    "key of sorted": idiom(
        "def last(word): return word[-1]", "assert sorted(['az', 'ca', 'bm'], key=last) == ['ca', 'bm', 'az']",
        wrong="def last(word): return word[0]",
    ),
    "key of a sorted answer": idiom(
        "def last(word): return word[-1]\ndef words(): return ['az', 'ca']",
        "assert sorted(words(), key=last) == ['ca', 'az']",
        wrong="def last(word): return word[0]\ndef words(): return ['az', 'ca']",
    ),
    "key of max and min": idiom(
        "def last(word): return word[-1]", "assert max(['az', 'ca'], key=last) == 'az'",
        "assert min('az', 'ca', key=last) == 'ca'", wrong="def last(word): return word[0]",
    ),
    "key of list.sort": idiom(
        "def last(word): return word[-1]",
        "words = ['az', 'ca']\nwords.sort(key=last)\nassert words == ['ca', 'az']",
        wrong="def last(word): return word[0]",
    ),
    "key of cmp_to_key": idiom(
        "def order(a, b): return a - b",
        "from functools import cmp_to_key\nassert sorted([3, 1, 2], key=cmp_to_key(order)) == [1, 2, 3]",
        wrong="def order(a, b): return b - a",
    ),
    "partial": idiom(
        "def add(a, b): return a + b", "from functools import partial\nassert partial(add, 2)(3) == 5",
        "from functools import partial\nadd2 = partial(add, 2)\nassert add2(b=3) == 5",
        wrong="def add(a, b): return a - b",
    ),
    "starmap": idiom(
        "def add(a, b): return a + b",
        "import itertools\nassert list(itertools.starmap(add, [(1, 2), (3, 4)])) == [3, 7]",
        wrong="def add(a, b): return a - b",
    ),
    "accumulate": idiom(
        "def add(a, b): return a + b",
        "from itertools import accumulate\nassert list(accumulate([1, 2, 3], add)) == [1, 3, 6]",
        wrong="def add(a, b): return a - b",
    ),
    "takewhile": idiom(
        "def even(n): return n % 2 == 0",
        "from itertools import takewhile\nassert list(takewhile(even, [2, 4, 5, 6])) == [2, 4]",
        wrong="def even(n): return n % 2 == 1",
    ),
    "groupby": idiom(
        "def even(n): return n % 2 == 0",
        "from itertools import groupby\nassert [k for k, _ in groupby([2, 4, 5], key=even)] == [True, False]",
        wrong="def even(n): return n % 2 == 1",
    ),
    "callable": idiom("def f(): pass", "assert callable(f)", wrong="f = 3"),
    "callable answer": idiom("def f(): return lambda: 1", "assert callable(f())", wrong="def f(): return 1"),
    "another name for it": idiom("def f(x): return 2 * x", "g = f\nassert g(2) == 4", wrong="def f(x): return 3 * x"),
    "in a list of functions": idiom(
        "def f(x): return 2 * x\ndef g(x): return x + x", "for h in (f, g):\n    assert h(3) == 6",
        wrong="def f(x): return 3 * x\ng = f",
    ),
    "in a dict of functions": idiom(
        "def f(x): return 2 * x", "table = {'f': f}\nassert table['f'](2) == 4", wrong="def f(x): return 3 * x",
    ),
    "in a table of cases": idiom(
        "def f(x): return 2 * x\ndef g(x): return x + 1",
        "for h, given, wanted in [(f, 2, 4), (g, 2, 3)]:\n    assert h(given) == wanted",
        wrong="def f(x): return 3 * x\ng = f",
    ),
    "given to the test's own lambda": idiom(
        "def f(x): return 2 * x", "twice = lambda h, x: h(h(x))\nassert twice(f, 3) == 12",
        wrong="def f(x): return 3 * x",
    ),
    "called in a lambda": idiom(
        "def f(x): return 2 * x", "g = lambda x: f(x) + 1\nassert g(2) == 5", wrong="def f(x): return 3 * x",
    ),
    "a lambda as argument": idiom(
        "def apply(h, x): return h(x)", "assert apply(lambda x: x + 1, 2) == 3", wrong="def apply(h, x): return x",
    ),
    "a built-in as argument": idiom(
        "def apply(h, x): return h(x)", "assert apply(abs, -2) == 2", "assert apply(len, 'abc') == 3",
        wrong="def apply(h, x): return x",
    ),
    "a method of a built-in as argument": idiom(
        "def apply(h, x): return h(x)", "assert apply(str.upper, 'a') == 'A'", wrong="def apply(h, x): return x",
    ),
    "a function of operator as argument": idiom(
        "def apply(h, a, b): return h(a, b)", "import operator\nassert apply(operator.mul, 3, 4) == 12",
        wrong="def apply(h, a, b): return a",
    ),
    "itself as argument": idiom(
        "def apply(h, x): return h(x)\ndef f(x): return 2 * x", "assert apply(f, 3) == 6",
        wrong="def apply(h, x): return x\ndef f(x): pass",
    ),
    "a generator as argument": idiom(
        "def total(xs): return sum(xs)", "assert total(x * x for x in [1, 2]) == 5",
        wrong="def total(xs): return 0",
    ),
    "an iterator as argument": idiom(
        "def total(xs): return sum(xs)", "assert total(iter([1, 2])) == 3",
        "assert total(map(int, ['1', '2'])) == 3", wrong="def total(xs): return 0",
    ),
    "a generator over a variable as argument": idiom(
        "def total(xs): return sum(xs)", "n = 3\nassert total(x * n for x in [1, 2]) == 9",
        wrong="def total(xs): return 0",
    ),
    "a range as argument": idiom(
        "def total(xs): return sum(xs)", "assert total(range(4)) == 6", wrong="def total(xs): return 0",
    ),
    "an exception class as argument": idiom(
        "def name(k): return k.__name__", "assert name(ValueError) == 'ValueError'",
        wrong="def name(k): return ''",
    ),
    "too many arguments": idiom(
        "def f(x): return 2 * x", "try:\n    f(1, 2)\n    assert False\nexcept TypeError:\n    pass",
        wrong="def f(*x): return x[0] * 2",
    ),
    "a setup's helper": idiom(
        "def f(x): return 2 * x", "assert close(f(0.1), 0.2)", wrong="def f(x): return 3 * x",
        setup="def close(a, b): return abs(a - b) < 1e-9",
    ),
    "zipped cases": idiom(
        "def f(x): return 2 * x", "for x, wanted in zip([1, 2], [2, 4]):\n    assert f(x) == wanted",
        wrong="def f(x): return 3 * x",
    ),
    "cases in a dict": idiom(
        "def f(x): return 2 * x",
        "cases = {1: 2, 2: 4}\nfor x, wanted in cases.items():\n    assert f(x) == wanted, x",
        wrong="def f(x): return 3 * x",
    ),
    "chained answers": idiom(
        "def f(x): return [x, x + 1]",
        "from itertools import chain\nassert list(chain(f(1), f(3))) == [1, 2, 3, 4]",
        "import itertools\nassert list(itertools.chain.from_iterable([f(1)])) == [1, 2]",
        wrong="def f(x): return [x]",
    ),
    "wrapped in a cache": idiom(
        "def f(x): return 2 * x", "from functools import lru_cache\ng = lru_cache(f)\nassert g(2) == 4",
        wrong="def f(x): return 3 * x",
    ),
    "a closure mapped": idiom(
        "def adder(n): return lambda x: x + n", "assert list(map(adder(1), [1, 2])) == [2, 3]",
        wrong="def adder(n): return lambda x: x",
    ),
    "a closure mapped onto the same": idiom(
        "def clamp(a, b): return lambda x: min(max(a, x), b)", "assert list(map(clamp(0, 9), [1, 2])) == [1, 2]",
        wrong="def clamp(a, b): return lambda x: 0",
    ),
    "a closure given to the test's own lambda": idiom(
        "def adder(n): return lambda x: x + n", "twice = lambda h, x: h(h(x))\nassert twice(adder(2), 1) == 5",
        wrong="def adder(n): return lambda x: x",
    ),
    "key of the expected value": idiom(
        "def f(): return ['a', 'bb']\ndef size(x): return len(x)", "assert f() == sorted(['bb', 'a'], key=size)",
        wrong="def f(): return ['bb', 'a']\ndef size(x): return len(x)",
    ),
    "raised in a map": idiom(
        "def f(x): return 1 // x",
        "try:\n    list(map(f, [1, 0]))\n    assert False\nexcept ZeroDivisionError:\n    pass",
        wrong="def f(x): return 1",
    ),
    "mapped to the end": idiom(
        "def f(x):\n    return x", "assert list(map(f, [1, 2])) == [1, 2]", wrong="def f(x): raise StopIteration",
    ),
    "called until it gives a value": idiom(
        "n = 0\ndef f():\n    global n\n    n += 1\n    return n", "assert list(iter(f, 4)) == [1, 2, 3]",
        wrong="def f(): return 4",
    ),
    "expected in a variable": idiom(
        "def f(x): return 2 * x", "expected = [2, 4]\nassert [f(x) for x in (1, 2)] == expected",
        wrong="def f(x): return 3 * x",
    ),
    "zipped strictly": idiom(
        "def f(x): return 2 * x", "for x, y in zip([1, 2], [2, 4], strict=True):\n    assert f(x) == y, (x, y)",
        wrong="def f(x): return 3 * x",
    ),
    "keywords only": idiom(
        "def f(*, a): return a", "assert f(a=1) == 1",
        "try:\n    f(1)\n    assert False\nexcept TypeError:\n    pass", wrong="def f(a): return a",
    ),
    "annotated variable": idiom(
        "def f(x): return 2 * x", "x: int = f(2)\nassert x == 4", wrong="def f(x): return 3 * x",
    ),
    "two variables at once": idiom(
        "def f(x): return 2 * x", "x = y = f(2)\nassert x == y == 4", wrong="def f(x): return 3 * x",
    ),
    "a matrix as argument": idiom(
        "def f(m): return [list(r) for r in zip(*m)]", "m = [[1, 2], [3, 4]]\nassert f(m) == [[1, 3], [2, 4]]",
        wrong="def f(m): return m",
    ),
    "a text used twice": idiom(
        "def f(s): return s.upper()", "s = 'abc'\nassert f(s) == s.upper()", wrong="def f(s): return s",
    ),
    "a text reversed": idiom(
        "def f(s): return s[::-1]", "assert f('abc') == ''.join(reversed('abc'))", wrong="def f(s): return s",
    ),
    "a named tuple of the test's as argument": idiom(
        "def f(p): return p.x",
        "from collections import namedtuple\nP = namedtuple('P', 'x')\nassert f(P(3)) == 3",
        wrong="def f(p): return p[0] + 1",
    ),
    "a default dict as argument": idiom(
        "def f(d): return d['z']", "from collections import defaultdict\nassert f(defaultdict(int)) == 0",
        wrong="def f(d): return d.get('z')",
    ),
    "a counter as argument": idiom(
        "def f(c): return c['a']", "from collections import Counter\nassert f(Counter('aab')) == 2",
        wrong="def f(c): return c['b']",
    ),
    "a generator unpacked": idiom(
        "def f(*a): return sum(a)", "assert f(*(x for x in [1, 2])) == 3", "assert f(*map(int, '12')) == 3",
        "assert f(*[1], *(2,)) == 3", wrong="def f(*a): return 0",
    ),
    "a dict unpacked beside a keyword": idiom(
        "def f(**k): return sorted(k)", "d = {'a': 1}\nassert f(**d, b=2) == ['a', 'b']",
        wrong="def f(**k): return []",
    ),
    "a partial as argument": idiom(
        "def apply(h, x): return h(x)\ndef add(a, b): return a + b",
        "from functools import partial\nassert apply(partial(add, 1), 2) == 3",
        wrong="def apply(h, x): return 0\ndef add(a, b): return a + b",
    ),
    "an itemgetter as argument": idiom(
        "def sort_by(xs, k): return sorted(xs, key=k)",
        "from operator import itemgetter\nassert sort_by([(1, 2), (2, 1)], itemgetter(1)) == [(2, 1), (1, 2)]",
        wrong="def sort_by(xs, k): return xs",
    ),
    "a pattern as argument": idiom(
        "def f(p, s): return bool(p.match(s))", "import re\nassert f(re.compile('a+'), 'aa')",
        wrong="def f(p, s): return False",
    ),
    "a set as argument": idiom(
        "def f(s): return len(s)", "assert f({1, 2, 2}) == 2", "assert f(frozenset([1])) == 1",
        wrong="def f(s): return 0",
    ),
    "bytes as argument": idiom(
        "def f(b): return b[::-1]", "assert f(b'ab') == b'ba'", "assert f(bytearray(b'ab')) == bytearray(b'ba')",
        wrong="def f(b): return b",
    ),
}
