"""Tests that change the program's answers, although they have only copies.

In plain execution the program's own lists would change too, and rows that are the same object would change together. A
test may change an answer only if nothing else could notice.
"""

import ast
from collections.abc import Iterator

from .bindings import Binding, bindings, walk
from .kinds import Shares
from .names import Names
from .setup_code import bound_names

_METHODS = (
    "add append appendleft clear difference_update discard extend extendleft insert intersection_update move_to_end "
    "pop popitem popleft remove reverse rotate setdefault sort subtract symmetric_difference_update update"
)
_CHANGING = frozenset(_METHODS.split())


def changed_answer(tree: ast.Module, names: Names, shares: Shares, objects: frozenset[int]) -> str | None:
    """The first expression of the program's that the test changes in its copy although something could notice.
    `objects` are those, by identity, that stay with the program."""
    for changed, with_values in _changes(tree):
        if names.is_object(changed) or names.is_class(changed) or id(changed) in objects:
            continue
        is_alone = names.asks_once and _is_whole(changed, tree) and not with_values
        if _is_the_programs(changed, tree, names, shares) and not is_alone:
            return ast.unparse(changed)
    return None


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr, bool]]:
    """What is changed in place, and whether with a value: an object changed in this way must not learn what may be
    expected."""
    for node in walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=changed, attr=method), args=args) if method in _CHANGING:
                yield changed, bool(args)
            case ast.Subscript(value=changed, ctx=ast.Store() | ast.Del()):
                yield changed, True
            case ast.AugAssign(target=ast.Name() as changed):
                yield changed, False


def _is_the_programs(node: ast.expr, tree: ast.Module, names: Names, shares: Shares) -> bool:
    """Not a list of the test's own that contains answers, but an answer or a part of one."""
    match node:
        case ast.Name(id=name):
            if names.is_program_name(node):
                return True
            return any(
                shares.of(each.source) and (_takes_apart(each) or _is_no_copy(each.source, tree, names, shares))
                for each in bindings(tree)
                if each.source is not None and name in bound_names(each.target)
            )
        case _:
            return bool(shares.of(node)) and _is_no_copy(node, tree, names, shares)


def _is_no_copy(node: ast.expr, tree: ast.Module, names: Names, shares: Shares) -> bool:
    match node:
        case ast.Name():
            return _is_the_programs(node, tree, names, shares)
        case ast.Call(func=ast.Name(id=name)):
            return not names.is_builtin(name)
        case ast.Call(func=ast.Attribute() as method):
            return not names.is_module(method)
        case ast.Subscript() | ast.Attribute() | ast.IfExp() | ast.BoolOp():
            return True
        case _:
            return isinstance(node, ast.Call)


def _is_whole(node: ast.expr, tree: ast.Module) -> bool:
    """The answer itself, under the name it was bound to, or unbound."""
    if isinstance(node, ast.Name):
        found = [each for each in bindings(tree) if node.id in bound_names(each.target)]
        return all(not _takes_apart(each) and isinstance(each.source, ast.Call | None) for each in found)
    return isinstance(node, ast.Call)


def _takes_apart(binding: Binding) -> bool:
    return binding.to_items or not isinstance(binding.target, ast.Name)
