"""Rewrites a test: each operation that may involve a program's object becomes a call of one of the `helpers`."""

import ast

from .call_rewriter import ASKED_BY_NAME, CallRewriter, UnsupportedTest, call_helper, keeps_items

_OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv", ast.Mod: "mod",
    ast.FloorDiv: "floordiv", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and",
    ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip


class Rewriter(CallRewriter, ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or not self.names.is_program(node.id):
            if isinstance(node.ctx, ast.Load) and self.names.is_variable(node.id):
                return self._visit_variable(node)
            handed_on = isinstance(node.ctx, ast.Load) and self.names.is_builtin(node.id) and node.id != "type"
            return ast.Name(ASKED_BY_NAME[node.id], ast.Load()) if handed_on and node.id in ASKED_BY_NAME else node
        self.asked.add(node.id)
        if self._inside_request and (id(node) in self._whole or not self.names.is_from_setup(node.id)):
            return node
        if self.names.is_from_setup(node.id):
            raise UnsupportedTest(f"judges by {node.id}, which the setup makes in the program's process")
        return call_helper("__shared_class__" if self.names.is_shared(node) else "__value_of__", node)

    def _visit_variable(self, node: ast.Name) -> ast.expr:
        if self._inside_request and node.id in self.names.lambdas:
            return self.as_source(self.names.lambdas[node.id], "a lambda")
        if self._inside_request:
            self.arguments.add(node.id)
        if not self._inside_request or id(node) not in self._whole:
            self.judged.add(node.id)
        if self._inside_request and self.names.may_change(node.id) and not self.shares.holds_answers(node.id):
            return call_helper("__unchanging__", node)
        if self._passes_on and not self._inside_request and self.names.may_change(node.id):
            return call_helper("__fixed_items__", node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            raise UnsupportedTest("assigns to an attribute")
        if self.names.is_module(node):
            return node
        return call_helper("__attribute_of__", self.by_name(node.value), ast.Constant(node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or not self.shares.of(node.value):
            return self.generic_visit(node)
        return call_helper("__item_of__", self.visit(node.value), self._index(node.slice))

    def _index(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Slice):
            ends = [ast.Constant(None) if end is None else end for end in (node.lower, node.upper, node.step)]
            return ast.Call(ast.Name("slice", ast.Load()), [self.visit(end) for end in ends], [])
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self._index(item) for item in node.elts], ast.Load())
        return self.visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Assigning to an item or an attribute of a program's object is a request; everything else stays."""
        match node.targets:
            case [ast.Subscript(value=owner, slice=index)] if self.names.is_object(owner):
                return self._request("__set_item__", owner, self._index(index), node.value)
            case [ast.Attribute(value=owner, attr=name)] if self.names.is_object(owner) or self.names.is_class(owner):
                return self._request("__set_attribute__", owner, ast.Constant(name), node.value)
        return self.generic_visit(node)

    def _request(self, helper: str, owner: ast.expr, place: ast.expr, value: ast.expr) -> ast.stmt:
        target = self.by_name(owner) if self.names.is_class(owner) else self._by_reference(owner)
        return ast.Expr(call_helper(helper, target, place, self._by_reference(value)))

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if id(node) not in self._evident or not self.shares.of(node):
            return self.generic_visit(node)
        sides = (self._by_reference(node.left), self._by_reference(node.right))
        return call_helper("__combine__", ast.Constant(_OPERATORS[type(node.op)]), *sides)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if self.shares.mixes(node):
            raise UnsupportedTest(f"shows the program what is expected: {ast.unparse(node)}")
        if not any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops) or not self.shares.of(node):
            return self.generic_visit(node)
        if len(node.ops) > 1:
            raise UnsupportedTest("compares identities in a chain")
        if any(
            isinstance(side, ast.Constant) and not _is_single(side.value) for side in (node.left, *node.comparators)
        ):
            raise UnsupportedTest("asks for the identity of a constant, of which there may be several")
        same = call_helper("__is_same__", self.visit(node.left), self.visit(node.comparators[0]))
        return same if isinstance(node.ops[0], ast.Is) else ast.UnaryOp(ast.Not(), same)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None and self.shares.of(value):
                self._wraps[id(value)] = "__as_dict__"
        return self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        """Unpacked here, whatever happens to the parts."""
        outside, self._inside_request = self._inside_request, False
        self.generic_visit(node)
        self._inside_request = outside
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self.as_source(node, "a lambda") if self._inside_request else self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        if self._inside_request:
            return self.as_source(node, "a generator")
        if id(node.generators[0].iter) not in self._wraps:
            self.take_items(node, whole=False)
        return self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.take_items(node, whole=keeps_items(node))
        return self.generic_visit(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        self.take_items(node, whole=False)
        return self.generic_visit(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.take_items(node, whole=False)
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> ast.AST:
        self.take_items(node, whole=False)
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        kinds = self.by_name(node.type) if node.type else ast.Name("BaseException", ast.Load())
        node.type = None
        self.generic_visit(node)
        node.type = call_helper("__kinds_caught__", kinds)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if any(self.names.is_program(n.id) for n in ast.walk(node) if isinstance(n, ast.Name)):
            raise UnsupportedTest("raises an exception of the program's")
        return self.generic_visit(node)


def _is_single(value: object) -> bool:
    """Whether the interpreter has only one object of it."""
    return value is None or value is ... or type(value) is bool or (type(value) is int and -5 <= value <= 256)
