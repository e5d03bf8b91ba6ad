"""Exceptions: which one, its message, its parts, and what it is a kind of."""

from .shape import idiom

# fmt: off
POSITIVE = "def f(x):\n    if x < 0: raise ValueError('negative: %d' % x)\n    return x"

EXCEPTIONS = {
    "expected": idiom(
        POSITIVE, "try:\n    f(-1)\nexcept ValueError:\n    pass\nelse:\n    assert False",
        wrong="def f(x): return x",
    ),
    "expected of another kind": idiom(
        "def f(): raise KeyError('k')", "try:\n    f()\n    assert False\nexcept KeyError:\n    pass",
        wrong="def f(): raise ValueError",
    ),
    "a flag": idiom(
        POSITIVE, "raised = False\ntry:\n    f(-1)\nexcept ValueError:\n    raised = True\nassert raised",
        wrong="def f(x): return x",
    ),
    "of several": idiom(
        POSITIVE, "try:\n    f(-1)\nexcept (TypeError, ValueError):\n    pass\nelse:\n    assert False",
        wrong="def f(x): return x",
    ),
    "of any kind": idiom(
        POSITIVE, "try:\n    f(-1)\nexcept Exception:\n    pass\nelse:\n    assert False",
        wrong="def f(x): return x",
    ),
    "a wider kind": idiom(
        "def f(): return [][1]", "try:\n    f()\nexcept LookupError:\n    pass\nelse:\n    assert False",
        wrong="def f(): return 1",
    ),
    "its message": idiom(
        POSITIVE,
        "try:\n    f(-1)\nexcept ValueError as e:\n    assert str(e) == 'negative: -1'\nelse:\n    assert False",
        wrong="def f(x): raise ValueError('no')",
    ),
    "a part of its message": idiom(
        POSITIVE,
        "try:\n    f(-1)\nexcept ValueError as e:\n    assert 'negative' in str(e)\nelse:\n    assert False",
        wrong="def f(x): raise ValueError('no')",
    ),
    "a long message": idiom(
        "def f(): raise ValueError('x' * 1000)",
        "try:\n    f()\nexcept ValueError as e:\n    assert len(str(e)) == 1000\nelse:\n    assert False",
        wrong="def f(): raise ValueError('x' * 300)",
    ),
    "its arguments": idiom(
        "def f(): raise ValueError('a', 2)",
        "try:\n    f()\nexcept ValueError as e:\n    assert e.args == ('a', 2)\nelse:\n    assert False",
        wrong="def f(): raise ValueError('a')",
    ),
    "arguments of a KeyError": idiom(
        "def f(): return {}['k']",
        "try:\n    f()\nexcept KeyError as e:\n    assert e.args == ('k',)\nelse:\n    assert False",
        "try:\n    f()\nexcept KeyError as e:\n    assert e.args[0] == 'k'\nelse:\n    assert False",
        wrong="def f(): raise KeyError('z')",
    ),
    "message of a KeyError": idiom(
        "def f(): return {}['k']",
        "try:\n    f()\nexcept KeyError as e:\n    assert str(e) == \"'k'\"\nelse:\n    assert False",
        wrong="def f(): raise KeyError('z')",
    ),
    "a number as argument": idiom(
        "def f(): raise KeyError(3)",
        "try:\n    f()\nexcept KeyError as e:\n    assert e.args[0] == 3\nelse:\n    assert False",
        wrong="def f(): raise KeyError('3')",
    ),
    "its representation": idiom(
        "def f(): raise ValueError('no')",
        "try:\n    f()\nexcept ValueError as e:\n    assert repr(e) == \"ValueError('no')\"\nelse:\n"
        "    assert False",
        wrong="def f(): raise ValueError('yes')",
    ),
    "its type": idiom(
        "def f(): raise ValueError",
        "try:\n    f()\nexcept Exception as e:\n    assert type(e) is ValueError\nelse:\n    assert False",
        wrong="class Bad(ValueError): pass\ndef f(): raise Bad",
    ),
    "its kind": idiom(
        "def f(): raise KeyError",
        "try:\n    f()\nexcept Exception as e:\n    assert isinstance(e, LookupError)\nelse:\n    assert False",
        wrong="def f(): raise ValueError",
    ),
    "JSONDecodeError as ValueError": idiom(
        "import json\ndef f(t): return json.loads(t)",
        "try:\n    f('{')\nexcept ValueError:\n    pass\nelse:\n    assert False", wrong="def f(t): return {}",
    ),
    "JSONDecodeError by its name": idiom(
        "import json\ndef f(t): return json.loads(t)",
        "try:\n    f('{')\nexcept json.JSONDecodeError:\n    pass\nelse:\n    assert False",
        "try:\n    f('{')\nexcept json.JSONDecodeError as e:\n    assert e.pos == 1\nelse:\n    assert False",
        wrong="import json\ndef f(t): return {}",
    ),
    "UnicodeDecodeError as ValueError": idiom(
        "def f(b): return b.decode('ascii')",
        "try:\n    f(b'\\xff')\nexcept ValueError:\n    pass\nelse:\n    assert False",
        "try:\n    f(b'\\xff')\nexcept UnicodeDecodeError:\n    pass\nelse:\n    assert False",
        "try:\n    f(b'a\\xff')\nexcept UnicodeError as e:\n    assert e.start == 1\nelse:\n    assert False",
        wrong="def f(b): return ''",
    ),
    "UnicodeEncodeError": idiom(
        "def f(t): return t.encode('ascii')",
        "try:\n    f('é')\nexcept UnicodeEncodeError:\n    pass\nelse:\n    assert False",
        wrong="def f(t): return b''",
    ),
    "InvalidOperation as ArithmeticError": idiom(
        "from decimal import Decimal\ndef f(t): return Decimal(t)",
        "try:\n    f('x')\nexcept ArithmeticError:\n    pass\nelse:\n    assert False",
        "import decimal\ntry:\n    f('x')\nexcept decimal.InvalidOperation:\n    pass\nelse:\n    assert False",
        wrong="def f(t): return 0",
    ),
    "division by zero": idiom(
        "def f(x): return 1 / x", "try:\n    f(0)\nexcept ZeroDivisionError:\n    pass\nelse:\n    assert False",
        "try:\n    f(0)\nexcept ArithmeticError as e:\n    assert str(e) == 'division by zero'\nelse:\n"
        "    assert False",
        wrong="def f(x): return 0",
    ),
    "error of statistics": idiom(
        "import statistics\ndef f(xs): return statistics.mean(xs)",
        "import statistics\ntry:\n    f([])\nexcept statistics.StatisticsError:\n    pass\nelse:\n"
        "    assert False",
        "try:\n    f([])\nexcept ValueError:\n    pass\nelse:\n    assert False", wrong="def f(xs): return 0",
    ),
    "error of re": idiom(
        "import re\ndef f(p): return re.compile(p)",
        "import re\ntry:\n    f('(')\nexcept re.error:\n    pass\nelse:\n    assert False",
        wrong="def f(p): return p",
    ),
    "OSError with its number": idiom(
        "def f(): raise FileNotFoundError(2, 'gone', 'x.txt')",
        "try:\n    f()\nexcept OSError as e:\n    assert e.errno == 2 and e.filename == 'x.txt'\nelse:\n"
        "    assert False",
        wrong="def f(): raise OSError(5, 'io')",
    ),
    "StopIteration": idiom(
        "def f(): raise StopIteration(3)",
        "try:\n    f()\nexcept StopIteration:\n    pass\nelse:\n    assert False",
        "try:\n    f()\nexcept StopIteration as e:\n    assert e.value == 3\nelse:\n    assert False",
        wrong="def f(): return 3",
    ),
    "SystemExit": idiom(
        "import sys\ndef f(): sys.exit(2)",
        "try:\n    f()\nexcept SystemExit as e:\n    assert e.code == 2\nelse:\n    assert False",
        wrong="def f(): pass",
    ),
    "KeyboardInterrupt": idiom(
        "def f(): raise KeyboardInterrupt",
        "try:\n    f()\nexcept KeyboardInterrupt:\n    pass\nelse:\n    assert False", wrong="def f(): pass",
    ),
    "AssertionError": idiom(
        "def f(x):\n    assert x > 0, 'small'\n    return x",
        "try:\n    f(0)\nexcept AssertionError as e:\n    assert str(e) == 'small'\nelse:\n    raise SystemExit",
        wrong="def f(x): return x",
    ),
    "RecursionError": idiom(
        "def f(n): return f(n + 1)", "try:\n    f(0)\nexcept RecursionError:\n    pass\nelse:\n    assert False",
        wrong="def f(n): return n",
    ),
    "NotImplementedError": idiom(
        "class A:\n    def run(self): raise NotImplementedError",
        "try:\n    A().run()\nexcept NotImplementedError:\n    pass\nelse:\n    assert False",
        wrong="class A:\n    def run(self): pass",
    ),
    "TypeError of a call": idiom(
        "def f(a): return a", "try:\n    f()\nexcept TypeError:\n    pass\nelse:\n    assert False",
        wrong="def f(a=1): return a",
    ),
    "AttributeError": idiom(
        "class A: pass", "try:\n    A().x\nexcept AttributeError:\n    pass\nelse:\n    assert False",
        wrong="class A:\n    x = 1",
    ),
    "an exception as the answer": idiom(
        "def f(): return ValueError('no')", "assert isinstance(f(), ValueError)", "assert str(f()) == 'no'",
        "assert f().args == ('no',)", wrong="def f(): return KeyError('no')",
    ),
    "a group": idiom(
        "def f(): raise ExceptionGroup('g', [ValueError('a'), KeyError('b')])",
        "try:\n    f()\nexcept ExceptionGroup as e:\n    assert len(e.exceptions) == 2\nelse:\n    assert False",
        "try:\n    f()\nexcept Exception as e:\n    assert e.message == 'g'\nelse:\n    assert False",
        wrong="def f(): raise ValueError",
    ),
    "a group taken apart": idiom(
        "def f(): raise ExceptionGroup('g', [ValueError('a')])", "try:\n    f()\nexcept* ValueError:\n    pass",
        wrong="def f(): raise KeyError",
    ),
    "a cause": idiom(
        "def f():\n    try: int('x')\n    except ValueError as e: raise KeyError('k') from e",
        "try:\n    f()\nexcept KeyError as e:\n    assert isinstance(e.__cause__, ValueError)\nelse:\n"
        "    assert False",
        wrong="def f(): raise KeyError('k')",
    ),
    "cleaned up": idiom(
        "def f(x): return 1 / x",
        "done = []\ntry:\n    f(0)\nexcept ZeroDivisionError:\n    done.append(1)\nfinally:\n    done.append(2)\n"
        "assert done == [1, 2]",
        wrong="def f(x): return 0",
    ),
    "raised in a loop": idiom(
        POSITIVE,
        "for x in (-1, -2):\n    try:\n        f(x)\n    except ValueError:\n        continue\n    assert False",
        wrong="def f(x): return x",
    ),
    "raised again": idiom(
        POSITIVE,
        "try:\n    try:\n        f(-1)\n    except ValueError as e:\n        raise TypeError from e\n"
        "except TypeError:\n    pass\nelse:\n    assert False",
        wrong="def f(x): return x",
    ),
    "not raised": idiom(
        POSITIVE, "try:\n    got = f(1)\nexcept ValueError:\n    got = None\nassert got == 1",
        wrong="def f(x): raise ValueError",
    ),
    "raised by a method": idiom(
        "class Account:\n    def __init__(self): self.n = 0\n    def take(self, n):\n"
        "        if n > self.n: raise ValueError('poor')",
        "a = Account()\ntry:\n    a.take(5)\nexcept ValueError:\n    pass\nelse:\n    assert False",
        wrong="class Account:\n    def take(self, n): pass",
    ),
    "raised by a constructor": idiom(
        "class A:\n    def __init__(self, n):\n        if n < 0: raise ValueError",
        "try:\n    A(-1)\nexcept ValueError:\n    pass\nelse:\n    assert False",
        wrong="class A:\n    def __init__(self, n): pass",
    ),
    "raised while it is read": idiom(
        "def f():\n    yield 1\n    raise ValueError",
        "try:\n    list(f())\nexcept ValueError:\n    pass\nelse:\n    assert False", wrong="def f(): yield 1",
    ),
    "a bare except": idiom(
        "def f(): raise ValueError", "ok = False\ntry:\n    f()\nexcept:\n    ok = True\nassert ok",
        wrong="def f(): pass",
    ),
    "anything at all": idiom(
        "import sys\ndef f(): sys.exit()",
        "ok = False\ntry:\n    f()\nexcept BaseException:\n    ok = True\nassert ok", wrong="def f(): pass",
    ),
    "kept for later": idiom(
        "def f(): raise ValueError('a')",
        "try:\n    f()\nexcept ValueError as e:\n    err = e\nassert str(err) == 'a' and err.args == ('a',)",
        wrong="def f(): raise ValueError('b')",
    ),
    "its message kept": idiom(
        "def f(): raise ValueError('a')",
        "msg = None\ntry:\n    f()\nexcept ValueError as e:\n    msg = str(e)\nassert msg == 'a'",
        wrong="def f(): raise ValueError('b')",
    ),
}
