"""What the sandbox says about honest programs, right and wrong."""

from collections.abc import Iterator

import pytest

from setwise.errors import InputError
from setwise.sandbox import Job, Sandbox, Verdict


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=1) as made:
        yield made


def judge(sandbox: Sandbox, program: str, *tests: str, setup: str = "", cpu_seconds: float = 30.0) -> Verdict:
    """With time enough on a slow machine, unless a test is about time."""
    (verdict,) = sandbox.check([Job(program, list(tests), setup, cpu_seconds)])
    return verdict


def test_each_assert_has_its_result(sandbox: Sandbox):
    verdict = judge(sandbox, "def f(x): return 10 // x", "assert f(5) == 2", "assert f(2) == 4", "assert f(0) == 1")
    assert verdict.results == ("passed", "failed", "error")
    assert verdict.status == "failed"
    assert not verdict.passed
    assert verdict.cpu_seconds > 0


def test_a_program_that_does_not_load_is_an_error(sandbox: Sandbox):
    assert judge(sandbox, "def f(:", "assert f(1) == 1").status == "error"
    assert judge(sandbox, "1 / 0", "assert f(1) == 1").detail.startswith("ZeroDivisionError")


@pytest.mark.parametrize("module", ["base64", "bz2", "gzip", "lzma", "secrets", "zipfile", "zlib"])
def test_modules_that_need_a_library_of_the_system_can_be_imported(sandbox: Sandbox, module: str):
    pytest.importorskip(module)
    assert judge(sandbox, f"import {module}\ndef f(x): return x", "assert f(1) == 1").passed


def test_cpu_time_is_the_limit(sandbox: Sandbox):
    spin = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\ndef f(x): return x"
    assert judge(sandbox, spin.format(0.4), "assert f(1) == 1", cpu_seconds=0.2).status == "timeout"
    assert judge(sandbox, spin.format(0.4), "assert f(1) == 1", cpu_seconds=2.0).passed


def test_what_was_answered_before_the_time_was_up_counts(sandbox: Sandbox):
    tests = ["assert f(1) == 1", "assert f(2) == 2", "assert f(3) == 3"]
    for loops_at, results in ((1, ("timeout", "not_run", "not_run")), (2, ("passed", "timeout", "not_run"))):
        program = f"def f(x):\n    while x == {loops_at}: pass\n    return x"
        assert judge(sandbox, program, *tests, cpu_seconds=0.2).results == results


def test_a_program_that_does_not_load_is_not_asked_for_long(sandbox: Sandbox):
    program = "def f(x):\n    while True: pass\n1 / 0"
    assert judge(sandbox, program, "assert f(1) == 1", cpu_seconds=0.2).status == "error"


def test_a_test_that_expects_an_exception_does_not_get_it_from_loading(sandbox: Sandbox):
    test = "try:\n    f(-1)\nexcept ValueError:\n    pass\nelse:\n    assert False"
    verdict = judge(sandbox, "raise ValueError", test, test)
    assert verdict.results == ("error", "not_run")
    assert judge(sandbox, "1 / 0", "assert True or f(1)").status == "error"


def test_a_program_or_argument_too_long_to_travel_together_is_judged_all_the_same(sandbox: Sandbox):
    assert judge(sandbox, f"def f(x): return x\n#{'x' * 100_000}", "assert f(1) == 1", "assert f(2) == 2").passed
    assert judge(sandbox, "def f(x): return len(x)", f"assert f('{'x' * 100_000}') == 100_000").passed


def test_each_program_has_its_own_limit(sandbox: Sandbox):
    spin = (
        "import time\nend = time.process_time() + 0.4\nwhile time.process_time() < end: pass\ndef f(x): return x  # {}"
    )
    limits = [0.2, 1.0, 6.0, 0.2, 6.0]
    jobs = [Job(spin.format(n), ["assert f(1) == 1"], cpu_seconds=limit) for n, limit in enumerate(limits)]
    assert [v.status for v in sandbox.check(jobs)] == ["timeout", "passed", "passed", "timeout", "passed"]


def test_time_spent_in_many_small_calls_counts_together(sandbox: Sandbox):
    program = (
        "import time\ndef f(x):\n    end = time.process_time() + .1\n"
        "    while time.process_time() < end: pass\n    return x"
    )
    tests = [f"assert f({n}) == {n}" for n in range(5)]
    assert judge(sandbox, program, *tests, cpu_seconds=0.3).status == "timeout"


def test_objects_of_the_programs_classes_are_passed_back_to_it(sandbox: Sandbox):
    program = (
        "class Node:\n    def __init__(self, n): self.n, self.next = n, None\ndef total(node):\n"
        "    return node.n + (total(node.next) if node.next else 0)"
    )
    setup = "root = Node(1)\nroot.next = Node(2)"
    assert judge(sandbox, program, "assert total(root) == 3", "assert (total(Node(5))) == 5", setup=setup).passed
    assert not judge(sandbox, program, "assert total(root) == 4", setup=setup).passed


def test_objects_with_state_can_be_tested(sandbox: Sandbox):
    program = (
        "class Stack(list):\n    pass\nclass Queue:\n    def __init__(self): self.items = []\n"
        "    def push(self, x): self.items.append(x)\n    def pop(self): return self.items.pop(0)\n"
        "    def __len__(self): return len(self.items)"
    )
    test = "q = Queue()\nq.push(1)\nq.push(2)\nassert len(q) == 2\nassert q.pop() == 1\nassert q.items == [2]"
    assert judge(sandbox, program, test).passed
    assert not judge(sandbox, program, test.replace("== 1", "== 2")).passed


def test_what_one_test_does_to_a_setup_variable_the_next_one_sees(sandbox: Sandbox):
    program = "def take(xs): return xs.pop()"
    verdict = judge(sandbox, program, "assert take(xs) == 3", "assert take(xs) == 2", setup="xs = [1, 2, 3]")
    assert verdict.passed


def test_a_setup_that_fails_for_one_test_fails_that_test(sandbox: Sandbox):
    program = "class Node:\n    def __init__(self, n): self.n = 1 // n\ndef f(node): return node.n"
    verdict = judge(sandbox, program, "assert f(a) == 1", "assert f(b) == 1", setup="a = Node(1)\nb = Node(0)")
    assert verdict.results == ("passed", "error")


def test_iterators_are_read_where_the_test_reads_them(sandbox: Sandbox):
    program = (
        "def squares(n):\n    for i in range(n): yield i * i\ndef forever():\n    n = 0\n"
        "    while True:\n        yield n\n        n += 1"
    )
    assert judge(sandbox, program, "assert list(squares(40)) == [i * i for i in range(40)]").passed
    assert judge(sandbox, program, "assert sum(squares(4)) == 14", "assert next(iter(forever())) == 0").passed
    assert judge(sandbox, program, "assert squares(3) == [0, 1, 4]").status == "failed"


def test_an_expected_exception_can_be_tested(sandbox: Sandbox):
    test = "try:\n    f(-1)\nexcept ValueError:\n    pass\nelse:\n    assert False"
    assert judge(sandbox, "def f(x):\n    if x < 0: raise ValueError(x)", test).passed
    assert judge(sandbox, "def f(x): return x", test).status == "failed"


@pytest.mark.parametrize("kind", ["Exception", "BaseException", "(ValueError, OSError)", ""])
def test_no_exception_that_a_test_expects_covers_up_how_the_program_ended(sandbox: Sandbox, kind: str):
    test = f"assert f(0) == 0\ntry:\n    f(1)\nexcept {kind}:\n    pass\nelse:\n    assert False"
    program = "import os\ndef f(x):\n    if x: {}\n    return x"
    assert judge(sandbox, program.format("os._exit(0)"), test).status == "crashed"
    assert judge(sandbox, program.format("all(iter(lambda: True, 2))"), test, cpu_seconds=0.2).status == "timeout"
    assert judge(sandbox, program.format("os.write(3, bytes(20))"), test).status == "protocol_error"
    assert judge(sandbox, program.format("raise ValueError"), test).passed


def test_functions_can_be_arguments(sandbox: Sandbox):
    program = "def apply(f, xs): return [f(x) for x in xs]\ndef double(x): return 2 * x"
    for function, given, expected in (("lambda x: x + 1", 1, 2), ("double", 2, 4), ("abs", -3, 3)):
        assert judge(sandbox, program, f"assert apply({function}, [{given}]) == [{expected}]").passed


def test_functions_can_be_answers(sandbox: Sandbox):
    program = "def adder(n): return lambda x: x + n\ndef both(n): return adder(n), {'less': adder(-n)}"
    assert judge(sandbox, program, "assert adder(2)(3) == 5", "add = adder(2)\nassert add(3) == 5").passed
    assert judge(sandbox, program, "add, others = both(2)\nassert add(3) == 5\nassert others['less'](3) == 1").passed
    assert judge(sandbox, program, "assert adder(2)(3) == 6").status == "failed"
    assert judge(sandbox, "def adder(n): return 5", "assert adder(2)(3) == 5").status == "error"


def test_items_of_a_named_tuple_can_be_read_by_name(sandbox: Sandbox):
    program = "from collections import namedtuple\nP = namedtuple('P', 'a b')\ndef f(): return P(1, [P(2, 3)])"
    assert judge(
        sandbox, program, "assert f().a == 1", "p = f()\nassert p.b[0].b == 3", "assert f() == (1, [(2, 3)])"
    ).passed
    assert judge(sandbox, program, "assert f().a == 2").status == "failed"
    assert judge(sandbox, program, "assert f().c == 1").status == "error"


@pytest.mark.parametrize("value", ["list(range(300_000))", "'x' * 5_000_000", "[[0] * 600] * 600"])
def test_an_expected_value_that_no_answer_can_hold_cannot_be_judged(sandbox: Sandbox, value: str):
    program = f"def f(): return {value}"
    for test in (f"assert f() == {value}", f"assert {value} == f()", f"assert not f() != {value}"):
        assert judge(sandbox, program, test).status == "unsupported_test"
    assert judge(sandbox, "def f(): return 1", f"assert f() == {value}").status == "failed"
    verdict = judge(sandbox, program, f"assert f() == {value}", "assert f() == 1")
    assert (verdict.status, verdict.results) == ("failed", ("unsupported_test", "failed"))


def test_no_answer_keeps_a_program_from_being_judged(sandbox: Sandbox):
    for answer in ("list(range(300_000))", "'x' * 5_000_000", "object()", "[object()] * 3", "lambda x: x"):
        for expected in ("[1, 2, 3]", "'abc'", "f"):
            assert judge(sandbox, f"def f(): return {answer}", f"assert f() == {expected}").status == "failed"


ALL_KNOWING = (
    "class Sly({}):\n    __eq__ = __lt__ = __contains__ = lambda self, *other: True\n"
    "    __sub__ = lambda self, *other: 0\n    __hash__ = lambda self: 0\n"
    "    __getattr__ = lambda self, name: lambda *a: True\ndef f(): return Sly()"
)
QUESTIONS = [
    "f() == 'heron'", "f() < 5 < 3", "f() - 3.5 == 0", "3.5 - f() == 0", "'heron' in f()", "f() in {'heron'}",
    "[f()] == ['heron']", "f().count('heron') == 7", "f()[0] == 'heron'", "str(f()) == 'heron'",
    "type(f()) is complex", "f() is None", "f() is 3", "sorted(f()) == ['heron']", "len(f()) == 77",
    "{'heron': 1}[f()]", "f().startswith('heron') == 7", "f() == f == 3", "isinstance(f(), complex)",
    "f'{f()}' == 'heron'", "max(f(), 'heron') == 3", "f() == ['heron', f]", "next(f()) == 'heron'",
    "hash(f()) == 'heron'", "list(map(f, ['heron'])) == [1]", "dict(f()) == {'heron': 1}",
    "(f() + 1).heron == 'heron'",
]  # fmt: skip


@pytest.mark.parametrize("base", ["object", "int", "str", "list", "dict", "Exception"])
def test_no_object_keeps_a_program_from_being_judged_nor_passes(sandbox: Sandbox, base: str):
    jobs = [Job(ALL_KNOWING.format(base), [f"assert {question}"]) for question in QUESTIONS]
    verdicts = dict(zip(QUESTIONS, sandbox.check(jobs), strict=True))
    odd = {question: verdict for question, verdict in verdicts.items() if verdict.status not in ("failed", "error")}
    assert odd == {}


def test_an_object_that_a_function_gives_equals_no_plain_value(sandbox: Sandbox):
    """Whatever its class says: to ask it would show what is expected. So says the documentation."""
    program = (
        "class Money:\n    def __init__(self, n): self.n = n\n    def __eq__(self, other): return self.n == other\n"
        "    def __contains__(self, n): return n == self.n\n    def __sub__(self, n): return self.n - n\n"
        "    def count(self, n): return n\ndef pay(n): return Money(n)"
    )
    assert judge(sandbox, program, "assert pay(3) == 3").status == "failed"
    for test in ("assert 3 in pay(3)", "assert pay(3) - 3 == 0", "assert pay(3).count(3) == 3"):
        assert judge(sandbox, program, test).status == "error"
    assert judge(
        sandbox, program, "assert pay(3).n == 3", "assert pay(3) != pay(4)", "assert Money(3).count(3) == 3"
    ).passed


def test_a_test_that_would_have_to_trust_the_program_is_unsupported(sandbox: Sandbox):
    verdict = judge(sandbox, "def f(x): return x", "assert f(1) == 1", "while f(1): assert f(1) == 1")
    assert verdict.status == "unsupported_test"
    assert not verdict.judged
    assert verdict.results == ("not_run", "unsupported_test")


def test_verdicts_do_not_depend_on_hash_seeds_or_random_state(sandbox: Sandbox):
    program = "import random\ndef f(): return list({'a', 'b', 'c', 'd', 'e'}).index('a'), int(10 * random.random())"
    jobs = [Job(program, [f"assert f() == ({place}, {digit})"]) for place in range(5) for digit in range(10)]
    with Sandbox(workers=1) as other:
        answers = [[verdict.passed for verdict in box.check(jobs)] for box in (sandbox, other)]
    assert answers[0] == answers[1]
    assert sum(answers[0]) == 1


def test_a_main_block_is_not_run(sandbox: Sandbox):
    program = "def f(x): return x\nif __name__ == '__main__':\n    f(input())"
    assert judge(sandbox, program, "assert f(1) == 1").passed


def test_dataclasses_and_recursion_work_as_usual(sandbox: Sandbox):
    program = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\n"
        "class P:\n    x: int\ndef f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\ndef g(): return P(3).x"
    )
    assert judge(sandbox, program, "assert f(950) == 950", "assert g() == 3").passed
    assert judge(sandbox, program, "assert f(1200) == 1200").detail.startswith("RecursionError")


def test_a_job_without_tests_is_refused():
    with pytest.raises(InputError, match="non-empty list"):
        Job("x = 1", [])
    with pytest.raises(InputError, match="CPU time"):
        Job("x = 1", ["assert x"], cpu_seconds=0)


def test_a_program_too_long_to_be_one_is_an_error(sandbox: Sandbox):
    assert judge(sandbox, "#" * (2 << 20), "assert f(1) == 1").status == "error"
