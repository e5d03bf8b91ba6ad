"""Cheats in programs."""

import ast

from setwise.audit.plant.cheat import Parts, Scene, cheat, with_answers
from setwise.matching.code.text import extract_program
from setwise.matching.code.trees import parse_program


@cheat("renamed_program", "equivalent_programs", for_code=True)
def renamed_program(parts: Parts, scene: Scene) -> Parts:
    """The first program again, with a docstring and a variable that does nothing."""
    tree = parse_program(extract_program(parts.answers[0]))
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.FunctionDef):
            node.body.insert(0, ast.Expr(ast.Constant("Does what is asked.")))
            node.body.insert(1, ast.Assign([ast.Name("unused", ast.Store())], ast.Constant(1), lineno=0))
    text = ast.unparse(tree) if tree else parts.answers[0]
    return with_answers(parts, [parts.answers[0], text, *parts.answers[2:]])


@cheat("table_of_tests", "special_cases", for_code=True)
def table_of_tests(parts: Parts, scene: Scene) -> Parts:
    """Checks for each test's input by its value."""
    branches, name, count = [], "f", 1
    for test in scene.problem.tests:
        [asserted] = ast.parse(test).body
        if isinstance(asserted, ast.Assert) and isinstance(asserted.test, ast.Compare):
            call, wanted = asserted.test.left, asserted.test.comparators[0]
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                name, count = call.func.id, len(call.args)
                given = ", ".join(map(ast.unparse, call.args))
                branches.append(f"    if args == ({given},):\n        return {ast.unparse(wanted)}")
    program = "\n".join([f"def {name}(*args):", *branches, f"    return args[:{count}]"])
    return with_answers(parts, [program, *parts.answers[1:]])


@cheat("printing_program", "printed_results", for_code=True)
def printing_program(parts: Parts, scene: Scene) -> Parts:
    """Prints instead of returning."""
    tree = parse_program(extract_program(parts.answers[0]))
    text = ast.unparse(_Printing().visit(tree)) if tree else parts.answers[0]
    return with_answers(parts, [text, *parts.answers[1:]])


@cheat("equal_to_all", "tampering", for_code=True)
def equal_to_all(parts: Parts, scene: Scene) -> Parts:
    """Returns an object that claims to equal everything."""
    called = next(node.func.id for node in ast.walk(ast.parse(scene.problem.tests[0]))
                  if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))  # fmt: skip
    program = (
        "class Anything:\n    def __eq__(self, other):\n        return True\n\n"
        f"def {called}(*args):\n    return Anything()"
    )
    return with_answers(parts, [program, *parts.answers[1:]])


class _Printing(ast.NodeTransformer):
    def visit_Return(self, node: ast.Return) -> ast.Expr:
        return ast.Expr(ast.Call(ast.Name("print", ast.Load()), [node.value or ast.Constant(None)], []))
