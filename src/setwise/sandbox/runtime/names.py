"""Who a name of a test belongs to: the test itself, the setup, the program, or the language.

The tests and the setup alone settle that. A program that defines `set` or `math` is not asked when a test uses them on
an expected value; it would learn the value, and decide the comparison.
"""

import ast
import builtins
from collections.abc import Iterator

from .remote import TRUSTED_MODULES
from .setup_code import Setup, bound_names, fixed_names

_REFUSED = (
    "breakpoint compile delattr eval exec exit globals input locals memoryview open print quit setattr vars "
    "copyright credits license"
)
TRUSTED_BUILTINS = {
    name: getattr(builtins, name) for name in dir(builtins) if not name.startswith("_") and name not in _REFUSED.split()
}


class Names:
    """The names of one test."""

    def __init__(self, tree: ast.Module, setup: Setup) -> None:
        self._local = bound_names(tree)
        self._setup = setup
        self._loads = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        self._fixed = fixed_names(tree)
        self._subject = self._shadowed_builtin(tree)
        self.objects = frozenset(_names_of_objects(tree))
        self._answers: frozenset[str] = frozenset()
        self._answers = self._names_of_answers(tree)

    def may_change(self, name: str) -> bool:
        """Whether the program's copy and the referee's could come to differ, and somebody would notice."""
        fixed = self._fixed if name in self._local else self._setup.fixed_names
        return self._loads.count(name) > 1 and name not in fixed

    def is_program(self, name: str) -> bool:
        if name in self._local or name in self._setup.referee_names:
            return False
        return name in self._setup.program_names or name == self._subject or name not in TRUSTED_BUILTINS

    def is_variable(self, name: str) -> bool:
        return name in self._local or name in self._setup.referee_names

    def is_from_setup(self, name: str) -> bool:
        return name in self._setup.program_names and name not in self._local

    def is_setup_code(self, name: str) -> bool:
        return self.is_from_setup(name) and self._setup.defines_code

    def is_module(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in TRUSTED_MODULES and not self.is_from_setup(node.id)

    def is_answer(self, node: ast.expr) -> bool:
        """Whether it is what the program answered, or a part of it, whatever that may be."""
        match node:
            case ast.Name(id=name):
                return name in self._answers
            case ast.Call(func=ast.Name(id=name)) if self.is_program(name):
                return True
            case ast.Call(func=source) | ast.Subscript(value=source):
                return self.is_answer(source)
        return False

    def _names_of_answers(self, tree: ast.Module) -> frozenset[str]:
        """Variables that never hold anything else."""
        answers, others = set[str](), set[str]()
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=targets, value=source):
                    (answers if self.is_answer(source) else others).update(*map(bound_names, targets))
                case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                    (answers if self.is_answer(source) else others).update(bound_names(target))
                case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                    others |= bound_names(target)
                case ast.arg() | ast.alias():
                    others |= bound_names(node)
        return frozenset(answers - others)

    def _shadowed_builtin(self, tree: ast.Module) -> str | None:
        """`assert sum(10, 15) == 6` is about a `sum` of the program's: nothing else in it could be."""
        called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        others = {name for name in self._loads if name not in TRUSTED_BUILTINS and name not in TRUSTED_MODULES}
        others -= self._local | self._setup.referee_names | self._setup.program_names
        builtin = called & TRUSTED_BUILTINS.keys()
        return next(iter(builtin)) if len(builtin) == 1 and not others else None


def _names_of_objects(tree: ast.Module) -> Iterator[str]:
    """Variables that hold an object the test asked a class for, by the custom of naming classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and makes_object(node.value):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def makes_object(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id[:1].isupper()
