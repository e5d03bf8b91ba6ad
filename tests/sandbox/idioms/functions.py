"""Functions as values, names that program and test share, and statements that are more than an assert."""

from .shape import idiom

# fmt: off
COUNTED = (
    "import functools\ndef counted(h):\n    @functools.wraps(h)\n    def inner(*a):\n        inner.calls += 1\n"
    "        return h(*a)\n    inner.calls = 0\n    return inner\n@counted\ndef f(x):\n    'Doubles.'\n"
    "    return 2 * x"
)
UNCOUNTED = (
    "import functools\ndef counted(h):\n    @functools.wraps(h)\n    def inner(*a):\n        pass\n"
    "        return h(*a)\n    inner.calls = 0\n    return inner\n@counted\ndef f(x):\n    return 3 * x"
)

FUNCTIONS = {
    "a closure": idiom(
        "def adder(n): return lambda x: x + n", "assert adder(2)(3) == 5", "add = adder(2)\nassert add(3) == 5",
        wrong="def adder(n): return lambda x: x - n",
    ),
    "closures in a list": idiom(
        "def f(): return [lambda i=i: i for i in range(3)]", "assert [g() for g in f()] == [0, 1, 2]",
        wrong="def f(): return [lambda: i for i in range(3)]",
    ),
    "a closure that counts": idiom(
        "def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n        return n\n"
        "    return step",
        "c = counter()\nc()\nassert c() == 2", "a, b = counter(), counter()\na()\nassert b() == 1",
        wrong="def counter(): return lambda: 1",
    ),
    "a closure given to map": idiom(
        "def adder(n): return lambda x: x + n", "assert list(map(adder(2), [1, 2])) == [3, 4]",
        wrong="def adder(n): return lambda x: x - n",
    ),
    "a composed function": idiom(
        "def compose(g, h): return lambda x: g(h(x))", "assert compose(lambda x: x + 1, lambda x: x * 2)(3) == 7",
        "inc = lambda x: x + 1\nassert compose(inc, abs)(-3) == 4",
        wrong="def compose(g, h): return lambda x: h(g(x))",
    ),
    "a curried function": idiom(
        "def curry(g): return lambda a: lambda b: g(a, b)", "assert curry(lambda a, b: a - b)(5)(3) == 2",
        wrong="def curry(g): return lambda a: lambda b: g(b, a)",
    ),
    "a decorated function": idiom(COUNTED, "assert f(2) == 4", wrong=UNCOUNTED),
    "an attribute of a function": idiom(COUNTED, "f(1)\nf(2)\nassert f.calls == 2", wrong=UNCOUNTED),
    "a decorator called by the test": idiom(
        "def twice(h): return lambda x: h(h(x))", "g = twice(lambda x: x + 3)\nassert g(1) == 7",
        "assert twice(abs)(-1) == 1", wrong="def twice(h): return h",
    ),
    "a decorator used by the test": idiom(
        "def twice(h): return lambda x: h(h(x))", "@twice\ndef g(x): return x + 3\nassert g(1) == 7",
        wrong="def twice(h): return h",
    ),
    "a decorator with arguments": idiom(
        "def times(n): return lambda h: lambda x: [h(x)] * n", "assert times(2)(abs)(-3) == [3, 3]",
        wrong="def times(n): return lambda h: h",
    ),
    "a function's name": idiom(
        COUNTED, "assert f.__name__ == 'f'", "assert f.__doc__ == 'Doubles.'", wrong=UNCOUNTED,
    ),
    "a cache": idiom(
        "from functools import lru_cache\n@lru_cache\ndef f(x): return 2 * x",
        "f(1)\nf(1)\nassert f.cache_info().hits == 1", "f.cache_clear()\nassert f.cache_info().currsize == 0",
        wrong="from functools import lru_cache\n@lru_cache(0)\ndef f(x): return 2 * x",
    ),
    "a docstring": idiom("def f():\n    'Says.'", "assert f.__doc__", wrong="def f(): pass"),
    "recursion": idiom(
        "def fact(n): return n * fact(n - 1) if n else 1", "assert fact(20) == 2432902008176640000",
        wrong="def fact(n): return n",
    ),
    "a coroutine run by the program's asyncio": idiom(
        "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return 2 * x",
        "assert asyncio.run(f(3)) == 6", wrong="import asyncio\nasync def f(x): return x",
    ),
    "a coroutine run by the test's asyncio": idiom(
        "import asyncio\nasync def f(x): return 2 * x", "import asyncio\nassert asyncio.run(f(3)) == 6",
        wrong="async def f(x): return x",
    ),
    "coroutines gathered": idiom(
        "import asyncio\nasync def f(x): return 2 * x",
        "async def main(): return await asyncio.gather(f(1), f(2))\nassert asyncio.run(main()) == [2, 4]",
        wrong="import asyncio\nasync def f(x): return x",
    ),
    "a module of the program's reads the answer": idiom(
        "import json\ndef f(): return json.dumps({'a': 1})", "assert json.loads(f()) == {'a': 1}",
        wrong="import json\ndef f(): return '{}'",
    ),
    "a module of the program's makes the expected value": idiom(
        "import json\ndef f(): return '{\"a\": 1}'", "assert f() == json.dumps({'a': 1})",
        wrong="import json\ndef f(): return '{}'",
    ),
    "a module's function on given values": idiom(
        "import textwrap\ndef f(): pass", "assert textwrap.dedent('  a') == 'a'", "assert f() is None",
        wrong="import textwrap\ndef f(): return 1",
    ),
    "a context manager by decorator": idiom(
        "from contextlib import contextmanager\n@contextmanager\ndef opened():\n    yield 3",
        "with opened() as x:\n    assert x == 3",
        wrong="from contextlib import contextmanager\n@contextmanager\ndef opened():\n    yield 4",
    ),
    "a function defined by the test": idiom(
        "def f(x): return 2 * x", "def check(x, y):\n    assert f(x) == y\ncheck(1, 2)",
        wrong="def f(x): return x",
    ),
    "a class defined by the test": idiom(
        "def size(x): return len(x)", "class Two:\n    def __len__(self): return 2\nassert size(Two()) == 2",
        wrong="def size(x): return 0",
    ),
    "an object of the setup's own class": idiom(
        "def size(x): return len(x)", "assert size(Two()) == 2", wrong="def size(x): return 0",
        setup="class Two:\n    def __len__(self): return 2",
    ),
    "a while loop": idiom(
        "def f(x): return x - 1", "n = 3\nwhile n:\n    n = f(n)\nassert n == 0",
        wrong="def f(x): return 0 if x < 3 else 0 / 0",
    ),
    "a walrus": idiom("def f(x): return 2 * x", "assert (y := f(2)) == 4 and y > 3", wrong="def f(x): return x"),
    "a match": idiom(
        "def f(): return (1, 'a')",
        "match f():\n    case (1, str()):\n        pass\n    case _:\n        assert False",
        wrong="def f(): return (2, 'a')",
    ),
    "eval": idiom("def f(x): return 2 * x", "assert eval('f(2)') == 4", wrong="def f(x): return x"),
    "globals": idiom(
        "def f(x): return 2 * x", "assert globals()['f'](2) == 4", "assert 'f' in globals()",
        wrong="def f(x): return x",
    ),
    "signature": idiom(
        "import inspect\ndef f(a, b=1): pass", "assert len(inspect.signature(f).parameters) == 2",
        wrong="import inspect\ndef f(a): pass",
    ),
    "identity by number": idiom(
        "kept = []\ndef f(): return kept", "assert id(f()) == id(f())",
        wrong="def f(): return [1]\nkeep = f()\ndef f(n=[0]):\n    n.append([])\n    return n[-1]",
    ),
    "a function's name for its answer": idiom(
        "def total(xs): return sum(xs)\ndef g(): return 1",
        "total = total([1, 2])\nassert total == 3 and g() == 1",
        wrong="def total(xs): return 0\ndef g(): return 1",
    ),
    "a variable of another test": idiom(
        "def f(x): return 2 * x", "x = f(1)\nassert x == 2", "assert x == 2 and f(2) == 4",
        wrong="def f(x): return 3 * x",
    ),
    "an import of another test": idiom(
        "def f(): return 0.1 + 0.2", "from math import isclose\nassert isclose(f(), 0.3)",
        "assert isclose(f(), 0.3)", wrong="def f(): return 1",
    ),
    "a global set by the test": idiom(
        "limit = 5\ndef f(): return limit", "limit = 7\nassert f() == 7", wrong="def f(): return 5",
    ),
    "a path joined as the expected value": idiom(
        "import os\ndef f(): return 'a/b'", "assert f() == os.path.join('a', 'b')",
        wrong="import os\ndef f(): return 'a'",
    ),
    "a path taken apart": idiom(
        "import os\ndef f(): return 'a/b'", "assert os.path.basename(f()) == 'b'",
        "assert os.path.split(f()) == ('a', 'b')", wrong="import os\ndef f(): return 'a/c'",
    ),
    "a path joined to the answer": idiom(
        "import os\ndef f(): return 'a'", "assert os.path.join(f(), 'b') == 'a/b'",
        wrong="import os\ndef f(): return 'c'",
    ),
    "a method of a global object": idiom(
        "class C:\n    def get(self, k): return k * 2\ncache = C()", "assert cache.get('a') == 'aa'",
        wrong="cache = {}",
    ),
    "a method of a global dict": idiom(
        "cache = {'a': 1}\ndef f(): pass", "assert cache.get('a') == 1", "assert cache['a'] == 1",
        wrong="cache = {}",
    ),
    "a seed set by the test": idiom(
        "import random\ndef f(): return random.randint(1, 6)",
        "random.seed(1)\na = f()\nrandom.seed(1)\nassert a == f()",
        wrong="n = 0\nimport random\ndef f():\n    global n\n    n += 1\n    return n",
    ),
    "a coroutine stepped by hand": idiom(
        "async def f(x): return 2 * x",
        "c = f(3)\ntry:\n    c.send(None)\n    assert False\nexcept StopIteration as e:\n    assert e.value == 6",
        wrong="async def f(x): return x",
    ),
}
