"""What a test binds and reads, judged by its text."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from .plain_types import WRITERS
from .setup_code import bound_names

PLAIN_NAMES = frozenset(name for kind in WRITERS for name in dir(kind) if not name.startswith("__"))
"""Attributes and methods that plain values have too. Used on an answer, they require no more than a plain value."""


def walk(tree: ast.AST) -> Sequence[ast.AST]:
    """All nodes of a tree. Those of a whole test are visited many times before anything in it is rewritten."""
    if not isinstance(tree, ast.Module):
        return list(ast.walk(tree))
    if "nodes" not in vars(tree):
        vars(tree)["nodes"] = list(ast.walk(tree))
    return vars(tree)["nodes"]


@dataclass(frozen=True)
class Binding:
    target: ast.AST
    source: ast.expr | None
    """None if it is not an expression of the test."""
    to_items: bool = False
    """Whether it is bound to the items of the source, one after the other."""


def bindings(tree: ast.Module) -> Sequence[Binding]:
    if "bindings" not in vars(tree):
        vars(tree)["bindings"] = list(_bindings(tree))
    return vars(tree)["bindings"]


def _bindings(tree: ast.Module) -> Iterator[Binding]:
    for node in walk(tree):
        match node:
            case ast.Assign(targets=targets, value=source):
                yield from (Binding(target, source) for target in targets)
            case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                yield Binding(target, source, to_items=True)
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                yield Binding(target, None)
            case ast.arg() | ast.alias():
                yield Binding(node, None)


def used_as_objects(tree: ast.Module) -> set[str]:
    """Names whose objects are kept or asked for attributes. A class of the program may have the same name."""
    found = set[str]()
    for node in walk(tree):
        match node:
            case ast.Assign(value=ast.Call(func=ast.Name(id=name))) | ast.Attribute(value=ast.Name(id=name)):
                found.add(name)
            case ast.Attribute(value=ast.Call(func=ast.Name(id=name)), attr=attribute) if attribute not in PLAIN_NAMES:
                found.add(name)
    return found


def bound_by_statements(tree: ast.AST) -> dict[str, tuple[int, int]]:
    """The names that belong to the test from some place on, and the line and column of the first such place."""
    found: dict[str, tuple[int, int]] = {}
    for node in walk(tree):
        match node:
            case ast.Assign(targets=targets):
                parts, end = targets, node
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                parts, end = [target], node
            case ast.For(target=target, iter=source):
                parts, end = [target], source
            case ast.Import(names=parts) | ast.ImportFrom(names=parts):
                end = node
            case _:
                continue
        place = (end.end_lineno or 0, end.end_col_offset or 0)
        for name in set[str]().union(*map(bound_names, parts)):
            found[name] = min(place, found.get(name, place))
    return found


def lambdas_in(tree: ast.Module) -> dict[str, ast.Lambda]:
    """Variables that are bound once, to a lambda."""
    found: dict[str, list[ast.expr | None]] = {}
    for each in bindings(tree):
        for name in bound_names(each.target):
            found.setdefault(name, []).append(each.source if isinstance(each.target, ast.Name) else None)
    return {name: only for name, (only, *others) in found.items() if isinstance(only, ast.Lambda) and not others}


def is_load(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def imports_in(tree: ast.AST) -> Iterator[ast.AST]:
    return (node for node in walk(tree) if isinstance(node, ast.alias))


def loads_in(tree: ast.AST) -> list[str]:
    return [node.id for node in walk(tree) if is_load(node)]


def loaded_again_and_again(tree: ast.Module) -> Iterator[str]:
    """Names that a loop or a lambda reads each time without binding them itself."""
    for node in walk(tree):
        match node:
            case ast.For(target=target, body=body):
                parts: list[ast.AST] = [target, *body]
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                first = node.generators[0]
                parts = [part for part in ast.iter_child_nodes(node) if part is not first]
                parts += [first.target, *first.ifs]
            case ast.Lambda():
                parts = [node]
            case _:
                continue
        bound = set[str]().union(*map(bound_names, parts))
        for part in parts:
            for inner in walk(part):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and inner.id not in bound:
                    yield inner.id
