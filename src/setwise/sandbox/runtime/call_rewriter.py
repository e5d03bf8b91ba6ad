"""Rewrites a test's calls: of the program's functions, of its answers, of methods, and of built-ins that read or call
what belongs to the program."""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from .bindings import PLAIN_NAMES, walk
from .kinds import Shares
from .names import Names
from .setup_code import bound_names

ASKED_BY_NAME = {
    "isinstance": "__is_instance__",
    "issubclass": "__is_subclass__",
    "callable": "__is_callable__",
    "hasattr": "__has_attribute__",
    "getattr": "__get_attribute__",
    "type": "__type_of__",
}
_OF_OPERATOR = {"itemgetter": "__item_getter__", "methodcaller": "__method_caller__"}
_TAKING_ALL = frozenset(["Counter", "frozenset", "join", "list", "max", "min", "set", "sorted", "sum", "tuple"])
_CALLED = "dropwhile filter filterfalse map partial reduce starmap takewhile"
_CALLING_THE_FIRST = frozenset(_CALLED.split())
_SUMMARIES = frozenset(
    ["abs", "all", "any", "bool", "deepcopy", "float", "int", "join", "len", "range", "repr", "round", "str"]
)
_GIVING_ITERATORS = frozenset(["enumerate", "filter", "iter", "map", "reversed", "zip"])


Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


class UnsupportedTest(Exception):
    """The test cannot be split into requests and a judgement without trusting the program."""


class CallRewriter(ast.NodeTransformer):
    def __init__(self, tree: ast.Module, names: Names, shares: Shares, objects: frozenset[int]) -> None:
        self.names = names
        self.shares = shares
        self.asked = set[str]()
        self.arguments = set[str]()
        """Variables of the test or the setup that occur in a request's arguments."""
        self.judged = set[str]()
        """Variables that the referee itself must look into."""
        self._evident = objects
        """Expressions, by identity, that can only be objects of the program."""
        self._nodes = walk(tree)
        """Kept alive, so that no node is mistaken for another by its identity."""
        self._parameters = {node.arg for node in self._nodes if isinstance(node, ast.arg)}
        self._statement: ast.AST = tree
        self._inside_request = False
        self._passes_on = False
        """Inside a request's argument, even if something may be computed from it here."""
        self._whole = set[int]()
        """Names, by identity, that reach the program unchanged."""
        self._wraps: dict[int, str] = {}
        """Expressions, by identity, with the helper that is to receive their value."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.stmt):
            self._statement = node
        visited = super().visit(node)
        helper = self._wraps.pop(id(node), None)
        return call_helper(helper, visited) if helper and isinstance(visited, ast.expr) else visited

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = node.func
        if isinstance(function, ast.Name) and self.names.is_program(function.id):
            if self.names.is_from_setup(function.id):
                raise UnsupportedTest(f"calls {function.id}, which the setup defines in the program's process")
            self.asked.add(function.id)
            if self.names.is_shared(function):
                self._prepare_built_in(node, function.id)
                return self._with_arguments(node, call_helper("__shared_class__", function), inside_request=False)
            return self._with_arguments(node, function, inside_request=True)
        if isinstance(function, ast.Attribute) and not self.names.is_module(function):
            return self._method_call(node, function)
        if self.names.is_answer(function):
            return self._answer_call(node)
        name = function.id if isinstance(function, ast.Name) and self.names.is_builtin(function.id) else ""
        if name in ASKED_BY_NAME and (name != "type" or len(node.args) == 1):
            are_theirs = [bool(self.shares.of(argument)) for argument in node.args]
            if name == "isinstance" and are_theirs == [False, True]:
                raise UnsupportedTest("asks the program for the kind of a value of the test's own")
            return call_helper(ASKED_BY_NAME[name], *map(self.by_name, node.args))
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        self._prepare_lambda(node)
        self._prepare_built_in(node, name)
        replaced = _name(_OF_OPERATOR[name]) if name in _OF_OPERATOR else self.visit(function)
        return self._with_arguments(node, replaced, inside_request=False)

    def _answer_call(self, node: ast.Call) -> ast.expr:
        """`f(2)(3)` reveals no more to the program than `f(2, 3)` would."""
        # A variable stays here: it holds the program's own object and is not an argument.
        target = node.func if isinstance(node.func, ast.Name) else self.visit(node.func)
        return self._with_arguments(node, _name("__call_answer__"), target, inside_request=True)

    def _method_call(self, node: ast.Call, method: ast.Attribute) -> ast.expr:
        owner, name = method.value, ast.Constant(method.attr)
        self._check_company(node, owner)
        if self.names.is_object(owner) or self.names.is_class(owner) or id(owner) in self._evident:
            target = self._by_reference(owner)
            return self._with_arguments(node, _name("__call_object_method__"), target, name, inside_request=True)
        self._prepare_built_in(node, method.attr)
        of_an_object = bool(self.shares.of(owner)) and method.attr not in PLAIN_NAMES
        if self.names.is_dotted_name(owner):
            return self._dotted_call(node, method)
        target = self.visit(owner)
        return self._with_arguments(node, _name("__call_method__"), target, name, inside_request=of_an_object)

    def _dotted_call(self, node: ast.Call, method: ast.Attribute) -> ast.expr:
        """`os.path.split(f())` is a function of the program, by its name. `answer.count(3)` may be that, or a list's
        method."""
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if method.attr in PLAIN_NAMES and given and not all(map(self.shares.of, given)):
            raise UnsupportedTest(f"gives values to {ast.unparse(method)}, which may be the program's")
        target, name = self.visit(method.value), ast.Constant(method.attr)
        return self._with_arguments(node, _name("__call_object_method__"), target, name, inside_request=True)

    def _check_company(self, node: ast.Call, owner: ast.expr) -> None:
        """`np.allclose(f(1), [2.0])` would show the expected value to a module of the program."""
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        answers = [argument for argument in arguments if self.shares.of(argument)]
        is_class = self.names.is_class(owner)
        if self.names.is_dotted_name(owner) and not is_class and 0 < len(answers) < len(arguments):
            raise UnsupportedTest(f"hands {ast.unparse(node.func)} an answer together with other values")

    def by_name(self, node: ast.expr) -> ast.expr:
        """The program's names by reference: a class is not a value to look into."""
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self.by_name(item) for item in node.elts], ast.Load())
        if isinstance(node, ast.Name) and self.names.is_program_name(node) and not self.names.is_from_setup(node.id):
            self.asked.add(node.id)
            return call_helper("__shared_class__", node) if self.names.is_shared(node) else node
        return self.visit(node)

    def _prepare_built_in(self, node: ast.Call, name: str) -> None:
        """What a built-in is to call, and what it reads completely."""
        if name in _CALLING_THE_FIRST and node.args:
            self._let_be_called(node.args[0], [*node.args[1:], *(keyword.value for keyword in node.keywords)])
        for keyword in node.keywords:
            if keyword.arg in ("key", "func"):
                self._let_be_called(keyword.value, node.args)
        if name in _TAKING_ALL and node.args and (len(node.args) == 1 or name not in ("max", "min")):
            self._take_whole(node.args[0])
        if name == "dict" and node.args and self.shares.of(node.args[0]):
            self._wraps[id(node.args[0])] = "__as_dict__"

    def _prepare_lambda(self, node: ast.Call) -> None:
        """What the test's own lambda is to call."""
        function = self.names.lambdas.get(node.func.id) if isinstance(node.func, ast.Name) else node.func
        if isinstance(function, ast.Lambda):
            called = {n.func.id for n in walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            for parameter, argument in zip(function.args.args, node.args, strict=False):
                if parameter.arg in called:
                    others = [other for other in node.args if other is not argument]
                    self._let_be_called(argument, [*others, function.body])

    def _let_be_called(self, function: ast.expr, given: Sequence[ast.expr]) -> None:
        """Others may call what the program answered with the given values, unless those are expected values."""
        if not self.names.is_answer(function) or self.names.is_program_name(function):
            return
        if not self.names.is_object(function) and not _is_of_a_name(function, self.names):
            shown = {word for one in given for word in _words(one) if not word.isidentifier() or self._is_known(word)}
            inside = {id(part) for one in (function, *given) for part in walk(one)}
            if shown and shown <= _words(self._statement, without=inside):
                raise UnsupportedTest(f"has {ast.unparse(function)} called with what is expected")
        self._wraps[id(function)] = "__to_be_called__"

    def _is_known(self, name: str) -> bool:
        return self.names.is_variable(name) and name not in self._parameters

    def _take_whole(self, source: ast.expr) -> None:
        if isinstance(source, ast.GeneratorExp):
            self.take_items(source, whole=keeps_items(source))
        elif self.shares.of(source) and not isinstance(source, ast.Starred):
            self._wraps[id(source)] = "__whole__"

    def take_items(self, node: ast.For | Comprehension, *, whole: bool) -> None:
        """All at once if they are only collected; in batches if nothing could notice."""
        source = node.iter if isinstance(node, ast.For) else node.generators[0].iter
        if whole and self.shares.of(source):
            self._wraps[id(source)] = "__whole__"
        elif self.names.asks_once and self.shares.of(source) and isinstance(source, ast.Call):
            self._wraps[id(source)] = "__steps__"

    def _with_arguments(self, node: ast.Call, function: ast.expr, *first: ast.expr, inside_request: bool) -> ast.Call:
        outside = self._inside_request, self._passes_on
        self._inside_request = inside_request
        self._passes_on = inside_request or (self._passes_on and not _gives_nothing_on(node))
        if inside_request:
            self._whole.update(map(id, _passed_whole([*node.args, *(keyword.value for keyword in node.keywords)])))
        for keyword in node.keywords:
            if keyword.arg is None and self.shares.of(keyword.value):
                self._wraps[id(keyword.value)] = "__as_dict__"
        args = [self._argument(argument) for argument in node.args]
        keywords = [ast.keyword(keyword.arg, self._argument(keyword.value)) for keyword in node.keywords]
        self._inside_request, self._passes_on = outside
        return ast.Call(function, [*first, *args], keywords)

    def _argument(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id=name)) if self._inside_request and name in _GIVING_ITERATORS:
                if self.names.is_builtin(name):
                    return self.as_source(node, "an iterator")
        return self.visit(node)

    def as_source(self, node: ast.expr, what: str) -> ast.expr:
        """Evaluated in the program's process, where it is an argument."""
        own = {n.id for n in walk(node) if isinstance(n, ast.Name)} - bound_names(node)
        if any(self.names.is_variable(name) for name in own):
            raise UnsupportedTest(f"passes the program {what} over the test's variables")
        return call_helper("__source_text__", ast.Constant(ast.unparse(node)))

    def _by_reference(self, node: ast.expr) -> ast.expr:
        outside, self._inside_request = self._inside_request, True
        self._whole.update(map(id, _passed_whole([node])))
        visited = self.visit(node)
        self._inside_request = outside
        return visited


def call_helper(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_name(name), list(arguments), [])


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def keeps_items(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> bool:
    """Whether it collects the items themselves, so that they may change until the last one is there."""
    plain = isinstance(node.generators[0].target, ast.Name) and len(node.generators) == 1
    return (
        plain and not isinstance(node, ast.DictComp) and isinstance(node.elt, ast.Name) and not node.generators[0].ifs
    )


def _is_of_a_name(node: ast.expr, names: Names) -> bool:
    """`P.total`: a function by its name, as `total` would be."""
    return isinstance(node, ast.Attribute) and names.is_dotted_name(node)


def _gives_nothing_on(node: ast.Call) -> bool:
    """Whether its result contains nothing of what it was given."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    return name in _SUMMARIES


def _words(tree: ast.AST, without: frozenset[int] | set[int] = frozenset()) -> set[str]:
    """The constants and variables of an expression."""
    found = set[str]()
    for node in walk(tree):
        if id(node) not in without:
            if isinstance(node, ast.Constant):
                found.add(repr(node.value))
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
    return found


def _passed_whole(arguments: Sequence[ast.expr | None]) -> Iterator[ast.Name]:
    """Names that occur as arguments, or inside them, with nothing computed from them here."""
    for node in arguments:
        match node:
            case ast.Name():
                yield node
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts):
                yield from _passed_whole(parts)
            case ast.Attribute(value=part):
                yield from _passed_whole([part])
            case _:
                pass
