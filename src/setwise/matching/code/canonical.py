"""A syntax tree without what a model can vary for free. Programs with equal trees give equal results.

| dropped | but not |
| --- | --- |
| the program's own names, docstrings | names of classes that are decorated or derived, which a result may show |
| annotations | one that may fail where it is evaluated; the fields of a dataclass |
| what does nothing or is never reached (`dead_code`), a main guard | what still makes a generator or a local name |
| unused imports and assignments of constants (`unused`) | of names that a test may read, of modules that may fail |
| `+ 0`, `* 1` (`integers`) | where the other side may not be an `int` |

A program that reads its own source (`reflection`) stays as written. Results are those of its functions and classes,
called by whatever names they have. Error messages, the texts of functions and classes, and time do not count.
"""

import ast

from setwise.matching.code.annotations import drop_annotations
from setwise.matching.code.dead_code import drop_dead_code, mark_what_was_lost, without_main_guard
from setwise.matching.code.integers import drop_neutral_arithmetic
from setwise.matching.code.reflection import looks_at_itself
from setwise.matching.code.renaming import rename
from setwise.matching.code.scopes import ScopeMap
from setwise.matching.code.unused import drop_unused

ROUNDS = 10
"""Dropping something may leave more to drop. A program built to need many rounds is not worth them."""


def canonical_tree(tree: ast.Module) -> ast.Module:
    """The canonical tree of a program that compiles. May change `tree`."""
    written, tree = tree, without_main_guard(tree)
    before = ScopeMap(tree)
    if looks_at_itself(before):
        return written
    drop_annotations(tree, before)
    drop_dead_code(tree)
    scopes = _without_unused(tree)
    drop_neutral_arithmetic(scopes)
    rename(ScopeMap(tree) if mark_what_was_lost(scopes, before) else scopes)
    return tree


def _without_unused(tree: ast.Module) -> ScopeMap:
    for _ in range(ROUNDS):
        scopes = ScopeMap(tree)
        if not drop_unused(scopes):
            return scopes
        drop_dead_code(tree)
    return ScopeMap(tree)
