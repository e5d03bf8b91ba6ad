"""Replaces every name that a program binds by the number of its scope and of its first place there.

Names that it does not bind (built-ins), attributes, names in a class and keywords of foreign calls stay, since they
carry meaning.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from setwise.matching.code.keywords import keywords_of
from setwise.matching.code.scopes import BUILTINS, FUNCTIONS, SCOPES, ScopeMap, all_args


def rename(scopes: ScopeMap) -> None:
    """Changes the tree in place."""
    keywords = keywords_of(scopes)
    symbols = _Symbols(scopes, keywords.kept_parameters)
    for node, scope in scopes.placed:
        symbols.number(node)
        match node:
            case ast.Name(id=name):
                node.id = symbols.of(name, scope)
            case ast.arg(arg=name):
                node.arg = symbols.of(name, scope)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                node.name = symbols.of(name, scope)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                node.name = symbols.of(name, scope)
            case ast.MatchMapping(rest=str(name)):
                node.rest = symbols.of(name, scope)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                node.names = [symbols.of(name, scope) for name in names]
            case ast.alias() if node.asname or ("." not in node.name and node.name != "*"):
                node.asname = symbols.of(node.asname or node.name, scope)
    keywords.rename()


@dataclass
class _Symbols:
    _scopes: ScopeMap
    _kept_parameters: set[str]
    _of_module: set[str] = field(init=False)
    _kept: set[str] = field(init=False)
    _numbers: dict[ast.AST, int] = field(init=False)
    _known: dict[ast.AST, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        module = self._scopes.module
        bound = set[str]().union(*(bindings.of_module for bindings in self._scopes.bindings.values()))
        # A built-in that the module rebinds may be read before that.
        self._of_module = (self._scopes.bindings[module].bound | bound) - BUILTINS
        if any(isinstance(node, ast.alias) and node.name == "*" for node, _ in self._scopes.placed):
            self._of_module = set()  # and so may be rebound
        self._kept = set(_names_with_meaning(self._scopes))
        self._numbers = {module: 0}

    def number(self, node: ast.AST) -> None:
        if isinstance(node, SCOPES):
            self._numbers[node] = len(self._numbers)

    def of(self, name: str, scope: ast.AST) -> str:
        """The new name of a name."""
        owner = self._scopes.owner(name, scope)
        if name in self._kept or isinstance(owner, ast.ClassDef):
            return name
        if owner is self._scopes.module and name not in self._of_module:
            return name
        known = self._known.get(owner)
        if known is None:
            known = self._known[owner] = {each: each for each in _parameters(owner) & self._kept_parameters}
        return known.setdefault(name, f"{self._numbers[owner]}.{len(known)}")


def _parameters(scope: ast.AST) -> set[str]:
    return {arg.arg for arg in all_args(scope.args)} if isinstance(scope, FUNCTIONS) else set()


def _names_with_meaning(scopes: ScopeMap) -> Iterator[str]:
    """Names that the language itself reads: `import os.path` binds `os`, and a class's name appears in the text of its
    objects.

    The same holds for a name that a class both reads and binds: before it is bound there, it is the module's.
    """
    for node, scope in scopes.placed:
        match node:
            case ast.alias(name=name, asname=None) if "." in name:
                yield name.partition(".")[0]
            case ast.ClassDef(name=name) if node.decorator_list or node.bases:
                yield name
            case ast.Name(id=name, ctx=ast.Load()) if isinstance(scopes.owner(name, scope), ast.ClassDef):
                yield name
