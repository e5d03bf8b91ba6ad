"""Which expressions of a test can only be objects of the program: the test uses them in ways that no plain value
allows."""

import ast

from .bindings import PLAIN_NAMES, bindings, walk
from .setup_code import bound_names


def objects_in_use(tree: ast.Module) -> frozenset[int]:
    """Expressions, by identity, that are asked for an attribute no plain value has, and those that such a value comes
    from: the 3 in `(V(2) * 3).n` is an argument, while the 3 in `abs(f(2) - 3) < 1e-6` may be an expected value."""
    asked = [node.value for node in walk(tree) if isinstance(node, ast.Attribute) and node.attr not in PLAIN_NAMES]
    names = {node.id for node in asked if isinstance(node, ast.Name)}
    sources = [
        each.source
        for each in bindings(tree)
        if not each.to_items and isinstance(each.target, ast.Name) and bound_names(each.target) & names
    ]
    found = set[int]()
    todo: list[ast.expr | None] = [node for node in (*asked, *sources) if not isinstance(node, ast.Name)]
    for node in todo:
        match node:
            case ast.BinOp(left=left, right=right):
                todo += [left, right]
            case ast.Call(func=ast.Attribute(value=owner)):
                # What a plain value's own methods return is plain too.
                todo.append(owner)
        found.add(id(node))
    return frozenset(found)
