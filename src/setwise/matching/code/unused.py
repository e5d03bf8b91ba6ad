"""Drops what a program never reads: constants assigned to local names, and imports of plain modules.

Names of the module or of a class stay, since a test may read them; an imported module is not part of what a program
offers. Other values stay, since computing them may fail or have effects. So do imports that may.
"""

import ast
from collections.abc import Iterator
from typing import Any

from setwise.matching.code.modules import member
from setwise.matching.code.scopes import FUNCTIONS, ScopeMap, bound_by

_BLOCKS = ("body", "orelse", "finalbody")


def drop_unused(scopes: ScopeMap) -> bool:
    """Changes the tree in place and may leave a block empty. Returns whether there was anything to drop."""
    unused = _Unused(scopes)
    for node in [scopes.module, *(node for node, _ in scopes.placed)]:
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [each for each in block if not unused.is_emptied(each)])
    return unused.found


class _Unused:
    def __init__(self, scopes: ScopeMap) -> None:
        self._scopes = scopes
        self._read = set(scopes.readers())
        self._names_read = {name for _, name in self._read}
        self._times_bound = scopes.times_bound()
        self._of_statement = {node: scope for node, scope in scopes.placed if isinstance(node, ast.stmt)}
        self.found = False

    def is_emptied(self, statement: ast.stmt) -> bool:
        """Remove the unused names from a statement. Returns whether none is left."""
        match statement:
            case ast.Assign(value=value) if _is_inert(value):
                statement.targets = self._used(statement, statement.targets)
                return not statement.targets
            case ast.Import() | ast.ImportFrom():
                statement.names = self._used(statement, statement.names)
                return not statement.names
        return False

    def _used(self, statement: ast.stmt, binders: list[Any]) -> list[Any]:
        scope = self._of_statement[statement]
        kept = [each for each in binders if not self._is_unused(each, statement, scope)]
        self.found |= len(kept) < len(binders)
        return kept

    def _is_unused(self, binder: ast.AST, statement: ast.stmt, scope: ast.AST) -> bool:
        name = bound_by(binder)
        if name is None:
            return isinstance(binder, ast.alias) and self._is_unused_submodule(binder, statement, scope)
        owner = self._scopes.owner(name, scope)
        if isinstance(binder, ast.alias):
            is_seen = isinstance(scope, ast.ClassDef) or self._times_bound[owner, name] > 1
            may_go = not is_seen and _is_plain(binder, statement)
        else:
            may_go = isinstance(scope, FUNCTIONS)
        return may_go and owner is scope and (owner, name) not in self._read

    def _is_unused_submodule(self, alias: ast.alias, statement: ast.stmt, scope: ast.AST) -> bool:
        """`import os.path`, which binds `os`."""
        name = alias.name.partition(".")[0]
        plain = (
            isinstance(statement, ast.Import) and not isinstance(scope, ast.ClassDef) and _is_plain(alias, statement)
        )
        return plain and name not in self._names_read


def _is_plain(alias: ast.alias, statement: ast.stmt) -> bool:
    """Whether the import cannot fail and does nothing but bind the name."""
    match statement:
        case ast.ImportFrom(module=str(module), level=0):
            return member(module, alias.name) is not None
        case ast.Import():
            return member(alias.name) is not None
    return False


def _is_inert(value: ast.expr) -> bool:
    """A constant, or a display of constants that cannot fail."""
    return all(_is_inert_part(node) for node in _expressions(value))


def _is_inert_part(node: ast.expr) -> bool:
    match node:
        case ast.Constant() | ast.Tuple() | ast.List():
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() | complex())):
            return True
        case ast.Dict(keys=keys):
            return all(isinstance(key, ast.Constant) for key in keys)
        case ast.Set(elts=elements):
            return all(isinstance(element, ast.Constant) for element in elements)
    return False


def _expressions(value: ast.expr) -> Iterator[ast.expr]:
    return (node for node in ast.walk(value) if isinstance(node, ast.expr))
