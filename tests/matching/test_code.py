"""Programs as answers: extraction, distinctness, and labels from the sandbox."""

import pickle
import subprocess
import sys
from collections.abc import Iterator

import pytest

from setwise.errors import BrokenProblem, InputError, SandboxError
from setwise.matching.code import CodeMatcher
from setwise.matching.code.text import extract_program
from setwise.matching.code.trees import Uniqueness, parse_program, tree_key
from setwise.matching.protocol import BatchMatcher
from setwise.questions import Problem
from setwise.sandbox import Sandbox, Verdict

DOUBLE = Problem(
    "double",
    "Double a number.",
    tests=["assert double(2) == 4", "assert double(3) == 6"],
    reference="def double(x):\n    return x + x",
)


@pytest.fixture(scope="module")
def matcher() -> Iterator[CodeMatcher]:
    with CodeMatcher(workers=1) as made:
        yield made


def test_a_program_is_right_if_it_passes_every_assert(matcher: CodeMatcher):
    right, wrong, half, broken = matcher.match(
        [f"def double(x): return {value}" for value in ("2 * x", "5", "x ** 2", "(")], DOUBLE
    )
    assert [m.correct for m in (right, wrong, half, broken)] == [True, False, False, False]
    assert "1 of 2" in half.evidence
    assert "2 of 2" in matcher.match(["def double(x): return x * 2"], DOUBLE)[0].evidence
    assert broken.evidence == "does not parse"


@pytest.mark.parametrize("answer", ["Castor", "New York"])
def test_a_problem_without_tests_is_refused_whether_or_not_its_answers_parse(matcher: CodeMatcher, answer: str):
    with pytest.raises(InputError, match=r"problem 7: the code matcher needs tests, .* choose exact, fuzzy or math"):
        matcher.match([answer], Problem("7", "Which twin?", ["Castor"]))


def test_fenced_and_bare_programs_are_judged_alike(matcher: CodeMatcher):
    fenced = "Sure!\n```python\ndef double(x):\n    return 2 * x\n```\nThis doubles."
    assert [m.correct for m in matcher.match([fenced, "def double(x):\r\n    return 2 * x"], DOUBLE)] == [True, True]


def test_a_batch_gives_one_result_per_set_in_order(matcher: CodeMatcher):
    triple = Problem("triple", "Triple.", tests=["assert triple(2) == 6"])
    results = matcher.match_batch(
        [(["def double(x): return 2 * x"], DOUBLE), ([], DOUBLE), (["def triple(x): return 3 * x", "x = 1"], triple)]
    )
    labels = [[match.correct for match in result] for result in results if isinstance(result, list)]
    assert labels == [[True], [], [True, False]]
    assert isinstance(matcher, BatchMatcher)


def test_a_slow_reference_gives_others_time(matcher: CodeMatcher):
    spin = (
        "import time\ndef f():\n    end = time.process_time() + {}\n"
        "    while time.process_time() < end: pass\n    return 1"
    )
    tests = ["assert f() == 1"]
    patient = Problem("slow", "?", tests=tests, reference=spin.format(0.6))
    hasty = Problem("quick", "?", tests=tests, reference="def f(): return 1")
    candidate = [spin.format(1.3)]
    assert matcher.match(candidate, patient)[0].correct
    assert "timeout" in matcher.match(candidate, hasty)[0].evidence


def test_a_test_that_cannot_be_judged_is_an_error_and_not_a_wrong_answer(matcher: CodeMatcher):
    unjudgeable = Problem("odd", "?", tests=["while f(): assert f()"])
    with pytest.raises(BrokenProblem, match=r"problem odd: its tests cannot be judged \(unsupported_test: uses While"):
        matcher.match(["def f(): return 1"], unjudgeable)
    sets = [(["def f(): return 1"], unjudgeable), (["def double(x): return 2 * x"], DOUBLE)]
    broken, fine = matcher.match_batch(sets)
    assert isinstance(broken, BrokenProblem)
    assert isinstance(fine, list)


def test_a_match_says_which_tests_were_passed(matcher: CodeMatcher):
    problem = Problem("three", "?", tests=["assert f(1) == 1", "assert f(2) == 0", "assert f(3) == 3"])
    programs = ["def f(x): return x", "def f(x): return x % 2 * x", "x = 1"]
    assert [match.passed for match in matcher.match(programs, problem)] == [0b101, 0b111, 0]


def test_a_broken_sandbox_is_an_error_for_every_set(monkeypatch: pytest.MonkeyPatch):
    def broken(self: Sandbox, jobs: object) -> Iterator[Verdict]:
        raise SandboxError("no sandbox")
        yield

    monkeypatch.setattr(Sandbox, "check", broken)
    results = CodeMatcher().match_batch([(["x = 1"], DOUBLE), (["y = 1"], DOUBLE)])
    assert all(isinstance(result, SandboxError) for result in results)


def test_a_matcher_can_be_pickled_while_its_sandbox_runs(matcher: CodeMatcher):
    matcher.match(["def double(x): return 2 * x"], DOUBLE)
    with pickle.loads(pickle.dumps(matcher)) as copy:
        assert copy.uniqueness == matcher.uniqueness
        assert copy.match(["def double(x): return 2 * x"], DOUBLE)[0].correct


def test_nothing_starts_before_the_first_program():
    matcher = CodeMatcher("ast_canonical")
    assert len(set(matcher.same(["x = 1", "y = 1"], DOUBLE))) == 1
    assert matcher._sandbox is None
    matcher.close()


@pytest.mark.parametrize("uniqueness", ["ast_raw", "ast_canonical"])
@pytest.mark.parametrize("number", ["0x" + "f" * 3600, "0b" + "1" * 15_000, "0o" + "7" * 5000])
def test_a_number_too_long_to_write_in_decimal_is_a_number(number: str, uniqueness: Uniqueness):
    keys = {tree_key(f"x = {value}", uniqueness) for value in (number, number[:-1], f"'{number}'")}
    assert len(keys - {None}) == 3
    assert tree_key(f"x = {number.upper().replace('0X', '0x')}", uniqueness) == tree_key(f"x = {number}", uniqueness)


def test_no_answer_takes_more_than_linear_time_to_find_its_program():
    """Quadratic work on these would take many minutes of CPU time."""
    program = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
from setwise.matching.code.text import extract_program
n = 10**6
for answer in ("~" * n + "`", "```" + "a" * n + "`", "```" + " " * n + "`", "```\\n" + "\\n" * n + "x = 1"):
    extract_program(answer)
print("done")
"""
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert finished.stdout == "done\n", finished.stderr[-500:]


def test_raw_trees_ignore_layout_and_comments_but_not_names():
    assert tree_key("x=1 # one\n\n") == tree_key("x = (1)")
    assert tree_key("x = 1") != tree_key("y = 1")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a, b): return a + b", "def g(x, y): return x + y"),
        ("def f(a): return a", 'def f(a: int) -> int:\n    """Same."""\n    return a'),
        ("import math\ndef f(x): return math.sqrt(x)", "import math as m\ndef f(x): return m.sqrt(x)"),
        ("def f(xs): return [x + 1 for x in xs]", "def f(items): return [i + 1 for i in items]"),
        (
            "def f(x):\n    y = x\n    return y\ndef g(x): return x",
            "def f(a):\n    b = a\n    return b\ndef g(c): return c",
        ),
        ("x: int = 1", "x = 1"),
        ("try: pass\nexcept ValueError as e: print(e)", "try: pass\nexcept ValueError as error: print(error)"),
        (
            "def f(n):\n    def g(m): return n + m\n    return g(1)",
            "def f(a):\n    def h(n): return a + n\n    return h(1)",
        ),
        ("f = lambda x, *y, k=1, **z: (x, y, z, k)", "g = lambda a, *b, c=1, **d: (a, b, d, c)"),
        (
            "total = 0\ndef f():\n    global total\n    total += 1",
            "count = 0\ndef g():\n    global count\n    count += 1",
        ),
        ("def f(x):\n    'doc'", "def f(x): pass"),
        ("def f(x):\n    y: int\n    y = x\n    return y", "def f(x):\n    y = x\n    return y"),
        ("x = 1\ny: int", "x = 1"),
        ("if x:\n    y: int", "if x: pass"),
        ("def f(a):\n    [y := x for x in a]\n    return y", "def f(a):\n    [z := x for x in a]\n    return z"),
        (
            "def f(a):\n    [[y := x for x in b] for b in a]\n    return y",
            "def f(a):\n    [[z := x for x in b] for b in a]\n    return z",
        ),
        (
            "def f(x):\n    match x:\n        case {**r}: return r",
            "def f(x):\n    match x:\n        case {**q}: return q",
        ),
        (
            "def f():\n    global g\n    g = 1\ndef k(): return g",
            "def f():\n    global h\n    h = 1\ndef k(): return h",
        ),
        (
            "def f():\n    g = 1\n    def k():\n        global g\n        g = 2",
            "def f():\n    g = 1\n    def k():\n        global h\n        h = 2",
        ),
        ("def f(a, b): return a\nf(b=1, a=2)", "def f(x, y): return x\nf(y=1, x=2)"),
        ("f(b=1)\ndef g(b): return b\ndef f(a, b): return a", "f(y=1)\ndef g(b): return b\ndef f(a, y): return a"),
        (
            "class A:\n    def __init__(self, a): self.go(b=a)\n    def go(self, b): return A(a=b)",
            "class A:\n    def __init__(self, x): self.go(y=x)\n    def go(self, y): return A(x=y)",
        ),
        (
            "def f(a, b): return a\ndef k(a): return a\ng = partial(f, b=1)",
            "def f(a, y): return a\ndef k(x): return x\ng = partial(f, y=1)",
        ),
        ("def f(a, key): return sorted(a, key=key)", "def f(a, k): return sorted(a, key=k)"),
    ],
)
def test_renaming_documenting_and_annotating_make_no_new_canonical_program(one: str, other: str):
    assert tree_key(one) != tree_key(other)
    assert tree_key(one, "ast_canonical") == tree_key(other, "ast_canonical")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a, b): return a - b", "def f(a, b): return b - a"),
        ("def f(x): return len(x)", "def f(x): return sum(x)"),
        ("def f(x): return x.real", "def f(x): return x.imag"),
        ("def f(x): return 1", "def f(x): return 2"),
        ("x = 1\ndef f():\n    global x\n    x = 2", "x = 1\ndef f():\n    x = 2"),
        ("import math\nf = math.sqrt", "import cmath\nf = cmath.sqrt"),
        ("def f(a, b):\n    a = b\n    return a", "def f(a, b):\n    b = a\n    return a"),
        ("def f(a, b): return a\nx = 2\nf(a=x, b=1)", "def f(a, b): return a\nx = 2\nf(b=x, a=1)"),
        ("def f(a, b): return a\npartial(f, a=1)", "def f(a, b): return a\npartial(f, b=1)"),
        ("@data\nclass A:\n    x: int\n    y: int", "@data\nclass A:\n    x: int"),
        ("def f():\n    global len\n    return len", "def f():\n    global sum\n    return sum"),
    ],
)
def test_programs_that_do_something_else_stay_different(one: str, other: str):
    assert tree_key(one, "ast_canonical") != tree_key(other, "ast_canonical")


def test_a_program_that_does_not_parse_is_compared_by_its_text():
    forms = CodeMatcher().same(["def f(", "def f(", "def g(", "x = 1"], DOUBLE)
    assert forms[0] == forms[1]
    assert len(set(forms)) == 3


def test_an_unknown_kind_of_uniqueness_is_refused():
    with pytest.raises(InputError, match="ast_canonical"):
        CodeMatcher("ast")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "program"),
    [
        ("```\nx = 1\n```", "x = 1"),
        ("```py\nx = 1", "x = 1"),
        ("text\n\n~~~python\nx = 1\n~~~", "x = 1"),
        ("```bash\npip install x\n```\n```python\nx = 1\n```", "x = 1"),
        ("```python\nx = 1\n```\nor\n```python\ny = 2\n```", "x = 1"),
        ("````python\ns = '''\n```\n'''\n````", "s = '''\n```\n'''"),
        ("\n    x = 1\n    y = 2\n", "x = 1\ny = 2"),
        ("", ""),
    ],
)
def test_the_program_is_found_in_the_answer(answer: str, program: str):
    assert extract_program(answer) == program


HOSTILE = [
    '"(" * 40000',
    '"-" * 40000 + "1"',
    '"not " * 12000 + "1"',
    '"[" * 190 + "]" * 190 + "\\n" + "a" + ".b" * 20000',
    '"1" + "+1" * 20000',
    '"a" + "(b)" * 15000',
    '"a" + "[b]" * 15000',
    '"lambda: " * 6000 + "1"',
    '"x if y else " * 4000 + "z"',
    '"1" + "**1" * 16000',
    '"9" * 49000',
    '"a=" * 20000 + "1"',
    '"\\n".join(" " * i + "if x:" for i in range(99)) + "\\n" + " " * 99 + "pass"',
    '"\\x00"',
    '"\\ud800"',
    '"f" + repr("{" * 2000)',
    '"if x: pass\\n" + "elif x: pass\\n" * 3000',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_crashes_the_trainer(text: str):
    script = (
        "import threading\nfrom setwise.matching.code.trees import tree_key\n"
        f"text = {text}\n"
        "run = lambda: [tree_key(text, kind) for kind in ('ast_raw', 'ast_canonical')]\n"
        "run()\nthread = threading.Thread(target=run)\nthread.start()\nthread.join()\nprint('alive')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "alive", done.stderr[-500:]
    assert done.stderr == ""


def test_an_endless_text_is_not_parsed():
    assert parse_program("x = 1\n" * 100_000) is None
