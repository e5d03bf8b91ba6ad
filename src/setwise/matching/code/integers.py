"""Drops `+ 0`, `- 0`, `* 1` and `// 1` if the other side is certainly an `int`.

Elsewhere they matter: `x + 0` fails for a string, turns True into 1 and -0.0 into 0.0; `x * 1` copies a list. Certain
are whole numbers, `len`, `int` and `ord`, the counters of `range` and `enumerate`, arithmetic on those, and local names
bound only to these. Parameters are never certain. `x += 0` stays too, because it fails if `x` is unbound.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator

from setwise.matching.code.scopes import COMPREHENSIONS, ScopeMap, nodes_of

ROUNDS = 10
_CLOSED = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
_NEUTRAL = {ast.Add: 0, ast.Sub: 0, ast.Mult: 1, ast.FloorDiv: 1}
_ON_EITHER_SIDE = (ast.Add, ast.Mult)

Variable = tuple[ast.AST, str]


def drop_neutral_arithmetic(scopes: ScopeMap) -> None:
    """Changes the tree in place."""
    if not any(isinstance(node, ast.BinOp) and any(_without_neutral(node)) for node, _ in scopes.placed):
        return
    integers = _integers(scopes)
    for node in reversed(nodes_of(scopes.module)):  # inner expressions first
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = [_simplified(each, integers) for each in value]
            elif isinstance(value, ast.BinOp):
                setattr(node, name, _simplified(value, integers))


def _simplified(node: ast.AST, integers: set[ast.AST]) -> ast.AST:
    if isinstance(node, ast.BinOp):
        return next((rest for rest in _without_neutral(node) if rest in integers), node)
    return node


def _without_neutral(node: ast.BinOp) -> Iterator[ast.expr]:
    """For each neutral side, the other side."""
    neutral = _NEUTRAL.get(type(node.op))
    if _is_whole(node.right, neutral):
        yield node.left
    if isinstance(node.op, _ON_EITHER_SIDE) and _is_whole(node.left, neutral):
        yield node.right


def _is_whole(node: ast.expr, value: int | None) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == value


def _integers(scopes: ScopeMap) -> set[ast.AST]:
    """The expressions that are an `int`, and not a `bool`, whenever they have a value."""
    language = _Language(scopes)
    sources = _sources(scopes, language)
    variables = set(sources)
    for _ in range(ROUNDS):
        found = _integers_given(variables, scopes, language)
        wrong = {each for each in variables if not all(source in found for source in sources[each])}
        if not wrong:
            return found
        variables -= wrong
    return _integers_given(set(), scopes, language)


def _integers_given(variables: set[Variable], scopes: ScopeMap, language: "_Language") -> set[ast.AST]:
    found: set[ast.AST] = set()
    for node, scope in reversed(scopes.placed):  # parts before the whole
        match node:
            case ast.Constant(value=value):
                sure = type(value) is int
            case ast.Name(id=name, ctx=ast.Load()):
                sure = (scopes.owner(name, scope), name) in variables
            case ast.Call(func=ast.Name(id="len" | "int" | "ord" as name)):
                sure = name in language
            case ast.BinOp(left=left, op=op, right=right):
                sure = isinstance(op, _CLOSED) and left in found and right in found
            case ast.AugAssign(op=op, value=value):
                sure = isinstance(op, _CLOSED) and value in found
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=value) | ast.NamedExpr(value=value):
                sure = value in found
            case ast.IfExp(body=body, orelse=orelse):
                sure = body in found and orelse in found
            case _:
                sure = False
        if sure:
            found.add(node)
    return found


class _Language:
    """The built-ins that the program does not rebind."""

    def __init__(self, scopes: ScopeMap) -> None:
        self._has_star = any(isinstance(node, ast.alias) and node.name == "*" for node, _ in scopes.placed)
        self._bound = scopes.names_bound()

    def __contains__(self, name: str) -> bool:
        return name not in self._bound and not self._has_star


def _sources(scopes: ScopeMap, language: _Language) -> dict[Variable, list[ast.AST]]:
    """What each local variable is bound to, for those whose every binding may be an integer."""
    sources: defaultdict[Variable, list[ast.AST]] = defaultdict(list)
    explained: Counter[Variable] = Counter()
    for node, scope in scopes.placed:
        for target, value in _assigned(node):
            variable = scopes.owner(target.id, scope), target.id
            sources[variable].append(value)
            explained[variable] += 1
        inside = node if isinstance(node, COMPREHENSIONS) else scope
        for loop in node.generators if isinstance(node, COMPREHENSIONS) else [node]:
            if (counter := _counter_of(loop, language)) is not None:
                variable = scopes.owner(counter.id, inside), counter.id
                sources.setdefault(variable, [])
                explained[variable] += 1
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            explained[scopes.owner(node.id, scope), node.id] += 1
    times = scopes.times_bound()
    return {
        variable: found
        for variable, found in sources.items()
        if explained[variable] == times[variable] and not isinstance(variable[0], ast.Module | ast.ClassDef)
    }


def _assigned(node: ast.AST) -> Iterator[tuple[ast.Name, ast.AST]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets if isinstance(target, ast.Name))
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.AugAssign(target=ast.Name() as target):
            yield target, node


def _counter_of(loop: ast.AST, language: _Language) -> ast.Name | None:
    if not isinstance(loop, ast.For | ast.comprehension):
        return None
    match loop.target, loop.iter:
        case ast.Name() as counter, ast.Call(func=ast.Name(id="range")) if "range" in language:
            return counter
        case (
            ast.Tuple(elts=[ast.Name() as counter, *_]),
            ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]),
        ) if "enumerate" in language:
            return counter
    return None
