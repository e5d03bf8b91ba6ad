"""A syntax tree without what a model can vary for free: names, docstrings, annotations.

Every name that the program binds is replaced by the number of its scope and of its first appearance there. Names it
does not bind (built-ins), attributes and keywords of foreign calls stay, since they carry meaning.
"""

import ast
import builtins
from dataclasses import dataclass, field

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (*_FUNCTIONS, *_COMPREHENSIONS, ast.ClassDef)


def canonical_tree(tree: ast.Module) -> ast.Module:
    """Changes `tree` in place and returns it."""
    _Stripper().visit(tree)
    _Renamer(tree).visit_body(tree)
    return tree


class _Stripper(ast.NodeTransformer):
    """Drops docstrings and annotations."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if _is_docstring(node.body):
                node.body = node.body[1:] or [ast.Pass()]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)


def _is_docstring(body: list[ast.stmt]) -> bool:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *_]:
            return True
    return False


@dataclass
class _Scope:
    number: int
    bound: set[str]
    is_class: bool = False
    symbols: dict[str, str] = field(default_factory=dict)

    def symbol(self, name: str) -> str:
        return self.symbols.setdefault(name, f"_{self.number}_{len(self.symbols)}")


class _Renamer(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self._chain = [_Scope(0, _bound_here(tree))]
        self._count = 0
        self._parameters = {
            arg.arg for node in ast.walk(tree) if isinstance(node, ast.arguments) for arg in _all_args(node)
        }

    def visit_body(self, tree: ast.Module) -> None:
        for statement in tree.body:
            self.visit(statement)

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.name = self._rename(node.name)
        if isinstance(node, _SCOPES):
            self._visit_scope(node)
            return
        self._rename_here(node)
        self.generic_visit(node)

    def _rename_here(self, node: ast.AST) -> None:
        match node:
            case ast.Name():
                node.id = self._rename(node.id)
            case ast.arg():
                node.arg = self._rename(node.arg)
            case ast.keyword(arg=str() as name) if name in self._parameters:
                # A parameter's new name depends on its function; that the keyword is one of ours is all that is kept.
                node.arg = "_parameter"
            case ast.ExceptHandler(name=str() as name):
                node.name = self._rename(name)
            case ast.Global() | ast.Nonlocal():
                node.names = [self._rename(name) for name in node.names]
            case ast.alias() if node.asname or ("." not in node.name and node.name != "*"):
                node.asname = self._rename(node.asname or node.name)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                node.name = self._rename(name)

    def _visit_scope(self, node: ast.AST) -> None:
        """Decorators, defaults, bases and a comprehension's first source belong to the scope outside."""
        for part in _outer_parts(node):
            self.visit(part)
        self._count += 1
        self._chain.append(_Scope(self._count, _bound_here(node), isinstance(node, ast.ClassDef)))
        outer = {id(part) for part in _outer_parts(node)}
        for part in _inner_parts(node):
            if id(part) not in outer:
                self._visit_inner(part, outer)
        self._chain.pop()

    def _visit_inner(self, part: ast.AST, outer: set[int]) -> None:
        if isinstance(part, ast.arguments):
            for arg in _all_args(part):
                self.visit(arg)
        elif isinstance(part, ast.comprehension):
            for child in ast.iter_child_nodes(part):
                if id(child) not in outer:
                    self.visit(child)
        else:
            self.visit(part)

    def _rename(self, name: str) -> str:
        for depth, scope in enumerate(reversed(self._chain)):
            if name in scope.bound and not (scope.is_class and depth):
                # A class's attributes are reached by name from elsewhere.
                return name if scope.is_class else scope.symbol(name)
        return name


def _outer_parts(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, _FUNCTIONS):
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        return [*getattr(node, "decorator_list", []), *defaults]
    if isinstance(node, _COMPREHENSIONS):
        return [node.generators[0].iter]
    return []


def _inner_parts(node: ast.AST) -> list[ast.AST]:
    """Generators before the element, as they are bound."""
    if isinstance(node, ast.DictComp):
        return [*node.generators, node.key, node.value]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return [*node.generators, node.elt]
    return list(ast.iter_child_nodes(node))


def _all_args(node: ast.arguments) -> list[ast.arg]:
    special = [arg for arg in (node.vararg, node.kwarg) if arg]
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *special]


def _bound_here(scope: ast.AST) -> set[str]:
    """Names bound in this scope itself, not in those inside it."""
    bound: set[str] = set()
    elsewhere: set[str] = set()
    todo = list(_inner_parts(scope))
    outer = {id(part) for part in _outer_parts(scope)}
    while todo:
        node = todo.pop()
        if id(node) in outer:
            continue
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case (
                ast.ExceptHandler(name=str() as name)
                | ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
            ):
                bound.add(name)
            case ast.alias(name=name, asname=asname) if asname or ("." not in name and name != "*"):
                bound.add(asname or name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                elsewhere.update(names)
        todo += _outer_parts(node) if isinstance(node, _SCOPES) else ast.iter_child_nodes(node)
    return bound - elsewhere - _UNTOUCHED


_UNTOUCHED = frozenset(name for name in dir(builtins) if name.startswith("__"))
