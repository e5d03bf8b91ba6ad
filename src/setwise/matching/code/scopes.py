"""What each scope of a program binds: its own names, those it binds for the module, and what belongs outside."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)
BUILTINS = frozenset(dir(builtins))
_UNTOUCHED = frozenset(name for name in BUILTINS if name.startswith("__"))


def outer_parts(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, FUNCTIONS):
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        return [*getattr(node, "decorator_list", []), *defaults]
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    return []


def inner_parts(node: ast.AST) -> list[ast.AST]:
    """Generators before the element, as they are bound."""
    if isinstance(node, ast.DictComp):
        return [*node.generators, node.key, node.value]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return [*node.generators, node.elt]
    return list(ast.iter_child_nodes(node))


def all_args(node: ast.arguments) -> list[ast.arg]:
    special = [arg for arg in (node.vararg, node.kwarg) if arg]
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *special]


@dataclass
class Bindings:
    bound: set[str]
    """Names bound in the scope itself, not in those inside it."""
    declared_global: set[str]
    of_module: set[str]
    """Names that the scope binds for the module."""


def bindings_of(scope: ast.AST) -> Bindings:
    bound: set[str] = set()
    declared_global: set[str] = set()
    declared_nonlocal: set[str] = set()
    for node in _own_nodes(scope):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case (
                ast.ExceptHandler(name=str() as name)
                | ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
                | ast.MatchMapping(rest=str() as name)
            ):
                bound.add(name)
            case ast.alias(name=name, asname=asname) if asname or ("." not in name and name != "*"):
                bound.add(asname or name)
            case ast.Global(names=names):
                declared_global.update(names)
            case ast.Nonlocal(names=names):
                declared_nonlocal.update(names)
    bound -= _UNTOUCHED
    return Bindings(bound - declared_global - declared_nonlocal, declared_global, bound & declared_global)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """All but those of the scopes inside it. What `:=` binds in a comprehension is of the scope around it."""
    is_comprehension = isinstance(scope, COMPREHENSIONS)
    outer = {id(part) for part in outer_parts(scope)}
    todo = list(inner_parts(scope))
    while todo:
        node = todo.pop()
        if id(node) in outer:
            continue
        yield node
        if isinstance(node, ast.NamedExpr) and is_comprehension:
            todo.append(node.value)
        else:
            todo += outer_parts(node) if isinstance(node, SCOPES) else ast.iter_child_nodes(node)
        if isinstance(node, COMPREHENSIONS) and not is_comprehension:
            todo += _targets_of_walrus(node)


def _targets_of_walrus(comprehension: ast.AST) -> Iterator[ast.Name]:
    """In it and the comprehensions inside it; not in its first source, which the scope around it has looked at."""
    outer = outer_parts(comprehension)
    todo = list(inner_parts(comprehension))
    while todo:
        node = todo.pop()
        if node in outer:
            continue
        if isinstance(node, ast.NamedExpr):
            yield node.target
        todo += outer_parts(node) if isinstance(node, FUNCTIONS) else ast.iter_child_nodes(node)
