"""Tests as the referee runs them: calls of the program's names become requests, everything else stays here."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType

from .names import Names, makes_object
from .remote import TRUSTED_MODULES
from .setup_code import Setup, bound_names, split_setup
from .setup_parts import parts_for

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


class UnsupportedTest(Exception):
    """The test cannot be split into requests and a judgement without trusting the program."""


@dataclass(frozen=True)
class CompiledTest:
    code: CodeType
    program_names: frozenset[str]
    only_arguments: frozenset[str] = frozenset()
    """Variables of the setup's that reach the program and play no part in the judgement."""
    judged: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Plan:
    """The tests of one problem, ready to run against any program."""

    setup: Setup
    tests: tuple[CompiledTest | str, ...]
    """The compiled test, or why there is none."""
    parts: tuple[str, ...] = ()
    """For each test, what it is the first to need of the setup in the program's process; none where a test is
    unsupported."""


@lru_cache(maxsize=256)
def make_plan(setup: str, tests: tuple[str, ...]) -> Plan:
    """Raises UnsupportedTest where the setup does not parse."""
    try:
        split = split_setup(setup)
        compiled = [_compile(test, split) for test in tests]
        # A variable that only ever reaches the program lives there, so that what one test does to it the next one sees.
        done = [test for test in compiled if isinstance(test, CompiledTest)]
        moved = frozenset().union(*(test.only_arguments for test in done)) - {n for test in done for n in test.judged}
        if moved:
            split = split_setup(setup, moved)
            compiled = [_compile(test, split) for test in tests]
        usable = all(isinstance(test, CompiledTest) for test in compiled)
        return Plan(split, tuple(compiled), parts_for(split.program, tests) if usable else ())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnsupportedTest(f"the setup does not parse: {error}") from None


def _compile(test: str, setup: Setup) -> CompiledTest | str:
    try:
        return _rewrite(ast.parse(test), setup)
    except UnsupportedTest as reason:
        return str(reason)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"does not parse: {error}"


def _rewrite(tree: ast.Module, setup: Setup) -> CompiledTest:
    _check_nodes(tree)
    if not any(isinstance(node, ast.Assert) for node in ast.walk(tree)):
        raise UnsupportedTest("holds no assert")
    names = Names(tree, setup)
    rewriter = _Rewriter(names)
    module = ast.fix_missing_locations(rewriter.visit(tree))
    if not rewriter.asked:
        raise UnsupportedTest("asks the program nothing")
    arguments = rewriter.arguments - names.objects
    for name in arguments:
        if names.may_change(name):
            raise UnsupportedTest(f"passes {name} to the program, which may change it, and uses it again")
    # What cannot change is handed over with each call: there is nothing for a later test to see.
    only_arguments = frozenset(arguments & setup.referee_names - rewriter.judged - setup.fixed_names)
    code = compile(module, "<test>", "exec")
    return CompiledTest(code, frozenset(rewriter.asked), only_arguments, frozenset(rewriter.judged))


def _check_nodes(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if not isinstance(node, _STATEMENTS + _EXPRESSIONS):
            raise UnsupportedTest(f"uses {type(node).__name__}")
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name.startswith("__"):
            raise UnsupportedTest(f"uses {name}")
        if isinstance(node, ast.ImportFrom) and (node.level or node.module not in TRUSTED_MODULES):
            raise UnsupportedTest(f"imports from {node.module}")
        if isinstance(node, ast.Import) and any(alias.name not in TRUSTED_MODULES for alias in node.names):
            raise UnsupportedTest(f"imports {node.names[0].name}")


def _passed_whole(arguments: Sequence[ast.expr | None]) -> Iterator[ast.Name]:
    """Names that occur as arguments, or inside them, with nothing computed from them here."""
    for node in arguments:
        match node:
            case ast.Name():
                yield node
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts):
                yield from _passed_whole(parts)
            case ast.Attribute(value=part):
                yield from _passed_whole([part])
            case _:
                pass


@dataclass
class _Rewriter(ast.NodeTransformer):
    names: Names
    asked: set[str] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)
    """Variables of the test's or the setup's that occur in a request's arguments."""
    judged: set[str] = field(default_factory=set)
    """Variables that the referee itself has to look into."""
    _inside_request: bool = False
    _whole: set[int] = field(default_factory=set)
    """Names, by identity, that reach the program as they are."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and self.names.is_program(node.func.id):
            if self.names.is_from_setup(node.func.id):
                raise UnsupportedTest(f"calls {node.func.id}, which the setup defines in the program's process")
            self.asked.add(node.func.id)
            return self._with_arguments(node, node.func, inside_request=True)
        if self.names.is_answer(node.func):
            return self._answer_call(node)
        if isinstance(node.func, ast.Attribute) and not self.names.is_module(node.func):
            return self._method_call(node, node.func)
        return self._with_arguments(node, self.visit(node.func), inside_request=False)

    def _answer_call(self, node: ast.Call) -> ast.expr:
        """`f(2)(3)` tells the program no more than `f(2, 3)` would."""
        # A variable stays here: it holds the program's own object, and is no argument.
        target = node.func if isinstance(node.func, ast.Name) else self.visit(node.func)
        call = self._with_arguments(node, ast.Name("__call_answer__", ast.Load()), inside_request=True)
        call.args = [target, *call.args]
        return call

    def _method_call(self, node: ast.Call, method: ast.Attribute) -> ast.expr:
        is_object = makes_object(method.value) or (
            isinstance(method.value, ast.Name)
            and (method.value.id in self.names.objects or self._is_setup_object(method.value.id))
        )
        target = self._by_reference(method.value) if is_object else self.visit(method.value)
        helper = "__call_object_method__" if is_object else "__call_method__"
        call = self._with_arguments(node, ast.Name(helper, ast.Load()), inside_request=is_object)
        call.args = [target, ast.Constant(method.attr), *call.args]
        return call

    def _is_setup_object(self, name: str) -> bool:
        return self.names.is_from_setup(name) and not self.names.is_setup_code(name)

    def _with_arguments(self, node: ast.Call, function: ast.expr, *, inside_request: bool) -> ast.Call:
        outside, self._inside_request = self._inside_request, inside_request
        if inside_request:
            self._whole.update(map(id, _passed_whole([*node.args, *(keyword.value for keyword in node.keywords)])))
        args = [self.visit(argument) for argument in node.args]
        keywords = [ast.keyword(keyword.arg, self.visit(keyword.value)) for keyword in node.keywords]
        self._inside_request = outside
        return ast.Call(function, args, keywords)

    def _by_reference(self, node: ast.expr) -> ast.expr:
        outside, self._inside_request = self._inside_request, True
        self._whole.update(map(id, _passed_whole([node])))
        visited = self.visit(node)
        self._inside_request = outside
        return visited

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            raise UnsupportedTest("assigns to an attribute")
        if self.names.is_module(node):
            return node
        return ast.Call(ast.Name("__attribute_of__", ast.Load()), [self.visit(node.value), ast.Constant(node.attr)], [])

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        if not self._inside_request:
            return self.generic_visit(node)  # type: ignore[return-value]
        free = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - bound_names(node)
        if any(self.names.is_variable(name) for name in free):
            raise UnsupportedTest("passes the program a lambda over the test's variables")
        return ast.Call(ast.Name("__source_text__", ast.Load()), [ast.Constant(ast.unparse(node))], [])

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or not self.names.is_program(node.id):
            if isinstance(node.ctx, ast.Load) and self.names.is_variable(node.id):
                if self._inside_request:
                    self.arguments.add(node.id)
                if not self._inside_request or id(node) not in self._whole:
                    self.judged.add(node.id)
            return node
        self.asked.add(node.id)
        if self._inside_request and (id(node) in self._whole or not self.names.is_from_setup(node.id)):
            return node
        if self.names.is_from_setup(node.id):
            raise UnsupportedTest(f"judges by {node.id}, which the setup makes in the program's process")
        return ast.Call(ast.Name("__value_of__", ast.Load()), [node], [])
