"""Setup code, split by who may run it.

What needs nothing of the program runs in the referee and stays there, since it may be an expected value. The rest (a
tree made of the program's own nodes) runs in the program's process, and no verdict may depend on it.
"""

import ast
import builtins
from dataclasses import dataclass
from types import CodeType

from .handles import SETUP
from .remote import TRUSTED_MODULES

_CODE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class Setup:
    referee: CodeType
    program: tuple[ast.stmt, ...]
    referee_names: frozenset[str]
    program_names: frozenset[str]
    fixed_names: frozenset[str]
    """Names of the referee whose values nobody can change."""
    defines_code: bool
    """Whether the program's process runs code of the setup, so that nothing it answers can be trusted."""


@dataclass
class _Statement:
    node: ast.stmt
    ours: bool
    theirs: bool


def split_setup(text: str, moved: frozenset[str] = frozenset()) -> Setup:
    """Raises SyntaxError if the setup does not parse. Names in `moved` live in the program's process."""
    known, foreign = set(dir(builtins)), set()
    statements: list[_Statement] = []
    defines_code = False
    for node in ast.parse(text).body:
        names = bound_names(node)
        if isinstance(node, ast.Import | ast.ImportFrom):
            # The program's functions may need it too, and a module is not a secret.
            ours, theirs = _imports_trusted(node), True
            defines_code |= not ours
        else:
            ours = _is_self_contained(node, known - foreign)
            theirs = not ours or bool(names & moved)
            defines_code |= not ours and any(isinstance(part, _CODE) for part in ast.walk(node))
        statements.append(_Statement(node, ours, theirs))
        known, foreign = (known | names, foreign - names) if ours else (known, foreign | names)
    _share_what_theirs_need(statements)
    foreign |= moved
    ours_only = ast.Module([s.node for s in statements if s.ours], [])
    return Setup(
        referee=compile(ours_only, SETUP, "exec"),
        program=tuple(s.node for s in statements if s.theirs),
        referee_names=frozenset(known - set(dir(builtins)) - foreign),
        program_names=frozenset(foreign),
        fixed_names=fixed_names(ours_only),
        defines_code=defines_code,
    )


def bound_names(tree: ast.AST) -> set[str]:
    """Every name that a tree binds, in any scope."""
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ExceptHandler(name=str() as name):
                names.add(name)
            case ast.alias(name=name, asname=None):
                names.add(name.split(".")[0])
            case ast.alias(asname=str() as name):
                names.add(name)
    return names


def _loaded_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _imports_trusted(statement: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return not statement.level and statement.module in TRUSTED_MODULES
    return all(alias.name in TRUSTED_MODULES for alias in statement.names)


def _is_self_contained(statement: ast.stmt, known: set[str]) -> bool:
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.FunctionDef):
        return False
    if isinstance(statement, ast.Assign) and not all(isinstance(t, ast.Name | ast.Tuple) for t in statement.targets):
        return False
    return _loaded_names(statement) - bound_names(statement) <= known


def _share_what_theirs_need(statements: list[_Statement]) -> None:
    wanted: set[str] = set()
    for statement in reversed(statements):
        statement.theirs |= bool(bound_names(statement.node) & wanted)
        if statement.theirs:
            wanted |= _loaded_names(statement.node)


def fixed_names(tree: ast.AST) -> frozenset[str]:
    """Names bound only to values that nobody can change in place."""
    fixed, changeable = set(), set()
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ):
                (fixed if value is not None and _is_immutable(value) else changeable).add(name)
            case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                (fixed if _yields_immutables(source) else changeable).update(bound_names(target))
    return frozenset(fixed - changeable)


def _is_immutable(value: ast.expr) -> bool:
    match value:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_immutable(operand)
        case ast.Tuple(elts=items):
            return all(map(_is_immutable, items))
        case ast.BinOp(left=left, right=right):
            return _is_immutable(left) and _is_immutable(right)
        case _:
            return False


def _yields_immutables(source: ast.expr) -> bool:
    match source:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return all(map(_is_immutable, items))
        case ast.Call(func=ast.Name(id="range")) | ast.Constant(value=str()):
            return True
        case _:
            return False
