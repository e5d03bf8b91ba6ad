"""A syntax tree without what a model can vary for free: names, docstrings, annotations.

Every name that the program binds is replaced by the number of its scope and of its first appearance there. Names it
does not bind (built-ins), attributes and keywords of foreign calls stay, since they carry meaning. A keyword of one of
the program's own functions is replaced by the place of its parameter.
"""

import ast
from dataclasses import dataclass, field

from setwise.matching.code.scopes import (
    BUILTINS,
    FUNCTIONS,
    SCOPES,
    Bindings,
    all_args,
    bindings_of,
    inner_parts,
    outer_parts,
)


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
        if getattr(node, "body", None) == [] and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]  # type: ignore[attr-defined]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        # In a dataclass or a NamedTuple each is a field, so their number stays.
        node.body = [ast.Pass() if _is_bare_annotation(statement) else statement for statement in node.body]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if _is_bare_annotation(node):
            return None
        self.generic_visit(node)
        assert node.value
        return ast.Assign([node.target], node.value)


def _is_bare_annotation(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AnnAssign) and statement.value is None


def _is_docstring(body: list[ast.stmt]) -> bool:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *_]:
            return True
    return False


@dataclass
class _Scope:
    number: int
    bound: set[str]
    declared_global: set[str]
    is_class: bool = False
    symbols: dict[str, str] = field(default_factory=dict)

    def symbol(self, name: str) -> str:
        return self.symbols.setdefault(name, f"_{self.number}_{len(self.symbols)}")


class _Renamer(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        scopes = (node for node in ast.walk(tree) if isinstance(node, (ast.Module, *SCOPES)))
        self._bindings: dict[ast.AST, Bindings] = {node: bindings_of(node) for node in scopes}
        of_module = set[str]().union(*(bindings.of_module for bindings in self._bindings.values()))
        self._chain = [_Scope(0, self._bindings[tree].bound | of_module, set())]
        self._count = 0
        self._keywords = _OwnKeywords()

    def visit_body(self, tree: ast.Module) -> None:
        for statement in tree.body:
            self.visit(statement)
        self._keywords.rename()

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.name = self._rename(node.name)
        if isinstance(node, SCOPES):
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
            case ast.Call():
                self._keywords.collect(node)
            case ast.ExceptHandler(name=str() as name):
                node.name = self._rename(name)
            case ast.Global() | ast.Nonlocal():
                node.names = [self._rename(name) for name in node.names]
            case ast.alias() if node.asname or ("." not in node.name and node.name != "*"):
                node.asname = self._rename(node.asname or node.name)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                node.name = self._rename(name)
            case ast.MatchMapping(rest=str() as name):
                node.rest = self._rename(name)

    def _visit_scope(self, node: ast.AST) -> None:
        """Decorators, defaults, bases and a comprehension's first source belong to the scope outside."""
        self._keywords.learn(node)
        for part in outer_parts(node):
            self.visit(part)
        self._count += 1
        bindings = self._bindings[node]
        scope = _Scope(self._count, bindings.bound, bindings.declared_global, isinstance(node, ast.ClassDef))
        self._chain.append(scope)
        outer = {id(part) for part in outer_parts(node)}
        for part in inner_parts(node):
            if id(part) not in outer:
                self._visit_inner(part, outer)
        self._chain.pop()

    def _visit_inner(self, part: ast.AST, outer: set[int]) -> None:
        if isinstance(part, ast.arguments):
            for arg in all_args(part):
                self.visit(arg)
        elif isinstance(part, ast.comprehension):
            for child in ast.iter_child_nodes(part):
                if id(child) not in outer:
                    self.visit(child)
        else:
            self.visit(part)

    def _rename(self, name: str) -> str:
        for depth, scope in enumerate(reversed(self._chain)):
            if name in scope.declared_global:
                module = self._chain[0]
                return module.symbol(name) if name in module.bound else name
            if name in scope.bound and not (scope.is_class and depth):
                # A class's attributes are reached by name from elsewhere.
                return name if scope.is_class else scope.symbol(name)
        return name


@dataclass
class _OwnKeywords:
    """Keywords of calls, renamed when every function has been seen.

    Each becomes the place of its parameter in the function called, so that the names in other functions do not matter.
    A function is known by its new name, a method by its own, a class by its `__init__`. With any other callee, as in
    `partial(f, a=1)`, it is the place in the first function with such a parameter.
    """

    _calls: list[ast.Call | ast.ClassDef] = field(default_factory=list)
    _places: dict[str, dict[str, int]] = field(default_factory=dict)
    """By function, then by parameter."""
    _first_places: dict[str, str] = field(default_factory=dict)
    _functions: int = 0

    def learn(self, scope: ast.AST) -> None:
        """Of a scope that has its new name, while its parameters have their old ones."""
        if isinstance(scope, FUNCTIONS):
            self._functions += 1
            for place, arg in enumerate(all_args(scope.args)):
                self._first_places.setdefault(arg.arg, f"_parameter_{self._functions}_{place}")
        match scope:
            case ast.FunctionDef(name=name, args=args) | ast.AsyncFunctionDef(name=name, args=args):
                self._add(name, args)
            case ast.ClassDef(name=name, body=body):
                self.collect(scope)
                for statement in body:
                    if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                        self._add(name, statement.args)

    def collect(self, call: ast.Call | ast.ClassDef) -> None:
        if call.keywords:
            self._calls.append(call)

    def rename(self) -> None:
        for call in self._calls:
            if not _calls_builtin(call):
                places = self._places.get(_called_name(call), {})
                for keyword in call.keywords:
                    self._rename_one(keyword, places)

    def _add(self, function: str, args: ast.arguments) -> None:
        places = self._places.setdefault(function, {})
        for arg in all_args(args):
            places.setdefault(arg.arg, len(places))

    def _rename_one(self, keyword: ast.keyword, places: dict[str, int]) -> None:
        if keyword.arg in places:
            keyword.arg = f"_parameter_{places[keyword.arg]}"
        elif keyword.arg:
            keyword.arg = self._first_places.get(keyword.arg, keyword.arg)


def _called_name(call: ast.Call | ast.ClassDef) -> str:
    match call:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def _calls_builtin(call: ast.Call | ast.ClassDef) -> bool:
    """Known when names are new: a built-in's is the only one that is still a built-in's."""
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in BUILTINS
