"""What the tests of a problem reveal: the values they call with, and those they expect."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from setwise.matching.code.trees import parse_program

ORDINARY = frozenset(map(repr, (None, True, False, 0, 1, -1, 2, 0.0, 1.0, "", " ", ",", [], (), {})))
"""Values that any program may compare with, whatever its tests are."""


@dataclass(frozen=True)
class KnownTests:
    """What the tests of a problem call, with what, and what they expect."""

    functions: frozenset[str] = frozenset()
    inputs: frozenset[str] = field(default_factory=frozenset)
    """Every literal argument, as Python writes it and as text, without ordinary values."""
    results: frozenset[str] = field(default_factory=frozenset)


@lru_cache(maxsize=1024)
def read_tests(tests: tuple[str, ...]) -> KnownTests:
    """
    >>> sorted(read_tests(("assert area(17, 3) == 51",)).results)
    ['51']
    """
    functions, inputs, results = set(), set(), set()
    for test in tests:
        tree = parse_program(test)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                functions.add(node.func.id)
                inputs |= {found for argument in node.args for found in literals(argument)}
                inputs |= {repr(found) for argument in node.args for found in written_value(argument)}
            if isinstance(node, ast.Compare) and len(node.comparators) == 1:
                results |= {found for side in (node.left, *node.comparators) for found in literals(side)}
    return KnownTests(frozenset(functions), frozenset(inputs - ORDINARY), frozenset(results - ORDINARY))


def literals(node: ast.expr) -> Iterator[str]:
    """A literal and the parts it consists of, as Python writes them."""
    own = written_value(node)
    yield from own
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        for part in node.elts:
            yield from written_value(part)


def written_value(node: ast.expr) -> set[str]:
    try:
        return {repr(ast.literal_eval(node))} - ORDINARY
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return set()
