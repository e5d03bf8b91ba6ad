"""The program's share of the setup, divided by the tests that need it.

A part reaches the program's process with the first test that needs it, because the argument of a later test may be the
answer to an earlier one.
"""

import ast
import symtable
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .setup_code import fixed_names

_CODE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class _Statement:
    node: ast.stmt
    binds: frozenset[str]
    loads: frozenset[str]


def parts_for(share: Sequence[ast.stmt], tests: Sequence[str]) -> tuple[str, ...]:
    """One text per test. What no test asks for by name goes with the first, including imports, since the program itself
    may need them."""
    if not share:
        return ("",) * len(tests)
    statements = [_Statement(node, *_global_names(ast.unparse(node))) for node in share]
    changeable = _changeable(statements)
    needed = [_needed(_global_names(test)[1], statements, changeable) for test in tests]
    claimed = set[int]().union(*needed)
    free = {n for n, s in enumerate(statements) if n not in claimed or isinstance(s.node, _IMPORTS)}
    needed[0] |= free | _needed(_union(statements[n].loads for n in free), statements, changeable)
    texts, sent = [], set[int]()
    for numbers in needed:
        texts.append("\n".join(ast.unparse(share[n]) for n in sorted(numbers - sent)))
        sent |= numbers
    return tuple(texts)


def _needed(names: frozenset[str], statements: Sequence[_Statement], changeable: frozenset[str]) -> set[int]:
    """The statements that make these names or may change their values, and those that they depend on in turn."""
    found: set[int] = set()
    wanted = set(names)
    before = -1
    while len(found) > before:
        before = len(found)
        for number, statement in enumerate(statements):
            changes = frozenset() if isinstance(statement.node, _CODE) else statement.loads & changeable
            if number not in found and (statement.binds | changes) & wanted:
                found.add(number)
                wanted |= statement.binds | statement.loads
    return found


def _changeable(statements: Sequence[_Statement]) -> frozenset[str]:
    """Names that hold neither code nor a module nor a plain constant."""
    bound = _union(s.binds for s in statements if not isinstance(s.node, (*_CODE, *_IMPORTS)))
    return bound - fixed_names(ast.Module([s.node for s in statements], []))


def _global_names(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The global names that a text binds, and those that it reads, in any scope."""
    top = symtable.symtable(text, "<setup>", "exec")
    binds = frozenset(s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported())
    loads = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    inner = top.get_children()
    for table in inner:
        loads.update(s.get_name() for s in table.get_symbols() if s.is_global())
        inner += table.get_children()
    return binds, frozenset(loads)


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)
