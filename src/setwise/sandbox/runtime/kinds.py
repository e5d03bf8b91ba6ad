"""Which of a test's expressions the program influences.

An *answer* is what the program returns by itself. *Made* is what the test has the program make from the test's values:
`V(9)`, `json.dumps(x)`, `sorted(xs, key=f)`. Compared with an answer, something made is an expected value that the
program has seen.
"""

import ast
from collections.abc import Iterable

from .bindings import bindings, walk
from .names import Names
from .setup_code import bound_names

ANSWER, MADE = "answer", "made"
Kinds = frozenset[str]
_NONE: Kinds = frozenset()
_ANSWER, _MADE = frozenset([ANSWER]), frozenset([MADE])
_SELECTORS = "sorted min max filter sort nlargest nsmallest takewhile dropwhile filterfalse groupby merge"
_SELECTING = frozenset(_SELECTORS.split())
"""They return what they were given, in an order or a selection that a function decides."""
_FOLLOWED = 4
"""How many assignments an expression is followed through; tests have fewer."""


class Shares:
    """The program's share in each expression of one test."""

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self._names = names
        self._variables: dict[str, Kinds] = {}
        self._parameters = {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
        for node in walk(tree):
            match node:
                # An exception is the program's, and a lambda may be given anything.
                case ast.ExceptHandler(name=str() as name) | ast.arg(arg=name):
                    self._variables[name] = _ANSWER
        sources = [(each.target, each.source) for each in bindings(tree)]
        sources += [(n.target, n.value) for n in walk(tree) if isinstance(n, ast.AugAssign)]
        for _ in range(_FOLLOWED):
            for target, source in sources:
                if source is not None and isinstance(target, ast.Name | ast.Tuple | ast.List):
                    self._bind(target, self.of(source))

    def _bind(self, target: ast.AST, kinds: Kinds) -> None:
        for name in bound_names(target):
            self._variables[name] = self._variables.get(name, _NONE) | kinds

    def holds_answers(self, name: str) -> bool:
        return name not in self._parameters and bool(self._variables.get(name))

    def of(self, node: ast.AST) -> Kinds:
        match node:
            case ast.Name(id=name):
                if self._names.is_program_name(node):
                    return _NONE if self._names.is_shared(node) else _ANSWER
                return self._variables.get(name, _NONE)
            case ast.Call():
                return self._of_call(node)
            case ast.Attribute() if self._names.is_module(node):
                return _NONE
            case ast.Attribute(value=owner):
                return _ANSWER if self.of(owner) else _NONE
            case ast.BinOp() | ast.UnaryOp():
                return _ANSWER if self._of_all(ast.iter_child_nodes(node)) else _NONE
            case ast.Lambda():
                return _NONE
        return self._of_all(ast.iter_child_nodes(node))

    def mixes(self, node: ast.Compare) -> bool:
        """Whether it compares an answer with something made for the comparison."""
        operands = (node.left, *node.comparators)
        sides = [self.of(side) | self._of_hashed(side) for side in operands]
        return any(
            MADE in one and ANSWER in other for n, one in enumerate(sides) for m, other in enumerate(sides) if n != m
        )

    def _of_hashed(self, node: ast.expr) -> Kinds:
        """A set or dict that would have to hash the program's objects is compared by the program alone."""
        match node:
            case ast.Set(elts=keys) | ast.Dict(keys=keys):
                return _MADE if self._of_all(key for key in keys if key) else _NONE
        return _NONE

    def _of_all(self, nodes: Iterable[ast.AST]) -> Kinds:
        return _NONE.union(*map(self.of, nodes))

    def _of_call(self, node: ast.Call) -> Kinds:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        given = self._of_all(arguments)
        match node.func:
            case ast.Name() as function if self._names.is_shared(function):
                return given
            case ast.Name() as function if self._names.is_program_name(function):
                return self._of_making(arguments, given) if self._names.is_class(function) else _ANSWER
            case ast.Attribute(value=owner) if self._names.is_dotted_name(owner):
                return self._of_making(arguments, given)
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _SELECTING:
                return self._of_selection(node, arguments) | self._of_owner(node.func)
        return _ANSWER if self._of_owner(node.func) else given

    def _of_owner(self, function: ast.expr) -> Kinds:
        if isinstance(function, ast.Attribute):
            return _NONE if self._names.is_module(function) else self.of(function.value)
        return _NONE if isinstance(function, ast.Name) and not self._names.is_answer(function) else self.of(function)

    def _of_making(self, arguments: list[ast.expr], given: Kinds) -> Kinds:
        return _MADE if arguments and ANSWER not in given else _ANSWER

    def _of_selection(self, node: ast.Call, arguments: list[ast.expr]) -> Kinds:
        functions = [a for a in arguments if self._names.is_program_name(a)]
        rest = self._of_all(a for a in arguments if a not in functions)
        return rest or (_MADE if functions else _NONE)
