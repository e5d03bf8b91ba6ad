"""Exceptions of the program's own classes."""

from .shape import idiom

# fmt: off
OWN_EXCEPTIONS = {
    "the program's own": idiom(
        "class Bad(Exception): pass\ndef f(): raise Bad('no')",
        "try:\n    f()\nexcept Bad:\n    pass\nelse:\n    assert False",
        wrong="class Bad(Exception): pass\ndef f(): raise ValueError",
    ),
    "the program's own, caught as what it is a kind of": idiom(
        "class Bad(ValueError): pass\ndef f(): raise Bad('no')",
        "try:\n    f()\nexcept ValueError:\n    pass\nelse:\n    assert False",
        "try:\n    f()\nexcept ValueError as e:\n    assert str(e) == 'no'\nelse:\n    assert False",
        wrong="class Bad(KeyError): pass\ndef f(): raise Bad('no')",
    ),
    "the program's own, twice removed": idiom(
        "class A(LookupError): pass\nclass B(A): pass\ndef f(): raise B",
        "try:\n    f()\nexcept A:\n    pass\nelse:\n    assert False",
        "try:\n    f()\nexcept LookupError:\n    pass\nelse:\n    assert False",
        wrong="class A(LookupError): pass\nclass B(ValueError): pass\ndef f(): raise B",
    ),
    "the program's own of two kinds": idiom(
        "class Bad(KeyError, ValueError): pass\ndef f(): raise Bad",
        "try:\n    f()\nexcept ValueError:\n    pass\nelse:\n    assert False",
        "try:\n    f()\nexcept KeyError:\n    pass\nelse:\n    assert False",
        wrong="class Bad(KeyError): pass\ndef f(): raise Bad",
    ),
    "the program's own attributes": idiom(
        "class Bad(ValueError):\n    def __init__(self, m, code): super().__init__(m); self.code = code\n"
        "def f(x): raise Bad('no', 7)",
        "try:\n    f(1)\nexcept Bad as e:\n    assert e.code == 7\nelse:\n    assert False",
        "try:\n    f(1)\nexcept ValueError as e:\n    assert e.code == 7\nelse:\n    assert False",
        wrong=(
            "class Bad(ValueError):\n    def __init__(self, m, code): super().__init__(m); self.code = code\n"
            "def f(x): raise Bad('no', 8)"
        ),
    ),
    "the program's own text": idiom(
        "class Bad(Exception):\n    def __str__(self): return 'very bad'\ndef f(): raise Bad(1)",
        "try:\n    f()\nexcept Exception as e:\n    assert str(e) == 'very bad'\nelse:\n    assert False",
        "try:\n    f()\nexcept Bad as e:\n    assert f'{e}' == 'very bad'\nelse:\n    assert False",
        wrong="class Bad(Exception): pass\ndef f(): raise Bad(1)",
    ),
    "the program's own among several": idiom(
        "class A(Exception): pass\nclass B(Exception): pass\ndef f(): raise B",
        "try:\n    f()\nexcept (A, B):\n    pass\nelse:\n    assert False",
        "try:\n    f()\nexcept A:\n    assert False\nexcept B:\n    pass",
        wrong="class A(Exception): pass\nclass B(Exception): pass\ndef f(): raise TypeError",
    ),
    "a subclass of the program's own": idiom(
        "class Bad(ValueError): pass", "assert issubclass(Bad, ValueError)",
        "assert isinstance(Bad(), ValueError)", wrong="class Bad(KeyError): pass",
    ),
    "a kind of the program's own kinds": idiom(
        "class A(Exception): pass\nclass B(A): pass\ndef f(): raise B('x')",
        "try:\n    f()\nexcept A as e:\n    assert isinstance(e, B) and not isinstance(e, ValueError)\nelse:\n"
        "    assert False",
        wrong="class A(Exception): pass\nclass B(A): pass\ndef f(): raise A('x')",
    ),
    "kinds side by side": idiom(
        "class A(Exception): pass\nclass B(Exception): pass\nclass C(A, B): pass\n"
        "def f(k): raise {'a': A, 'b': B, 'c': C}[k]",
        "try:\n    f('c')\nexcept B:\n    pass",
        "try:\n    f('a')\nexcept B:\n    assert False\nexcept A:\n    pass",
        wrong=(
            "class A(Exception): pass\nclass B(A): pass\nclass C(A): pass\n"
            "def f(k): raise {'a': A, 'b': B, 'c': C}[k]"
        ),
    ),
    "the program's own, raised by the test": idiom(
        "class Bad(ValueError): pass\ndef f(): pass",
        "try:\n    raise Bad('x')\nexcept ValueError:\n    assert f() is None",
        wrong="class Bad(KeyError): pass\ndef f(): pass",
    ),
    "with its own constructor": idiom(
        "class E(Exception):\n    def __init__(s, a, b):\n        super().__init__(f'{a}-{b}')\n"
        "        s.a, s.b = a, b\ndef f(): raise E(1, 2)",
        "try:\n    f()\nexcept E as e:\n"
        "    assert (e.a, e.b) == (1, 2) and str(e) == '1-2' and e.args == ('1-2',)\nelse:\n    assert False",
        wrong="class E(Exception): pass\ndef f(): raise E(1, 2)",
    ),
    "with its own method": idiom(
        "class E(Exception):\n    def code(self, n=1): return n + 1\ndef f(): raise E",
        "try:\n    f()\nexcept E as e:\n    assert e.code() == 2 and e.code(5) == 6\nelse:\n    assert False",
        wrong="class E(Exception):\n    def code(self, n=1): return 0\ndef f(): raise E",
    ),
    "gathered in a loop": idiom(
        "def f(x):\n    if x: raise ValueError(x)",
        "caught = []\nfor x in (1, 0, 2):\n    try:\n        f(x)\n    except ValueError as e:\n"
        "        caught.append(e.args[0])\nassert caught == [1, 2]",
        wrong="def f(x): raise ValueError(x)",
    ),
    "with an attribute set": idiom(
        "def f():\n    e = ValueError('x')\n    e.extra = [1]\n    raise e",
        "try:\n    f()\nexcept ValueError as e:\n    assert e.extra == [1]\nelse:\n    assert False",
        wrong="def f(): raise ValueError('x')",
    ),
    "a kind of OSError": idiom(
        "def f(): raise TimeoutError('late')",
        "try:\n    f()\nexcept OSError as e:\n    assert str(e) == 'late'\nelse:\n    assert False",
        wrong="def f(): raise ValueError('late')",
    ),
    "its parts": idiom(
        "def f(): return b'\\xff'.decode()",
        "try:\n    f()\nexcept UnicodeDecodeError as e:\n"
        "    assert e.reason == 'invalid start byte' and e.object == b'\\xff'\nelse:\n    assert False",
        wrong="def f(): return ''",
    ),
    "of the compiler": idiom(
        "def f(s): return compile(s, 'x', 'eval')",
        "try:\n    f('1 +')\nexcept SyntaxError as e:\n    assert e.lineno == 1\nelse:\n    assert False",
        wrong="def f(s): return 1",
    ),
    "of a name": idiom(
        "def f(): return undefined_name",
        "try:\n    f()\nexcept NameError as e:\n    assert 'undefined_name' in str(e)\nelse:\n    assert False",
        wrong="def f(): return 1",
    ),
    "out of a generator": idiom(
        "def f(xs): return sum(1 / x for x in xs)",
        "try:\n    f([1, 0])\nexcept ZeroDivisionError:\n    ok = True\nassert ok", wrong="def f(xs): return 0",
    ),
    "raised from another": idiom(
        "class E(Exception): pass\ndef f():\n    try: 1 / 0\n"
        "    except ZeroDivisionError as e: raise E('x') from e",
        "try:\n    f()\n    assert False\nexcept E as e:\n    assert 'x' in str(e)",
        wrong="class E(Exception): pass\ndef f(): 1 / 0",
    ),
    "returned": idiom(
        "def f(x):\n    try: return int(x)\n    except ValueError as e: return e",
        "assert isinstance(f('a'), ValueError) and f('3') == 3", wrong="def f(x): return None",
    ),
    "its class returned": idiom(
        "def f(): return ValueError", "assert f() is ValueError", "assert issubclass(f(), Exception)",
        wrong="def f(): return KeyError",
    ),
}
