"""Iterators and generators: read whole, step by step, in part, and twice."""

from .shape import idiom

# fmt: off
FOREVER = "def f():\n    n = 0\n    while True:\n        yield n\n        n += 1"
TWOS = "def f():\n    n = 0\n    while True:\n        yield n\n        n += 2"

ITERATORS = {
    "listed": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert list(f(3)) == [0, 1, 2]",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "summed": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert sum(f(4)) == 6",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "sorted": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert sorted(f(3), reverse=True) == [2, 1, 0]",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "a generator is no list": idiom(
        "def f(): return [0, 1]", "assert f() == [0, 1]", wrong="def f():\n    yield 0\n    yield 1",
    ),
    "one step": idiom(
        "def f(n):\n    for i in range(n): yield i", "g = f(2)\nassert next(g) == 0\nassert next(g) == 1",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "one step of a fresh one": idiom(FOREVER, "assert next(f()) == 0", wrong="def f(): yield 1"),
    "a step with a default": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert next(f(0), None) is None",
        "g = f(1)\nnext(g)\nassert next(g, 'end') == 'end'", wrong="def f(n): yield 1; yield 2",
    ),
    "the end": idiom(
        "def f(n):\n    for i in range(n): yield i",
        "g = f(1)\nnext(g)\ntry:\n    next(g)\n    assert False\nexcept StopIteration:\n    pass",
        wrong="def f(n): yield 1; yield 2",
    ),
    "the value at the end": idiom(
        "def f():\n    yield 1\n    return 9",
        "g = f()\nnext(g)\ntry:\n    next(g)\nexcept StopIteration as e:\n    assert e.value == 9\nelse:\n"
        "    assert False",
        wrong="def f(): yield 1",
    ),
    "steps of an iter": idiom(
        "def f(n):\n    for i in range(n): yield i",
        "it = iter(f(3))\nassert next(it) == 0\nassert list(it) == [1, 2]",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "the rest after a step": idiom(
        "def f(n):\n    for i in range(n): yield i", "g = f(4)\nnext(g)\nassert list(g) == [1, 2, 3]",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "read twice": idiom(
        "def f(n):\n    for i in range(n): yield i", "g = f(2)\nassert list(g) == [0, 1]\nassert list(g) == []",
        wrong="def f(n): return [0, 1]",
    ),
    "a loop left early": idiom(
        "def f(n):\n    for i in range(n): yield i",
        "g = f(9)\nfor x in g:\n    if x == 2:\n        break\nassert next(g) == 3",
        wrong="def f(n):\n    for i in range(n): yield 1\n    yield 1",
    ),
    "a slice of it, and another": idiom(
        FOREVER,
        "from itertools import islice\ng = f()\nassert list(islice(g, 3)) == [0, 1, 2]\n"
        "assert list(islice(g, 2)) == [3, 4]",
        wrong=TWOS,
    ),
    "a slice of an endless one": idiom(
        FOREVER, "import itertools\nassert list(itertools.islice(f(), 5)) == [0, 1, 2, 3, 4]", wrong=TWOS,
    ),
    "taken while": idiom(
        FOREVER, "from itertools import takewhile\nassert list(takewhile(lambda x: x < 3, f())) == [0, 1, 2]",
        wrong=TWOS,
    ),
    "zipped": idiom(FOREVER, "assert list(zip(f(), 'ab')) == [(0, 'a'), (1, 'b')]", wrong=TWOS),
    "zipped with itself": idiom(
        "def f(n):\n    for i in range(n): yield i", "g = f(4)\nassert list(zip(g, g)) == [(0, 1), (2, 3)]",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "enumerated": idiom(
        "def f(n):\n    for i in range(n): yield i", "for n, x in enumerate(f(3)):\n    assert n == x",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "unpacked": idiom(
        "def f(n):\n    for i in range(n): yield i", "a, b, c = f(3)\nassert (a, b, c) == (0, 1, 2)",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "unpacked into arguments": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert max(*f(3)) == 2",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "spread": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert [*f(2), 5] == [0, 1, 5]",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "member": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert 2 in f(3)", "assert 5 not in f(3)",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "member, then the rest": idiom(
        "def f(n):\n    for i in range(n): yield i", "g = f(4)\nassert 1 in g\nassert list(g) == [2, 3]",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "any and all": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert any(x == 2 for x in f(3))",
        "assert all(x < 3 for x in f(3))", wrong="def f(n): yield 9",
    ),
    "any stops early": idiom(FOREVER, "assert any(x > 3 for x in f())", wrong="def f(): yield 0"),
    "a comprehension": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert {x: x * x for x in f(3)} == {0: 0, 1: 1, 2: 4}",
        wrong="def f(n):\n    for i in range(n): yield 1",
    ),
    "joined": idiom(
        "def f():\n    yield 'a'\n    yield 'b'", "assert ''.join(f()) == 'ab'", wrong="def f(): yield 'a'",
    ),
    "mapped answer": idiom(
        "def f(xs): return map(str, xs)", "assert list(f([1, 2])) == ['1', '2']",
        wrong="def f(xs): return map(int, xs)",
    ),
    "zip as the answer": idiom(
        "def f(): return zip([1], [2])", "assert list(f()) == [(1, 2)]", "assert dict(f()) == {1: 2}",
        wrong="def f(): return zip([2], [1])",
    ),
    "a filter as the answer": idiom(
        "def f(xs): return filter(None, xs)", "assert list(f([0, 1])) == [1]",
        wrong="def f(xs): return filter(lambda x: True, xs)",
    ),
    "reversed as the answer": idiom(
        "def f(xs): return reversed(xs)", "assert list(f([1, 2])) == [2, 1]", wrong="def f(xs): return iter(xs)",
    ),
    "a class that can be iterated": idiom(
        "class Up:\n    def __init__(self, n): self.n = n\n    def __iter__(self): return iter(range(self.n))",
        "assert list(Up(3)) == [0, 1, 2]", "u = Up(2)\nassert [x for x in u] == [x for x in u] == [0, 1]",
        "assert sum(Up(4)) == 6",
        wrong=(
            "class Up:\n    def __init__(self, n): self.n = n\n"
            "    def __iter__(self): return iter(range(1, self.n))"
        ),
    ),
    "a class that is an iterator": idiom(
        "class Up:\n    def __init__(self, n): self.i, self.n = -1, n\n    def __iter__(self): return self\n"
        "    def __next__(self):\n        self.i += 1\n        if self.i == self.n: raise StopIteration\n"
        "        return self.i",
        "u = Up(2)\nassert next(u) == 0\nassert next(u) == 1", "assert list(Up(3)) == [0, 1, 2]",
        "u = Up(0)\ntry:\n    next(u)\n    assert False\nexcept StopIteration:\n    pass",
        "it = Up(2)\nassert iter(it) is it",
        wrong=(
            "class Up:\n    def __init__(self, n): pass\n    def __iter__(self): return self\n"
            "    def __next__(self): raise StopIteration"
        ),
    ),
    "a class with items and no iterator": idiom(
        "class Old:\n    def __getitem__(self, n):\n        if n > 2: raise IndexError\n        return n * n",
        "assert list(Old()) == [0, 1, 4]", "assert 4 in Old()",
        wrong="class Old:\n    def __getitem__(self, n): raise IndexError",
    ),
    "a class that can be reversed": idiom(
        "class Up:\n    def __reversed__(self): return iter([2, 1])", "assert list(reversed(Up())) == [2, 1]",
        wrong="class Up:\n    def __reversed__(self): return iter([1, 2])",
    ),
    "sent to": idiom(
        "def f():\n    x = yield 0\n    while True: x = yield 2 * x", "g = f()\nnext(g)\nassert g.send(5) == 10",
        "g = f()\nassert g.send(None) == 0", wrong="def f():\n    while True: yield 0",
    ),
    "closed": idiom(
        "def f():\n    yield 1\n    yield 2", "g = f()\nnext(g)\ng.close()\nassert list(g) == []",
        wrong=(
            "class G:\n    def __next__(self): return 1\n    def close(self): pass\n"
            "    def __iter__(self): return iter([2])\ndef f(): return G()"
        ),
    ),
    "thrown into": idiom(
        "def f():\n    try: yield 1\n    except ValueError: yield 'caught'",
        "g = f()\nnext(g)\nassert g.throw(ValueError) == 'caught'", wrong="def f(): yield 1",
    ),
    "passed back": idiom(
        "def f(n):\n    for i in range(n): yield i\ndef take(g): return next(g)",
        "g = f(3)\nnext(g)\nassert take(g) == 1",
        wrong="def f(n):\n    for i in range(n): yield i\ndef take(g): return 0",
    ),
    "passed back after a loop": idiom(
        "def f(n):\n    for i in range(n): yield i\ndef take(g): return next(g)",
        "g = f(9)\nfor x in g:\n    if x == 3:\n        break\nassert take(g) == 4",
        wrong="def f(n):\n    for i in range(n): yield i\ndef take(g): return 0",
    ),
    "what happens while it is read": idiom(
        "log = []\ndef f():\n    for i in range(3):\n        log.append(i)\n        yield i",
        "for x in f():\n    assert len(log) == x + 1", "g = f()\nnext(g)\nnext(g)\nassert log[-1] == 1",
        wrong="log = []\ndef f():\n    log.extend([0, 1, 2])\n    yield from range(3)",
    ),
    "its kind": idiom(
        "def f(n):\n    for i in range(n): yield i",
        "import collections.abc\nassert isinstance(f(2), collections.abc.Iterator)",
        wrong="def f(n): return range(n)",
    ),
    "its kind by import": idiom(
        "def f(n):\n    for i in range(n): yield i",
        "from collections.abc import Generator\nassert isinstance(f(2), Generator)",
        wrong="def f(n): return iter(range(n))",
    ),
    "has steps": idiom(
        "def f(n):\n    for i in range(n): yield i", "assert hasattr(f(2), '__next__')",
        wrong="def f(n): return range(n)",
    ),
    "many items": idiom(
        "def f(n):\n    for i in range(n): yield i % 7",
        "assert sum(f(60_000)) == sum(i % 7 for i in range(60_000))", "assert len(list(f(60_000))) == 60_000",
        "assert [x for x in f(30_000)][-1] == 29_999 % 7", wrong="def f(n): yield 1",
    ),
    "lists that grow": idiom(
        "def f():\n    acc = []\n    for i in range(3):\n        acc = acc + [i]\n        yield acc",
        "assert list(f()) == [[0], [0, 1], [0, 1, 2]]",
        wrong="def f():\n    acc = []\n    for i in range(3):\n        acc.append(i)\n        yield acc",
    ),
    "lists that grow, gathered": idiom(
        "def f():\n    acc = []\n    for i in range(3):\n        acc = acc + [i]\n        yield acc",
        "assert [x for x in f()] == [[0], [0, 1], [0, 1, 2]]",
        wrong="def f():\n    acc = []\n    for i in range(3):\n        acc.append(i)\n        yield acc",
    ),
    "one list that grows, copied": idiom(
        "def f():\n    acc = []\n    for i in range(3):\n        acc.append(i)\n        yield acc",
        "assert [list(x) for x in f()] == [[0], [0, 1], [0, 1, 2]]",
        "assert [x[:] for x in f()] == [[0], [0, 1], [0, 1, 2]]", wrong="def f(): yield [0]",
    ),
    "zipped with another": idiom(
        "def f():\n    yield 1\n    yield 2", "assert [a + b for a, b in zip(f(), f())] == [2, 4]",
        "assert dict(zip('ab', f())) == {'a': 1, 'b': 2}", wrong="def f(): yield 1",
    ),
    "summed under a condition": idiom(
        "def f(n): return (i for i in range(n))", "assert sum(x for x in f(4) if x % 2) == 4",
        "assert max(f(4)) == 3", "assert sorted(f(3), key=lambda x: -x) == [2, 1, 0]",
        wrong="def f(n): return (1 for i in range(n))",
    ),
    "gathered in a set": idiom(
        "def f(n): return (i % 2 for i in range(n))", "assert {x for x in f(4)} == {0, 1}",
        "assert {x: 1 for x in f(4)} == {0: 1, 1: 1}", wrong="def f(n): return (0 for i in range(n))",
    ),
    "generators of generators": idiom(
        "def f():\n    for i in range(2):\n        yield (j for j in range(i + 1))",
        "assert [list(g) for g in f()] == [[0], [0, 1]]", "assert [x for g in f() for x in g] == [0, 0, 1]",
        wrong="def f():\n    yield iter([])",
    ),
    "dicts": idiom(
        "def f():\n    yield {'a': 1}\n    yield {'a': 2}", "assert [d['a'] for d in f()] == [1, 2]",
        "assert list(f())[1]['a'] == 2", wrong="def f(): yield {'a': 1}",
    ),
    "a step, then a loop": idiom(
        "def f():\n    yield 'h'\n    yield 1\n    yield 2",
        "g = f()\nhead = next(g)\ntotal = 0\nfor x in g:\n    total += x\nassert (head, total) == ('h', 3)",
        wrong="def f():\n    yield 'h'\n    yield 1",
    ),
    "two side by side": idiom(
        "def f():\n    n = 0\n    while True:\n        yield n\n        n += 1",
        "a, b = f(), f()\nnext(a)\nassert next(a) == 1 and next(b) == 0",
        wrong="import itertools\nc = itertools.count()\ndef f(): return c",
    ),
}
