"""What each scope of a program binds, and which scope a name belongs to."""

import ast
import builtins
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)
BUILTINS = frozenset(dir(builtins))
_UNTOUCHED = frozenset(name for name in BUILTINS if name.startswith("__"))


def outer_parts(node: ast.AST) -> list[ast.AST]:
    """The parts of a scope that are evaluated outside it."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, FUNCTIONS):
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        annotations = [arg.annotation for arg in all_args(node.args)] + [getattr(node, "returns", None)]
        return [*getattr(node, "decorator_list", []), *defaults, *(each for each in annotations if each is not None)]
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    return []


def parts_of(node: ast.AST) -> list[ast.AST]:
    """The nodes inside, in order, without operators and the like, which have no parts and bind nothing."""
    parts: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            parts += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST) and value._fields:
            parts.append(value)
    return parts


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """All nodes, each before its parts."""
    found = [tree]
    for node in found:
        found += parts_of(node)
    return found


def inner_parts(node: ast.AST) -> list[ast.AST]:
    """The parts inside, with generators before the element, in the order they are bound."""
    if isinstance(node, ast.DictComp):
        return [*node.generators, node.key, node.value]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return [*node.generators, node.elt]
    return parts_of(node)


def all_args(node: ast.arguments) -> list[ast.arg]:
    special = [arg for arg in (node.vararg, node.kwarg) if arg]
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *special]


@dataclass
class Bindings:
    bound: set[str]
    """Names bound in the scope itself, not in inner ones."""
    declared_global: set[str]
    declared_nonlocal: set[str]
    of_module: set[str]
    """Names that the scope binds for the module."""


def bound_by(node: ast.AST) -> str | None:
    """The name that this node binds, if any."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
        case ast.MatchMapping(rest=name):
            return name
        case ast.alias(name=name, asname=asname) if asname or ("." not in name and name != "*"):
            return asname or name
    return None


def bindings_of(scope: ast.AST) -> Bindings:
    bound: set[str] = set()
    declared_global: set[str] = set()
    declared_nonlocal: set[str] = set()
    for node in own_nodes(scope):
        if (name := bound_by(node)) is not None:
            bound.add(name)
        elif isinstance(node, ast.Global):
            declared_global.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            declared_nonlocal.update(node.names)
    bound -= _UNTOUCHED
    own = bound - declared_global - declared_nonlocal
    return Bindings(own, declared_global, declared_nonlocal, bound & declared_global)


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of inner scopes. A name that `:=` binds in a comprehension belongs to the
    scope around it."""
    is_comprehension = isinstance(scope, COMPREHENSIONS)
    outer = {id(part) for part in outer_parts(scope)}
    todo = list(inner_parts(scope))
    while todo:
        node = todo.pop()
        if id(node) in outer:
            continue
        yield node
        if isinstance(node, ast.NamedExpr) and is_comprehension:
            todo.append(node.value)
        else:
            todo += outer_parts(node) if isinstance(node, SCOPES) else parts_of(node)
        if isinstance(node, COMPREHENSIONS) and not is_comprehension:
            todo += _targets_of_walrus(node)


def _targets_of_walrus(comprehension: ast.AST) -> Iterator[ast.Name]:
    """In the comprehension and those inside it, except in its first source, which the outer scope has covered."""
    outer = outer_parts(comprehension)
    todo = list(inner_parts(comprehension))
    while todo:
        node = todo.pop()
        if node in outer:
            continue
        if isinstance(node, ast.NamedExpr):
            yield node.target
        todo += outer_parts(node) if isinstance(node, FUNCTIONS) else parts_of(node)


class ScopeMap:
    """The scopes of a program when this was created, and the nodes in each."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = tree
        self.parents: dict[ast.AST, ast.AST] = {}
        self.bindings: dict[ast.AST, Bindings] = {tree: bindings_of(tree)}
        self.placed = list(self._walk(tree))
        """Each node with the scope it is evaluated in, in the order written, without operators and the like."""

    def owner(self, name: str, scope: ast.AST) -> ast.AST:
        """The scope that a name belongs to; the module also for names that nothing binds."""
        inside = True
        while scope is not self.module:
            bindings = self.bindings[scope]
            if name in bindings.declared_global:
                break
            if name in bindings.bound and (inside or not isinstance(scope, ast.ClassDef)):
                return scope
            scope, inside = self.parents[scope], False
        return self.module

    def readers(self) -> Iterator[tuple[ast.AST, str]]:
        """The scope and name of each variable that is read or deleted somewhere, or declared by an inner scope."""
        for node, scope in self.placed:
            match node:
                case ast.Name(id=name, ctx=ast.Load() | ast.Del()) | ast.AugAssign(target=ast.Name(id=name)):
                    owner = self.owner(name, scope)
                    yield owner, name
                    if isinstance(owner, ast.ClassDef):  # read before it is bound there, it is the module's
                        yield self.module, name
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    yield from ((self.owner(name, scope), name) for name in names)

    def generators(self) -> set[ast.AST]:
        return {scope for node, scope in self.placed if isinstance(node, ast.Yield | ast.YieldFrom)}

    def times_bound(self) -> Counter[tuple[ast.AST, str]]:
        """The number of places that bind each variable."""
        found = ((bound_by(node), scope) for node, scope in self.placed)
        return Counter((self.owner(name, scope), name) for name, scope in found if name is not None)

    def names_bound(self) -> set[str]:
        """Names bound in any scope."""
        return {name for node, _ in self.placed if (name := bound_by(node)) is not None}

    def _walk(self, tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
        todo: list[tuple[ast.AST, ast.AST]] = [(part, tree) for part in reversed(tree.body)]
        while todo:
            node, scope = todo.pop()
            yield node, scope
            if isinstance(node, ast.arg):
                continue
            if not isinstance(node, SCOPES):
                todo += [(part, scope) for part in reversed(parts_of(node))]
                continue
            self.parents[node], self.bindings[node] = scope, bindings_of(node)
            outer = outer_parts(node)
            theirs = {id(part) for part in outer}
            todo += [(part, node) for part in reversed(list(_parts_inside(node, theirs)))]
            todo += [(part, scope) for part in reversed(outer)]


def _parts_inside(scope: ast.AST, outer: set[int]) -> Iterator[ast.AST]:
    """The parts of a scope, except those evaluated outside it, which may be nested in `arguments` or a
    `comprehension`."""
    for part in inner_parts(scope):
        if isinstance(part, ast.arguments):
            yield from all_args(part)
        elif isinstance(part, ast.comprehension):
            yield from (child for child in parts_of(part) if id(child) not in outer)
        elif id(part) not in outer:
            yield part
