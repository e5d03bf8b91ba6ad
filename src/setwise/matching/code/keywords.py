"""Keyword arguments of calls, when the parameter of that name is renamed.

If it is certain which of the program's own functions is called, a keyword becomes the position of its parameter. In
every other call it stays, and so does every parameter of that name: `xs.sort(key=key)` is not `xs.sort(reverse=...)`,
whatever the parameters around it are called.
"""

import ast
from dataclasses import dataclass, field
from typing import TypeGuard

from setwise.matching.code.scopes import BUILTINS, ScopeMap, all_args

_HANDED_ON = ("kwargs", "kwds")
"""Keywords of foreign calls that contain the keywords of another call."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Keywords:
    """What happens to each keyword, decided before any name is changed."""

    kept_parameters: set[str] = field(default_factory=set)
    _places: list[tuple[ast.keyword, str]] = field(default_factory=list)

    def rename(self) -> None:
        for keyword, place in self._places:
            keyword.arg = place


def keywords_of(scopes: ScopeMap) -> Keywords:
    own = _OwnFunctions(scopes)
    found = Keywords()
    for node, scope in scopes.placed:
        if isinstance(node, ast.Call) and node.keywords:
            if any(keyword.arg is None or keyword.arg in _HANDED_ON for keyword in node.keywords):
                names = {each.arg for each, _ in scopes.placed if isinstance(each, ast.arg)}
                return Keywords(kept_parameters=names)
            _decide(node, own.places(node, scope), own.is_builtin(node), found)
    found._places = [(keyword, place) for keyword, place in found._places if keyword.arg not in found.kept_parameters]
    return found


def _decide(call: ast.Call, places: dict[str, int], is_builtin: bool, found: Keywords) -> None:
    for keyword in call.keywords:
        assert keyword.arg is not None
        if keyword.arg in places:
            found._places.append((keyword, f"parameter {places[keyword.arg]}"))
        elif not is_builtin:
            found.kept_parameters.add(keyword.arg)


class _OwnFunctions:
    """The program's functions whose names certainly refer to them."""

    def __init__(self, scopes: ScopeMap) -> None:
        self._scopes = scopes
        self._times_bound = scopes.times_bound()
        self._bound = {name for _, name in self._times_bound}
        self._bound_inside = {name for scope, name in self._times_bound if scope is not scopes.module}
        self._patched = {node.attr for node, _ in scopes.placed if _is_stored_attribute(node)}
        self._has_star = any(isinstance(node, ast.alias) and node.name == "*" for node, _ in scopes.placed)
        self._top = {each.name: each for each in scopes.module.body if isinstance(each, Function | ast.ClassDef)}
        self._from_functools = {
            alias.asname or alias.name: alias.name
            for statement in scopes.module.body
            if (isinstance(statement, ast.ImportFrom) and statement.module == "functools")
            or isinstance(statement, ast.Import)
            for alias in statement.names
            if alias.name in ("partial", "functools")
        }
        self._methods = _methods_by_name(scopes)

    def is_builtin(self, call: ast.Call) -> bool:
        func = call.func
        return isinstance(func, ast.Name) and func.id in BUILTINS and func.id not in self._bound and not self._has_star

    def places(self, call: ast.Call, scope: ast.AST) -> dict[str, int]:
        """The position of each parameter; empty if it is not certain what is called."""
        match call.func:
            case ast.Name(id=name) if self._is_partial(name, "partial"):
                return self._places_of_partial(call, scope)
            case ast.Attribute(value=ast.Name(id=name), attr="partial") if self._is_partial(name, "functools"):
                return self._places_of_partial(call, scope)
            case ast.Name(id=name):
                return _places(self._at_the_top(name, scope))
            case ast.Attribute(value=ast.Name(id=receiver), attr=method):
                return _places(self._method(receiver, method, scope))
        return {}

    def _places_of_partial(self, call: ast.Call, scope: ast.AST) -> dict[str, int]:
        match call.args:
            case [ast.Name(id=name), *_]:
                return _places(self._at_the_top(name, scope))
        return {}

    def _is_partial(self, name: str, what: str) -> bool:
        """If nothing binds the name, calling it fails whatever the keywords are."""
        times = self._times_bound[self._scopes.module, name]
        if name in self._bound_inside or self._has_star:
            return False
        return self._from_functools.get(name) == what if times == 1 else times == 0 and name == what

    def _at_the_top(self, name: str, scope: ast.AST) -> Function | None:
        module = self._scopes.module
        is_certain = self._times_bound[module, name] == 1 and self._scopes.owner(name, scope) is module
        if not is_certain or name in BUILTINS or self._has_star:
            return None
        match self._top.get(name):
            case ast.FunctionDef(decorator_list=[]) | ast.AsyncFunctionDef(decorator_list=[]) as function:
                return function
            case ast.ClassDef(decorator_list=[], bases=[], keywords=[]) as made:
                return self._initialiser(made)
        return None

    def _initialiser(self, made: ast.ClassDef) -> Function | None:
        if (
            self._times_bound[made, "__init__"] != 1
            or self._times_bound[made, "__new__"]
            or "__init__" in self._patched
        ):
            return None
        found = [each for each in made.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
        return found[0] if found and not found[0].decorator_list else None

    def _method(self, receiver: str, name: str, scope: ast.AST) -> Function | None:
        """The method in `self.name()`, in a class whose methods nothing replaces."""
        if not isinstance(scope, Function) or not scope.args.args or scope.args.posonlyargs or scope.decorator_list:
            return None
        around = self._scopes.parents[scope]
        is_self = scope.args.args[0].arg == receiver and self._times_bound[scope, receiver] == 1
        found = self._methods.get(name)
        if not is_self or found is None or found.decorator_list or self._scopes.parents[found] is not around:
            return None
        return found


def _methods_by_name(scopes: ScopeMap) -> dict[str, Function]:
    """Methods that are certain: no class is derived from another, and the attribute has no other source."""
    if any(isinstance(node, ast.ClassDef) and (node.bases or node.decorator_list) for node, _ in scopes.placed):
        return {}
    methods: dict[str, Function] = {}
    unsure: set[str] = set()
    for node, scope in scopes.placed:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if isinstance(scope, ast.ClassDef):
                if name in methods:
                    unsure.add(name)
                methods[name] = node
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if isinstance(scope, ast.ClassDef):
                unsure.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) | ast.alias(asname=str(name)):
                unsure.add(name)
            case ast.ClassDef(name=name) | ast.alias(name=name) if isinstance(scope, ast.ClassDef):
                unsure.add(name)
            case ast.Call(func=ast.Name(id="setattr" | "delattr")):
                return {}
    return {name: method for name, method in methods.items() if name not in unsure}


def _is_stored_attribute(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)


def _places(function: Function | None) -> dict[str, int]:
    """Positions of the parameters that a keyword can reach."""
    if function is None:
        return {}
    reachable = [*function.args.args, *function.args.kwonlyargs]
    places = {arg.arg: place for place, arg in enumerate(all_args(function.args))}
    return {arg.arg: places[arg.arg] for arg in reachable}
