"""Drops statements that do nothing and statements that are never reached.

These are `pass`, bare constants (including docstrings) and `assert True`; whatever follows `return`, `raise`, `break`
or `continue` in its block, or an `if` whose branches both end so; and the branch of an `if` or `while` that a constant
test rules out.

Even a dead statement can affect its function: `yield` makes it a generator; an assignment, `global` or `nonlocal`
decides whose variable a name is. `mark_what_was_lost` records that after the body, in a form that no program has.
"""

import ast
from collections.abc import Iterator
from typing import TypeGuard

from setwise.matching.code.scopes import Bindings, ScopeMap, bound_by, nodes_of

_BLOCKS = ("body", "orelse", "finalbody")
_WAYS_OUT = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_WITH_STATEMENTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def without_main_guard(tree: ast.Module) -> ast.Module:
    """A new module without `if __name__ == "__main__":`, whose body no test ever runs."""
    if any(bound_by(node) == "__name__" for node in nodes_of(tree)):
        return tree
    body = [part for each in tree.body for part in (each.orelse if _is_main_guard(each) else [each])]
    return ast.Module(body, tree.type_ignores)


def _is_main_guard(statement: ast.stmt) -> TypeGuard[ast.If]:
    match statement:
        case ast.If(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            match left, right:
                case (ast.Name(id="__name__"), ast.Constant(value="__main__")) | (
                    ast.Constant(value="__main__"),
                    ast.Name(id="__name__"),
                ):
                    return True
    return False


def drop_dead_code(tree: ast.Module) -> None:
    """Changes `tree` in place."""
    ending: set[ast.stmt] = set()
    for node in reversed(nodes_of(tree)):  # inner blocks first
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, _live(block, ending))
        if getattr(node, "body", None) == [] and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]  # type: ignore[attr-defined]
        if isinstance(node, ast.stmt) and _ends(node, ending):
            ending.add(node)


def _ends(statement: ast.stmt, ending: set[ast.stmt]) -> bool:
    """Whether what follows it in its block is unreachable."""
    if isinstance(statement, ast.If) and statement.orelse:
        return statement.body[-1] in ending and statement.orelse[-1] in ending
    return isinstance(statement, _WAYS_OUT)


def _live(block: list[ast.stmt], ending: set[ast.stmt]) -> list[ast.stmt]:
    kept: list[ast.stmt] = []
    for statement in _unwrapped(block):
        if _does_nothing(statement):
            continue
        kept.append(statement)
        if statement in ending:
            break
    return kept


def _unwrapped(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in block:
        match statement:
            case ast.If(test=ast.Constant(value=value)):
                yield from statement.body if value else statement.orelse
            case ast.While(test=ast.Constant(value=value)) if not value:
                yield from statement.orelse
            case ast.Try(handlers=[], finalbody=[]):
                yield from statement.body
            case _:
                yield statement


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assert(test=ast.Constant(value=value)):
            return bool(value)
    return False


def mark_what_was_lost(after: ScopeMap, before: ScopeMap) -> bool:
    """Record on functions and classes what the dropped statements decided about them. Returns whether there was
    anything."""
    still = [node for node, _ in after.placed if isinstance(node, _WITH_STATEMENTS)]
    lost: dict[ast.AST, set[str]] = {
        scope: before.bindings[scope].bound - after.bindings[scope].bound for scope in still
    }
    own: dict[ast.AST, dict[str, None]] = {scope: {} for scope in still}
    mentioned = list(_mentioned(after, before))
    for name, owner in mentioned:
        if name in lost.get(owner, ()):
            own[owner][name] = None
    left = {name for name, _ in mentioned}
    no_longer = before.generators() - after.generators()
    is_any = False
    for scope in still:
        marks: list[ast.stmt] = []
        marks += [ast.AnnAssign(ast.Name(name, ast.Store()), ast.Constant(None), None, 2) for name in own[scope]]
        marks += _lost_declarations(before.bindings[scope], after.bindings[scope], left)
        marks += [ast.Expr(ast.Constant("generator"))] if scope in no_longer else []
        scope.body += marks
        is_any |= bool(marks)
    return is_any


def _mentioned(after: ScopeMap, before: ScopeMap) -> Iterator[tuple[str, ast.AST]]:
    """Each remaining name, with the scope whose variable it was."""
    for node, scope in after.placed:
        match node:
            case ast.Name(id=name):
                yield name, before.owner(name, scope)
            case ast.Nonlocal(names=names):
                yield from ((name, before.owner(name, scope)) for name in names)
            case _ if (bound := bound_by(node)) is not None:
                yield bound, before.owner(bound, scope)


def _lost_declarations(before: Bindings, after: Bindings, left: set[str]) -> Iterator[ast.stmt]:
    for kind, lost in (
        (ast.Global, before.declared_global - after.declared_global),
        (ast.Nonlocal, before.declared_nonlocal - after.declared_nonlocal),
    ):
        yield from (kind([name]) for name in sorted(lost & left))
