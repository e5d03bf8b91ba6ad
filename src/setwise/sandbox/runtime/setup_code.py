"""Setup code, split by who may run it.

What needs nothing of the program's runs in the referee, and stays there: it may be an expected value. The rest (a
tree made of the program's own nodes) runs in the program's process, and no verdict may rest on it. It runs there in
parts, each when the first test comes that needs it: the arguments of later tests may be the answers to earlier ones.
"""

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType

from .remote import TRUSTED_MODULES

_CODE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass
class _Statement:
    node: ast.stmt
    ours: bool
    theirs: bool


@dataclass(frozen=True)
class Setup:
    referee: CodeType
    program: tuple[ast.stmt, ...]
    referee_names: frozenset[str]
    program_names: frozenset[str]
    fixed_names: frozenset[str]
    """Names of the referee's that hold what nobody can change."""
    defines_code: bool
    """The program's process runs code of the setup's; nothing it says can be trusted."""

    def parts(self, uses: Sequence[frozenset[str]]) -> tuple[str, ...]:
        """The program's share as one text for each test, given the names that each reads. What no test asks for by
        name goes with the first, imports too: the program itself may rely on them."""
        needed = [self._needed(names) for names in uses]
        claimed = set[int]().union(*needed)
        free = {n for n, node in enumerate(self.program) if n not in claimed or isinstance(node, _IMPORTS)}
        needed[0] |= free | self._needed(frozenset().union(*(loaded_names(self.program[n]) for n in free)))
        texts, sent = [], set[int]()
        for numbers in needed:
            texts.append("\n".join(ast.unparse(self.program[n]) for n in sorted(numbers - sent)))
            sent |= numbers
        return tuple(texts)

    def _needed(self, names: frozenset[str]) -> set[int]:
        """The statements that make these names, or may change what they hold, and those that they rest on in turn."""
        found: set[int] = set()
        wanted = set(names)
        before = -1
        while len(found) > before:
            before = len(found)
            for number, node in enumerate(self.program):
                binds, loads = bound_names(node), loaded_names(node)
                changes = set() if isinstance(node, _CODE) else loads & self._changeable()
                if number not in found and (binds | changes) & wanted:
                    found.add(number)
                    wanted |= binds | loads
        return found

    def _changeable(self) -> set[str]:
        """Names of the program's share that hold neither code nor a module nor a plain constant."""
        values = [node for node in self.program if not isinstance(node, (*_CODE, *_IMPORTS))]
        return set[str]().union(*map(bound_names, values)) - fixed_names(ast.Module(list(self.program), []))


def split_setup(text: str, moved: frozenset[str] = frozenset()) -> Setup:
    """Raises SyntaxError where the setup does not parse. Names in `moved` live in the program's process."""
    known, foreign = set(dir(builtins)), set()
    statements: list[_Statement] = []
    defines_code = False
    for node in ast.parse(text).body:
        names = bound_names(node)
        if isinstance(node, _IMPORTS):
            # The program's functions may rely on it too, and a module is no secret.
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
        referee=compile(ours_only, "<setup>", "exec"),
        program=tuple(s.node for s in statements if s.theirs),
        referee_names=frozenset(known - set(dir(builtins)) - foreign),
        program_names=frozenset(foreign),
        fixed_names=fixed_names(ours_only),
        defines_code=defines_code,
    )


def bound_names(tree: ast.AST) -> set[str]:
    """Every name a tree binds, in whatever scope."""
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


def loaded_names(tree: ast.AST) -> set[str]:
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
    return loaded_names(statement) - bound_names(statement) <= known


def _share_what_theirs_need(statements: list[_Statement]) -> None:
    wanted: set[str] = set()
    for statement in reversed(statements):
        statement.theirs |= bool(bound_names(statement.node) & wanted)
        if statement.theirs:
            wanted |= loaded_names(statement.node)


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
