"""Drops annotations, which mean something to the reader but not to the program.

An annotation that is evaluated where it stands is dropped only if that cannot fail: `def f(x: List[int])` without an
import of `List` never runs. Annotations that something may read stay: on the fields of decorated or derived classes
(dataclasses), and on classes and decorated functions of programs that import more than plain modules.
"""

import ast
import builtins
import operator
from functools import reduce
from typing import Any

from setwise.matching.code.modules import PLAIN_MODULES, member
from setwise.matching.code.scopes import FUNCTIONS, ScopeMap

MAX_NODES = 100
_OF_TYPES = ("typing", "collections", "collections.abc", "datetime", "decimal", "fractions")


class _SomeClass:
    """Stands for a class of the program."""


def drop_annotations(tree: ast.Module, scopes: ScopeMap) -> None:
    """Changes `tree` in place."""
    harmless, foreign = _Harmless(tree, scopes), _imports_more_than_plain_modules(scopes)
    for node, scope in scopes.placed:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not (foreign and node.decorator_list):
            for arg in ast.walk(node.args):
                if isinstance(arg, ast.arg) and harmless(arg.annotation):
                    arg.annotation = None
            if harmless(node.returns):
                node.returns = None
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                within = node if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) else scope
                setattr(node, name, [_without(each, within, harmless, foreign) for each in block])
    tree.body = [_without(each, tree, harmless, foreign) for each in tree.body]


def _imports_more_than_plain_modules(scopes: ScopeMap) -> bool:
    imported: set[str | None] = set()
    for node, _ in scopes.placed:
        match node:
            case ast.Import(names=names):
                imported |= {alias.name for alias in names}
            case ast.ImportFrom(module=module):
                imported.add(module)
    return not imported <= PLAIN_MODULES | {"__future__"}


def _without(statement: ast.stmt, scope: ast.AST, harmless: "_Harmless", foreign: bool) -> ast.stmt:
    if not isinstance(statement, ast.AnnAssign):
        return statement
    is_field = isinstance(scope, ast.ClassDef) and bool(scope.decorator_list or scope.bases or foreign)
    is_evaluated = not isinstance(scope, FUNCTIONS)
    if is_field or (is_evaluated and not harmless(statement.annotation)):
        return statement
    if statement.value is not None:
        return ast.Assign([statement.target], statement.value)
    if isinstance(statement.target, ast.Name):
        return ast.Pass()
    return ast.AnnAssign(statement.target, ast.Constant(None), None, 0)  # such a target is evaluated


class _Harmless:
    """Whether an annotation can be evaluated where it stands."""

    def __init__(self, tree: ast.Module, scopes: ScopeMap) -> None:
        self._deferred = any(
            isinstance(statement, ast.ImportFrom)
            and statement.module == "__future__"
            and any(alias.name == "annotations" for alias in statement.names)
            for statement in tree.body
        )
        self._bound = scopes.names_bound()
        times = scopes.times_bound()
        self._known: dict[str, tuple[int, Any]] = {}
        """For each name that is bound once, at the top level: the line that binds it, and its value."""
        for statement in tree.body:
            for name, value in _top_values(statement):
                if times[tree, name] == 1 and name not in builtins.__dict__:
                    self._known[name] = (statement.end_lineno or 0, value)
        others = {name for (scope, name), _ in times.items() if scope is not tree}
        self._known = {name: known for name, known in self._known.items() if name not in others}
        self._star = any(isinstance(node, ast.alias) and node.name == "*" for node, _ in scopes.placed)

    def __call__(self, annotation: ast.expr | None) -> bool:
        if annotation is None:
            return False
        if self._deferred or isinstance(annotation, ast.Constant):
            return True
        if self._star or sum(1 for _ in zip(ast.walk(annotation), range(MAX_NODES + 1), strict=False)) > MAX_NODES:
            return False
        try:
            self._value(annotation)
        except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
            return False
        return True

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in self._known:
                line, value = self._known[name]
                if line >= node.lineno:
                    raise LookupError(name)
                return value
            case ast.Name(id=name) if name not in self._bound:
                return vars(builtins)[name]
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self._known:
                return getattr(self._value(node.value), attribute)
            case ast.Subscript(value=generic, slice=argument):
                return _subscripted(self._value(generic), self._value(argument))
            case ast.Tuple(elts=elements):
                return tuple(map(self._value, elements))
            case ast.List(elts=elements):
                return list(map(self._value, elements))
            case ast.BinOp(op=ast.BitOr()):
                return reduce(operator.or_, map(self._value, _alternatives(node)))
        raise LookupError(type(node).__name__)


def _subscripted(generic: Any, argument: Any) -> Any:
    kind: Any = type(generic)
    if kind is not type and kind.__module__ != "typing":
        raise TypeError("not a type")
    return generic[argument]


def _alternatives(node: ast.expr) -> list[ast.expr]:
    """The alternatives of `A | B | C`, in order."""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def _top_values(statement: ast.stmt) -> list[tuple[str, Any]]:
    match statement:
        case ast.Import(names=names):
            known = [
                (alias, member(alias.name)) for alias in names if alias.name in _OF_TYPES and "." not in alias.name
            ]
        case ast.ImportFrom(module=str(module), level=0, names=names) if module in _OF_TYPES:
            known = [(alias, member(module, alias.name)) for alias in names]
        case ast.ClassDef(name=name, decorator_list=[], keywords=[]):
            return [(name, _SomeClass)]
        case _:
            return []
    return [(alias.asname or alias.name, value) for alias, value in known if value is not None]
