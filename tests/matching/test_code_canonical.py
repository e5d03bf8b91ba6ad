"""What a canonical tree drops, what it must keep, and that equal trees are programs with equal results."""

import subprocess
import sys
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from setwise.matching.code.trees import tree_key
from tests.matching.made_up_programs import REFLECTIONS, nearly, program, results, with_noise


def canonical(text: str) -> str | None:
    return tree_key(text, "ast_canonical")


PLAIN = "def f(x):\n y = x\n return y"


@pytest.mark.parametrize(
    "noisy",
    [
        "def f(x):\n pass\n y = x\n return y",
        "def f(x):\n 'one'\n 'two'\n y = x\n 3\n ...\n return y",
        "'module'\n'again'\n1\ndef f(x):\n y = x\n return y",
        "import math, os.path\nfrom collections import deque\ndef f(x):\n import re\n y = x\n return y",
        "def f(x):\n a = 0\n b = c = (1, -2, 'three')\n d: int = []\n y = x\n return y",
        "def f(x):\n y = x\n return y\n print(y)\n while True:\n  y += 1",
        "def f(x):\n y = x\n return y\n raise ValueError",
        "def f(x):\n if False:\n  x = 5\n y = x\n if 0:\n  return 1\n while '':\n  x()\n return y",
        "def f(x):\n if True:\n  y = x\n else:\n  y = 2\n return y",
        "def f(x):\n if 0:\n  y = 3\n elif 1:\n  y = x\n return y",
        "def f(x):\n assert True\n assert 1, x.nothing\n y = x\n return y",
        "def f(x):\n try:\n  y = x\n finally:\n  pass\n return y",
        "def f(x):\n y = x\n return y\nif __name__ == '__main__':\n import doctest\n doctest.testmod()",
        "def f(x):\n y = x\n return y\nif '__main__' == __name__:\n print(f(input()))",
        "from typing import List\ndef f(x: List[int]) -> 'List[int]':\n y: List[int] = x\n return y",
        "def f(x: list[int] | None) -> dict[str, int]:\n y: Unknown = x\n return y",
    ],
)
def test_what_changes_no_result_makes_no_new_program(noisy: str):
    assert tree_key(noisy) != tree_key(PLAIN)
    assert canonical(noisy) == canonical(PLAIN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x): return len(x) + 0", "def f(x): return len(x)"),
        ("def f(x): return 1 * (0 + int(x)) - 0", "def f(x): return int(x)"),
        ("def f(x):\n for i in range(x):\n  yield i * 1", "def f(x):\n for i in range(x):\n  yield i"),
        ("def f(x): return [i // 1 for i, y in enumerate(x)]", "def f(x): return [i for i, y in enumerate(x)]"),
        (
            "def f(x):\n n = 0\n for y in x:\n  n += 1 + 0\n return (n + 0) % 7 * 1",
            "def f(x):\n n = 0\n for y in x:\n  n += 1\n return n % 7",
        ),
        (
            "def f(x):\n if x:\n  return 1\n else:\n  return 2\n return 3",
            "def f(x):\n if x:\n  return 1\n else:\n  return 2",
        ),
        ("def f(x):\n for y in x:\n  break\n  print(y)", "def f(x):\n for y in x:\n  break"),
        ("def f(x):\n if x:\n  pass\n else:\n  pass", "def f(x):\n if x: 'nothing'"),
        ("class A:\n x: int\n y: str = 'a'", "class A:\n y = 'a'"),
    ],
)
def test_these_are_one_program_each(one: str, other: str):
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("def f(x): return x + 0", "def f(x): return x", "a string cannot be added to 0, and True + 0 is 1"),
        ("def f(x): return x * 1", "def f(x): return x", "a list is copied"),
        ("def f(x): return (len(x) > 1) + 0", "def f(x): return len(x) > 1", "a truth value becomes a number"),
        ("def f(x): return len(x) / 2 + 0", "def f(x): return len(x) / 2", "a float may be -0.0"),
        ("def f(x):\n n = 0\n n = x\n return n + 0", "def f(x):\n n = 0\n n = x\n return n", "any value"),
        (
            "def len(x): return ''\ndef f(x): return len(x) + 0",
            "def len(x): return ''\ndef f(x): return len(x)",
            "own len",
        ),
        ("def f(x): return range(x) + 0", "def f(x): return range(x)", "a range is no number"),
        ("def f(x):\n return x\n yield", "def f(x):\n return x", "a generator"),
        ("def f(x):\n if 0:\n  yield x\n return x", "def f(x):\n return x", "a generator"),
        ("def f(x):\n return\n yield", "def f(x):\n return\n 'generator'", "a generator"),
        ("g = 1\ndef f(x):\n return g\n g = 2", "g = 1\ndef f(x):\n return g", "g is local and unbound"),
        ("g = 1\ndef f(x):\n g: int\n return g", "g = 1\ndef f(x):\n return g", "g is local and unbound"),
        ("g = 1\ndef f(x):\n if 0:\n  import g\n return g", "g = 1\ndef f(x):\n return g", "the same"),
        ("g = 1\ndef f(x):\n if 0:\n  global g\n g = x", "g = 1\ndef f(x):\n g = x", "g is the module's"),
        (
            "def f(x):\n g = 1\n def h():\n  if 0:\n   nonlocal g\n  g = 2\n h()\n return g",
            "def f(x):\n g = 1\n def h():\n  g = 2\n h()\n return g",
            "g is that of f",
        ),
        ("import nosuch\nx = 1", "x = 1", "the import fails"),
        ("import antigravity\nx = 1", "x = 1", "the import opens a browser"),
        ("from math import nosuch\nx = 1", "x = 1", "the import fails"),
        ("import math\nclass A:\n import math", "import math\nclass A: pass", "an attribute"),
        ("x = 1\nimport math as x", "x = 1", "a variable of the module is replaced"),
        ("x = 1\ny = 2", "x = 1", "a test may read it"),
        ("class A:\n x = 1", "class A: pass", "a test may read it"),
        ("def f(x):\n y = x.z\n return 1", "def f(x):\n return 1", "it may fail"),
        ("def f(x):\n y = {[]: 1}\n return 1", "def f(x):\n return 1", "it fails"),
        ("def f(x):\n y = -''\n return 1", "def f(x):\n return 1", "it fails"),
        ("def f(x):\n y = 0\n del y", "def f(x):\n del y", "y is bound"),
        ("def f(x):\n y = 0\n y += x", "def f(x):\n y += x", "y is bound"),
        ("def f(x):\n y = 0\n return lambda: y", "def f(x):\n return lambda: y", "read inside"),
        ("def f(x):\n global y\n y = 0", "def f(x):\n global y", "y is the module's"),
        ("def f(x):\n y = 0\n return locals()", "def f(x):\n return locals()", "it sees its names"),
        ("def f(x): return eval('x')", "def f(y): return eval('x')", "it sees its names"),
        ("def f(x): 'a'\nf.__doc__", "def f(x): 'b'\nf.__doc__", "it reads its docstring"),
        ("def f(x): pass\ng = f.__name__", "def h(x): pass\ng = h.__name__", "it reads its name"),
        ("def f(x, k): return getattr(f, k)", "def g(x, k): return getattr(g, k)", "it may read its name"),
        ("def f(x):\n return x\n break", "def f(x):\n return x", "it does not compile"),
        ("def f(x: List): return x", "def f(x): return x", "List is not defined"),
        ("def f(x: int[str]): return x", "def f(x): return x", "int takes no arguments"),
        ("def f(x: A): return x\nclass A: pass", "def f(x): return x\nclass A: pass", "A comes later"),
        (
            "from dataclasses import dataclass\nclass A:\n x: int\nA = dataclass(A)",
            "from dataclasses import dataclass\nclass A: pass\nA = dataclass(A)",
            "fields that are read",
        ),
        ("@data\nclass A:\n x: int", "@data\nclass A:\n y: int", "a field by another name"),
        (
            "from f import dispatch\n@dispatch.singledispatch\ndef g(x: int): 1",
            "from f import dispatch\n@dispatch.singledispatch\ndef g(x): 1",
            "an annotation that is read",
        ),
        ("def f(xs, key): xs.sort(key=key)", "def f(xs, reverse): xs.sort(reverse=reverse)", "whose keyword it is"),
        (
            "def g(b): return b\ndef f(x): return g(**x)",
            "def g(c): return c\ndef f(x): return g(**x)",
            "keywords as data",
        ),
        (
            "def g(b): return b\ndef f(**k): return g(b=k)",
            "def g(c): return c\ndef f(**k): return g(b=k)",
            "no such parameter",
        ),
        ("x = 1\nclass A:\n x = x", "y = 1\nclass A:\n x = x", "the class reads the module's x"),
        ("x = sum([1])\ndef sum(y): return 2", "x = add([1])\ndef add(y): return 2", "the built-in is read first"),
        ("e = 2\nfrom math import *\nx = e", "d = 2\nfrom math import *\nx = d", "the import replaces e"),
        (
            "def h(): return 1\nclass A:\n def g(self): return h()",
            "def __h(): return 1\nclass A:\n def g(self): return __h()",
            "the name is mangled",
        ),
        ("def f(x):\n if __name__ == 'program': return 1", "def f(x): pass", "no main guard"),
        ("__name__ = '__main__'\nif __name__ == '__main__':\n x = 1", "__name__ = '__main__'", "the guard holds"),
    ],
)
def test_what_may_matter_stays(one: str, other: str, why: str):
    assert canonical(one) != canonical(other), why


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_noise_makes_no_new_program(random: Random):
    plain = program(random)
    assume(_compiles(plain) and not any(each in plain for each in REFLECTIONS))
    noisy = with_noise(plain, random)
    assert canonical(noisy) == canonical(plain), noisy
    assert results(noisy) == results(plain)


@settings(max_examples=200, deadline=None)
@given(st.randoms(use_true_random=False))
def test_canonically_equal_programs_have_equal_results(random: Random):
    one = program(random)
    other = nearly(with_noise(one, random), random)
    if canonical(one) == canonical(other):
        assert results(one) == results(other), (one, other)


def _compiles(text: str) -> bool:
    try:
        compile(text, "<program>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


HOSTILE = {
    "a finally in a finally": """
        "".join(" " * d + "try:\\n" + " " * d + " x\\n" + " " * d + "finally:\\n" for d in range(19))
        + " " * 19 + "x" + ";x" * 20000""",
    "many ways out of a finally": """
        "def f():\\n while x:\\n  try:\\n" + "   if x: break\\n" * 900 + "  finally:\\n" + "   x()\\n" * 5000""",
    "names that wait for one another": """
        "def f(p):\\n" + "".join(f" a{i} = a{i + 1} + 0\\n" for i in range(1500)) + " a1500 = p\\n return a0\"""",
    "constants behind a finally": """
        "def f():\\n"
        + "".join(f" if p:\\n  try: return\\n  finally: a{i} = 0\\n  a{i + 1}\\n" for i in range(800))""",
    "nested comprehensions": '"x = " + "[" * 60 + "y" + " for y in z]" * 60',
    "many functions": '"def f(a):\\n b = 0\\n return a\\n" * 1800',
    "a long annotation": '"def f(a: " + "int | " * 8000 + "str): pass"',
    "many keywords": '"def f(a): pass\\n" + "f(a=1)\\n" * 7000',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_program_takes_more_than_a_few_seconds_of_cpu_time(text: str):
    """Work that grows with the square of these would take minutes; an unbounded compiler would take all memory."""
    script = (
        "from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit\n"
        "setrlimit(RLIMIT_CPU, (40, 40))\nsetrlimit(RLIMIT_AS, (2 << 30, 2 << 30))\n"
        f"from setwise.matching.code.trees import tree_key\ntext = ({text})\nassert len(text) <= 50_000, len(text)\n"
        "tree_key(text, 'ast_canonical')\nprint('done')\n"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert finished.stdout == "done\n", finished.stderr[-500:]
