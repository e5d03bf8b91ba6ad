"""Tests as the referee runs them: calls of the program's names become requests, everything else stays here."""

import ast
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

from .aliasing import changed_answer
from .bindings import bound_by_statements, walk
from .call_rewriter import UnsupportedTest
from .evidence import objects_in_use
from .kinds import Shares
from .names import Names
from .remote import TRUSTED_MODULES
from .setup_code import Setup, split_setup
from .setup_parts import parts_for
from .transform import Rewriter

_STATEMENTS = (
    ast.Assert, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Import, ast.ImportFrom, ast.For, ast.If,
    ast.Pass, ast.Try, ast.ExceptHandler, ast.Raise, ast.Break, ast.Continue, ast.alias, ast.Module,
)  # fmt: skip
_EXPRESSIONS = (
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp, ast.Compare, ast.Call, ast.JoinedStr, ast.FormattedValue, ast.Constant,
    ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List, ast.Tuple, ast.Slice, ast.comprehension,
    ast.arguments, ast.arg, ast.keyword, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip
_INTO_THE_PROGRAM = frozenset(["dir", "eval", "exec", "globals", "id", "locals", "vars"])
"""They look at where they are called, or at an object's identity. `dir` and `vars` of something do not."""
_OF_SOMETHING = frozenset(["dir", "vars"])
_REFUSED_MODULES = frozenset(["asyncio", "concurrent", "multiprocessing", "socket", "subprocess", "threading"])
"""Modules that no program can use in the sandbox."""


@dataclass(frozen=True)
class CompiledTest:
    code: CodeType
    program_names: frozenset[str]
    only_arguments: frozenset[str] = frozenset()
    """Variables of the setup that reach the program and play no part in the judgement."""
    judged: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    """Names that belong to the test from some place on."""


@dataclass(frozen=True)
class Plan:
    """The tests of one problem, ready to run against any program."""

    setup: Setup
    tests: tuple[CompiledTest | str, ...]
    """The compiled test, or why there is none."""
    parts: tuple[str, ...] = ()
    """For each test, what it is the first to need of the setup in the program's process; empty if a test is
    unsupported."""


@lru_cache(maxsize=256)
def make_plan(setup: str, tests: tuple[str, ...]) -> Plan:
    """Raises UnsupportedTest if the setup does not parse."""
    try:
        split = split_setup(setup)
        compiled = [_compile(test, split) for test in tests]
        # A variable that only ever reaches the program lives there, so that the next test sees what a test does to it.
        done = [test for test in compiled if isinstance(test, CompiledTest)]
        moved = frozenset().union(*(test.only_arguments for test in done)) - {n for test in done for n in test.judged}
        if moved:
            split = split_setup(setup, moved)
            compiled = [_compile(test, split) for test in tests]
        compiled = _without_those_that_rest_on_others(compiled)
        usable = all(isinstance(test, CompiledTest) for test in compiled)
        return Plan(split, tuple(compiled), parts_for(split.program, tests) if usable else ())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnsupportedTest(f"the setup does not parse: {error}") from None


def _without_those_that_rest_on_others(compiled: list[CompiledTest | str]) -> list[CompiledTest | str]:
    """In plain execution a test sees what earlier ones have bound; here each has its own names."""
    bound, found = set[str](), list[CompiledTest | str]()
    for outcome in compiled:
        if isinstance(outcome, CompiledTest):
            shared = sorted(outcome.program_names & bound)
            found.append(f"uses {shared[0]}, which another test binds" if shared else outcome)
            bound |= outcome.binds
        else:
            found.append(outcome)
    return found


def _compile(test: str, setup: Setup) -> CompiledTest | str:
    try:
        return _rewrite(ast.parse(test), setup)
    except UnsupportedTest as reason:
        return str(reason)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"does not parse: {error}"


def _rewrite(tree: ast.Module, setup: Setup) -> CompiledTest:
    _check_nodes(tree)
    if not any(isinstance(node, ast.Assert) for node in walk(tree)):
        raise UnsupportedTest("holds no assert")
    names = Names(tree, setup)
    _check_names(tree, names)
    early, lost = names.read_before_bound(tree), names.only_the_program_reads(tree)
    if early or lost:
        raise UnsupportedTest(f"binds {early or lost}, which is a name of the program's too")
    shares = Shares(tree, names)
    objects = objects_in_use(tree)
    changed = changed_answer(tree, names, shares, objects)
    if changed:
        raise UnsupportedTest(f"changes {changed}, which is the program's")
    rewriter = Rewriter(tree, names, shares, objects)
    module = ast.fix_missing_locations(rewriter.visit(tree))
    if not rewriter.asked:
        raise UnsupportedTest("asks the program nothing")
    arguments = rewriter.arguments - names.objects
    for name in arguments:
        known = names.is_changeable(name) or name in setup.referee_names or shares.holds_answers(name)
        if names.may_change(name) and known:
            raise UnsupportedTest(f"passes {name} to the program, which may change it, and uses it again")
    # What cannot change is passed with each call, since a later test has nothing to see.
    only_arguments = frozenset(arguments & setup.referee_names - rewriter.judged - setup.fixed_names)
    code = compile(module, "<test>", "exec")
    binds = frozenset(bound_by_statements(tree))
    return CompiledTest(code, frozenset(rewriter.asked), only_arguments, frozenset(rewriter.judged), binds)


def _check_nodes(tree: ast.AST) -> None:
    for node in walk(tree):
        if not isinstance(node, _STATEMENTS + _EXPRESSIONS):
            raise UnsupportedTest(f"uses {type(node).__name__}")
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name.startswith("__"):
            raise UnsupportedTest(f"uses {name}")
        if isinstance(node, ast.ImportFrom) and (node.level or node.module not in TRUSTED_MODULES):
            raise UnsupportedTest(f"imports from {node.module}")
        if isinstance(node, ast.Import) and any(alias.name not in TRUSTED_MODULES for alias in node.names):
            raise UnsupportedTest(f"imports {node.names[0].name}")


def _check_names(tree: ast.AST, names: Names) -> None:
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and node.args]
    fine = {id(call.func) for call in calls if isinstance(call.func, ast.Name) and call.func.id in _OF_SOMETHING}
    for node in walk(tree):
        if isinstance(node, ast.Name) and node.id in _INTO_THE_PROGRAM | _REFUSED_MODULES and id(node) not in fine:
            is_another = names.is_variable(node.id) or names.is_subject(node.id)
            if not is_another:
                raise UnsupportedTest(f"uses {node.id}")
