"""Whether a program compiles. A program that parses may still be refused, for a `break` outside a loop or a late
`global`.

Programs come from a model, so the work is bounded in advance. The compiler copies a `finally` block for every way into
it, which doubles with each level of nesting.
"""

import ast
import warnings
from collections import defaultdict

from setwise.matching.code.scopes import nodes_of, parts_of

MAX_WORK = 500_000
_WAYS_OUT = (ast.Return, ast.Break, ast.Continue)


def compiles(program: str, tree: ast.Module) -> bool:
    """Also False if finding out would take too long."""
    if _work(tree) > MAX_WORK:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(program, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, SystemError):
        return False
    return True


def _work(tree: ast.Module) -> int:
    """How many nodes are compiled, counting every copy."""
    size: defaultdict[ast.AST, int] = defaultdict(int)
    ways_out: defaultdict[ast.AST, int] = defaultdict(int)
    nodes = nodes_of(tree)
    if not any(getattr(node, "finalbody", None) for node in nodes):
        return len(nodes)
    for node in reversed(nodes):
        size[node] = 1 + sum(size[part] for part in parts_of(node))
        ways_out[node] = isinstance(node, _WAYS_OUT) + sum(ways_out[part] for part in parts_of(node))
        if isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
            last_size, last_ways = (sum(found[each] for each in node.finalbody) for found in (size, ways_out))
            more_often = 1 + ways_out[node] - last_ways
            size[node] += more_often * last_size
            ways_out[node] += more_often * last_ways
    return size[tree]
