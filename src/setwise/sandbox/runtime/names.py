"""To whom a test's name belongs: the test itself, the setup, the program, or the language.

The tests and the setup alone decide this. A program that defines `set` or `math` is not asked when a test uses them on
an expected value; otherwise it would learn the value and decide the comparison.
"""

import ast
import builtins
from collections import Counter, OrderedDict
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .bindings import (
    PLAIN_NAMES,
    bindings,
    bound_by_statements,
    imports_in,
    is_load,
    lambdas_in,
    loaded_again_and_again,
    loads_in,
    used_as_objects,
    walk,
)
from .remote import TRUSTED_MODULES
from .setup_code import Setup, bound_names, fixed_names

_REFUSED = (
    "breakpoint compile delattr eval exec exit globals input locals memoryview open quit setattr vars "
    "copyright credits license"
)


def _print_nothing(*values: Any, **options: Any) -> None:
    """What a test prints may be an expected value, and nobody reads it."""


TRUSTED_BUILTINS: dict[str, Any] = {
    name: getattr(builtins, name) for name in dir(builtins) if not name.startswith("_") and name not in _REFUSED.split()
} | {"print": _print_nothing}
SHARED_CLASSES: dict[str, type] = {kind.__name__: kind for kind in (Counter, OrderedDict, Decimal, Fraction)}
"""Plain data classes of the standard library, which a test may use through the program's import."""
_CHANGEABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


class Names:
    """The names of one test."""

    def __init__(self, tree: ast.Module, setup: Setup) -> None:
        self._local = bound_names(tree)
        self._setup = setup
        self._loads = loads_in(tree)
        self._repeated = frozenset(loaded_again_and_again(tree))
        self._imported = set[str]().union(*map(bound_names, imports_in(tree)))
        self._fixed = fixed_names(tree) | self._imported
        self._changeable = {
            name
            for each in bindings(tree)
            if isinstance(each.source, _CHANGEABLE) and not each.to_items
            for name in bound_names(each.target)
        }
        self._subject = self._shadowed_builtin(tree)
        self._handed_over = frozenset(self._names_handed_over(tree))
        self._shared = SHARED_CLASSES.keys() - used_as_objects(tree)
        self.lambdas = lambdas_in(tree)
        self.objects = self._names_of_objects(tree)
        self._answers: frozenset[str] = frozenset()
        self._answers = self._names_of_answers(tree)

    @property
    def asks_once(self) -> bool:
        """Whether the test names something of the program in only one place, which is reached once."""
        asked = [name for name in self._loads if self.is_program(name) and name not in TRUSTED_MODULES]
        return len(asked) == 1 and asked[0] not in self._repeated

    def may_change(self, name: str) -> bool:
        """Whether the program's copy and the referee's could come to differ, and something would notice."""
        fixed = self._fixed | self._handed_over if name in self._local else self._setup.fixed_names
        return (self._loads.count(name) > 1 or name in self._repeated) and name not in fixed

    def is_changeable(self, name: str) -> bool:
        """Whether it can obviously be changed."""
        return name in self._changeable

    def is_program(self, name: str) -> bool:
        if name in self._local or name in self._setup.referee_names:
            return False
        return name in self._setup.program_names or name == self._subject or name not in TRUSTED_BUILTINS

    def is_builtin(self, name: str) -> bool:
        return name in TRUSTED_BUILTINS and not self.is_variable(name) and not self.is_program(name)

    def is_subject(self, name: str) -> bool:
        return name == self._subject

    def is_variable(self, name: str) -> bool:
        return name in self._local or name in self._setup.referee_names

    def is_from_setup(self, name: str) -> bool:
        return name in self._setup.program_names and name not in self._local

    def is_setup_code(self, name: str) -> bool:
        return self.is_from_setup(name) and self._setup.defines_code

    def is_module(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in TRUSTED_MODULES or self.is_from_setup(node.id):
            return False
        return node.id in self._imported or node.id not in self._local

    def is_program_name(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self.is_program(node.id) and not self.is_module(node)

    def is_dotted_name(self, node: ast.expr) -> bool:
        """A name of the program, or an attribute of one: `os.path`."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return self.is_program_name(node) and isinstance(node, ast.Name) and not self.is_from_setup(node.id)

    def is_class(self, node: ast.expr) -> bool:
        """A class of the program, by the naming convention for classes."""
        is_written_so = isinstance(node, ast.Name) and node.id[:1].isupper()
        return is_written_so and self.is_program_name(node) and not self.is_shared(node)

    def is_shared(self, node: ast.expr) -> bool:
        """A class of the standard library that the test gets through the program's import."""
        return isinstance(node, ast.Name) and node.id in self._shared and self.is_program_name(node)

    def is_object(self, node: ast.expr) -> bool:
        """What the test made from a class of the program, or uses in a way that no plain value allows."""
        if isinstance(node, ast.Name):
            return node.id in self.objects or (self.is_from_setup(node.id) and not self.is_setup_code(node.id))
        return self._makes_object(node)

    def is_answer(self, node: ast.expr) -> bool:
        """Whether it is what the program answered, a part of it, or contains it, whatever that may be."""
        match node:
            case ast.Name(id=name):
                return name in self._answers or (self.is_program_name(node) and not self.is_shared(node))
            case ast.Call(func=ast.Name(id=name) as function) if self.is_program(name):
                return not self.is_shared(function)
            case ast.Call(func=source) | ast.Subscript(value=source) | ast.Starred(value=source):
                return self.is_answer(source)
            case ast.Attribute(value=source):
                return not self.is_module(node) and self.is_answer(source)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Dict(values=items):
                return any(map(self.is_answer, items))
        return False

    def _names_of_answers(self, tree: ast.Module) -> frozenset[str]:
        """Variables that never hold anything else."""
        answers, others = set[str](), set[str]()
        for each in bindings(tree):
            (answers if each.source and self.is_answer(each.source) else others).update(bound_names(each.target))
        return frozenset(answers - others)

    def _makes_object(self, node: ast.expr) -> bool:
        match node:
            case ast.Call(func=ast.Name() as maker) | ast.Call(func=ast.Attribute(value=maker)):
                return self.is_class(maker)
        return False

    def read_before_bound(self, tree: ast.Module) -> str | None:
        """`total = total([1, 2])`: in plain execution, the name is the program's until then."""
        bound = bound_by_statements(tree)
        loads = [node for node in walk(tree) if is_load(node) and node.id in bound]
        return next((node.id for node in loads if (node.lineno, node.col_offset) < bound[node.id]), None)

    def only_the_program_reads(self, tree: ast.Module) -> str | None:
        """A plain value that the test names and never looks at: the name must be one of the program's."""
        for each in bindings(tree):
            match each.target, each.source:
                case ast.Name(id=name), ast.Constant() if not each.to_items and not name.startswith("_"):
                    if name not in self._loads:
                        return name
        return None

    def _names_of_objects(self, tree: ast.Module) -> frozenset[str]:
        found = set[str]()
        for each in bindings(tree):
            match each.target, each.source:
                case ast.Name(id=name), ast.expr() as source if self._makes_object(source):
                    found.add(name)
                case ast.Tuple(elts=targets), ast.Tuple(elts=sources) if len(targets) == len(sources):
                    pairs = zip(targets, sources, strict=True)
                    found |= {t.id for t, s in pairs if isinstance(t, ast.Name) and self._makes_object(s)}
        for node in walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
                    if (
                        method not in PLAIN_NAMES
                        and not method.startswith("_")
                        and self._is_bound_to_answers(tree, name)
                    ):
                        found.add(name)
        return frozenset(found)

    def _is_bound_to_answers(self, tree: ast.Module, name: str) -> bool:
        sources = [each.source for each in bindings(tree) if name in bound_names(each.target)]
        return bool(sources) and all(
            isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and self.is_program(source.func.id)
            for source in sources
        )

    def _names_handed_over(self, tree: ast.Module) -> Iterator[str]:
        """`x = f(x)`: what the program was given is not used again, if x is otherwise only looked at."""
        for node in walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in loads_in(value):
                    asserts = [n for n in walk(tree) if isinstance(n, ast.Assert)]
                    looked_at = [n for a in asserts if not any(map(self.is_program, loads_in(a))) for n in loads_in(a)]
                    if self._loads.count(name) == loads_in(value).count(name) + looked_at.count(name):
                        yield name

    def _shadowed_builtin(self, tree: ast.Module) -> str | None:
        """`assert sum(10, 15) == 6` is about the program's own `sum`: nothing else in it could be."""
        called = {n.func.id for n in walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        others = {name for name in self._loads if name not in TRUSTED_BUILTINS and name not in TRUSTED_MODULES}
        others -= self._local | self._setup.referee_names | self._setup.program_names
        builtin = called & TRUSTED_BUILTINS.keys() - {"print"}
        return next(iter(builtin)) if len(builtin) == 1 and not others else None
