"""Programs whose results may depend on how they are written.

If a program reads its own names, docstrings or annotations, or evaluates text, even renaming a variable can matter, so
it is left unchanged. The list has what a program must mention to do so.
"""

import ast
from collections.abc import Iterator
from typing import TypeGuard

from setwise.matching.code.scopes import ScopeMap

_BUILTINS = "__import__ breakpoint compile dir eval exec globals help locals vars"
_MODULES = (
    "ast bdb builtins code codeop concurrent copyreg cProfile ctypes dis doctest gc imp importlib inspect marshal "
    "multiprocessing pdb pickle pickletools profile pydoc runpy sched shelve symtable threading trace traceback "
    "tracemalloc unittest"
)
_WORDS = (
    "__annotations__ __builtins__ __closure__ __code__ __defaults__ __dict__ __doc__ __file__ __func__ "
    "__getattribute__ __globals__ __kwdefaults__ __loader__ __module__ __prepare__ __qualname__ __spec__ "
    "__subclasses__ __traceback__ _current_frames _getframe ag_frame cr_frame cr_code f_back f_code f_globals f_locals "
    "get_annotations get_type_hints getsource gi_code gi_frame modules setprofile settrace signature singledispatch "
    "singledispatchmethod tb_frame tb_lineno"
)
BUILTINS, MODULES, WORDS = (frozenset(names.split()) for names in (_BUILTINS, _MODULES, _WORDS))


def looks_at_itself(scopes: ScopeMap) -> bool:
    """Whether any part of the program might see its own source."""
    has_class = any(isinstance(node, ast.ClassDef) for node, _ in scopes.placed)
    if has_class and any(_is_private(name) for name in _names(scopes)):
        return True  # Python puts the class's name before it
    known = {id(node.func) for node, _ in scopes.placed if _asks_for_known_attribute(node)}
    return any(_sees(node, scope, scopes, known) for node, scope in scopes.placed)


def _sees(node: ast.AST, scope: ast.AST, scopes: ScopeMap, harmless: set[int]) -> bool:
    match node:
        case ast.Name(id="getattr" | "hasattr"):
            return id(node) not in harmless
        case ast.Name(id=name):
            return name in BUILTINS | WORDS and scopes.owner(name, scope) is scopes.module
        case ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name in WORDS or name == "__name__" or _is_mangled(name)
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] in MODULES for alias in names)
        case ast.ImportFrom(module=module, names=names):
            return (module or "").partition(".")[0] in MODULES or any(alias.name in WORDS for alias in names)
        case ast.ClassDef(bases=bases, keywords=keywords):
            return bool(keywords) or any(isinstance(base, ast.Name) and base.id == "type" for base in bases)
    return False


def _names(scopes: ScopeMap) -> Iterator[str]:
    for node, scope in scopes.placed:
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.alias(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if not isinstance(scope, ast.ClassDef):  # a method is reached by attribute, in its class
                    yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names


def _asks_for_known_attribute(node: ast.AST) -> TypeGuard[ast.Call]:
    match node:
        case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=str()), *_]):
            return True
    return False


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _is_mangled(name: str) -> bool:
    """`_Class__name`, as another class would have to write it."""
    return name.startswith("_") and not name.startswith("__") and "__" in name and not name.endswith("__")
