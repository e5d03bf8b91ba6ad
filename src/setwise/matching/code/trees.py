"""When two programs are the same: by their syntax trees, raw or canonical.

Programs come from a model, so parsing is bounded: a program that is too long or too deeply nested counts as not
parsing.
"""

import ast
import hashlib
import warnings
from functools import lru_cache
from typing import Literal

from setwise.matching.code.canonical import canonical_tree
from setwise.matching.code.compiling import compiles

Uniqueness = Literal["ast_raw", "ast_canonical"]
MAX_CHARACTERS = 50_000
KEY_CHARACTERS = 16
"""64 bits keep records small, and no two of a million programs get the same key by chance."""


def parse_program(program: str) -> ast.Module | None:
    """The tree, or None if the program does not parse."""
    if len(program) > MAX_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=4096)
def tree_key(program: str, uniqueness: Uniqueness = "ast_raw") -> str | None:
    """A digest of the tree. With `ast_raw`, it is equal for programs that differ only in white space and comments; with
    `ast_canonical`, also in names and whatever does not change the result. None if the program does not parse.

    >>> tree_key("x = 1 # one") == tree_key("x  =  1"), tree_key("x = 1") == tree_key("y = 1")
    (True, False)
    >>> tree_key("x = 1", "ast_canonical") == tree_key("y: int = 1", "ast_canonical")
    True
    """
    tree = parse_program(program)
    if tree is None:
        return None
    try:
        if uniqueness == "ast_canonical":
            # A program that does not compile never runs, and what would be dropped may be the reason.
            dump = _dumped(canonical_tree(tree)) if compiles(program, tree) else f"as written: {_dumped(tree)}"
        else:
            dump = _dumped(tree)
    except (RecursionError, MemoryError):
        return None
    return hashlib.sha256(dump.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_CHARACTERS]


def _dumped(tree: ast.Module) -> str:
    try:
        return ast.dump(tree)
    except ValueError:  # Python writes no integer of more than 4,300 digits in decimal: that is quadratic.
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, int):
                node.value = f"the number {node.value:#x}"
        return ast.dump(tree)
