"""Small programs made at random, noise that changes nothing, changes that look like noise, and what programs give."""

import ast
import textwrap
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

VARIABLES = ("a", "b", "n", "s", "xs", "g")
INPUTS = ((0, "", []), (2, "ab", [3, 1]), (True, "x", [True, -0.0]), ("q", "", ["z"]), (-0.0, "ab", [[1], []]))
ENTRY = "f"
REFLECTIONS = ("eval('a')", "len(locals())", "f.__code__.co_varnames")


def program(random: Random) -> str:
    """Module-level statements, a helper, and last of all `f(n, s, xs)`."""
    top = [
        random.choice(
            ("g = 1", "g = len('ab')", "import math", "from math import *", "def h(k, v=2): return v", "xs = 0")
        )
    ]
    if random.random() < 0.3:
        top.append("class A:\n    n = 1\n    g = n\n    def m(self, k): return self.n")
    body = _block(random, 0, in_loop=False)
    parameters = random.choice(("n, s, xs", "n: int, s, xs: list", "n, s: Text, xs=()"))
    kind = "def" if random.random() < 0.95 else "async def"
    return "\n".join([*top, f"{kind} {ENTRY}({parameters}):", textwrap.indent("\n".join(body), "    ")])


def _block(random: Random, depth: int, in_loop: bool) -> list[str]:
    lines: list[str] = []
    for _ in range(random.randint(1, 4 - depth)):
        lines += _statement(random, depth, in_loop)
    return lines


def _nested(random: Random, head: str, depth: int, in_loop: bool) -> list[str]:
    return [head, *(f"    {line}" for line in _block(random, depth + 1, in_loop))]


def _statement(random: Random, depth: int, in_loop: bool) -> list[str]:
    name, value = random.choice(VARIABLES), expression(random)
    simple = [
        f"{name} = {value}", f"{name} = {value}", f"{name} = 0", f"{name} += {value}", f"return {value}",
        f"return {name}", f"return [a, {name}]", f"raise ValueError({value})", f"yield {value}", f"global {name}",
        f"del {name}",
        "break" if in_loop else "pass", "continue" if in_loop else f"{name}: int", f"'{name}'", f"assert {value}",
        f"import math as {name}", f"{name} = lambda: {value}", f"print and {value}", f"{name}: int = {value}",
        "a, b = b, a", "h(v=n, k=s)", f"xs.sort(key=lambda {name}: str({name}))",
    ]  # fmt: skip
    if depth >= 2 or random.random() < 0.6:
        return [random.choice(simple)]
    match random.randrange(8):
        case 0:
            return _nested(random, f"for {name} in range(3):", depth, True)
        case 1:
            return _nested(random, f"for {name}, b in enumerate([5, 6]):", depth, True)
        case 2:
            return [*_nested(random, f"if {value}:", depth, in_loop), *_nested(random, "else:", depth, in_loop)]
        case 3:
            return _nested(random, f"if {random.choice(('0', 'False', 'True', '1', value))}:", depth, in_loop)
        case 4:
            return [*_nested(random, "try:", depth, in_loop), *_nested(random, "except Exception:", depth, in_loop)]
        case 5:
            return [*_nested(random, "try:", depth, in_loop), *_nested(random, "finally:", depth, in_loop)]
        case 6:
            shared = [f"    nonlocal {name}"] if random.random() < 0.3 else []
            head, *inner = _nested(random, "def k(v=1):", depth, False)
            return [head, *shared, *inner, f"{random.choice(VARIABLES)} = k()"]
        case _:
            return _nested(random, f"while {random.choice(('False', '0', 'n is None'))}:", depth, True)


def expression(random: Random, depth: int = 0) -> str:
    name = random.choice(VARIABLES)
    leaves = [name, name, name, "0", "1", "2", "True", "-0.0", "'t'", "[]", "len(xs)", "int(n)", "None", "__name__"]
    if random.random() < 0.03:
        return random.choice(REFLECTIONS)
    if depth > 1 or random.random() < 0.45:
        return random.choice(leaves)
    one = expression(random, depth + 1)
    return random.choice(
        [
            f"({one} + 0)", f"(0 + {one})", f"({one} * 1)", f"({one} - 0)", f"({one} // 1)", f"({one} + 1)",
            f"({name} := {one})", f"[{name} + 0 for {name} in range(2)]", f"[a for {name} in [{one}]]",
            f"(lambda {name}: {one})(3)", f"({one} if n else {name})", f"str({one})", f"({one} == {name})",
            f"({one}, {name})", f"dict(n={one})",
        ]
    )  # fmt: skip


def with_noise(text: str, random: Random) -> str:
    """The same program, with a few statements that change nothing."""
    tree = ast.parse(text)
    for number in range(random.randint(1, 4)):
        places = list(_blocks(tree))
        block, in_function = random.choice(places)
        block[random.randint(0, len(block)) : 0] = ast.parse(_noise(random, f"_noise{number}", in_function)).body
    if random.random() < 0.3:
        tree.body += ast.parse(f"if __name__ == '__main__':\n    print({ENTRY}(1, 'b', []))\n    yes = globals()").body
    noisy = ast.unparse(ast.fix_missing_locations(tree))
    if "import *" in text:  # which may bring another `len`
        return noisy
    for call in ("len(xs)", "int(n)"):
        parts = noisy.split(call)
        neutral = (random.choice((call, f"({call} + 0)", f"(1 * {call})", f"({call} - 0)")) for _ in parts[1:])
        noisy = parts[0] + "".join(a + b for a, b in zip(neutral, parts[1:], strict=True))
    return noisy


def _noise(random: Random, fresh: str, in_function: bool) -> str:
    noise = ["pass", "'a second docstring'", "3.5", "...", "assert True", "assert 1, 'why'", f"import re as {fresh}"]
    noise += [f"from math import sqrt as {fresh}", f"if False:\n    print('{fresh}')", "while 0:\n    break"]
    noise += [
        f"if 0:\n    {fresh} = [x for x in ()]\nelse:\n    pass",
        "if True:\n    'x'",
        "try:\n    pass\nfinally:\n    0",
    ]
    if in_function:
        noise += [f"{fresh} = 7", f"{fresh} = other{fresh} = [1, -2, 'x']", f"{fresh}: int = 3", f"{fresh}: Any"]
        noise += ["if None:\n    return", f"if 1:\n    {fresh} = ()"]
    return random.choice(noise)


def nearly(text: str, random: Random) -> str:
    """Another program, by a change that often looks like noise."""
    tree = ast.parse(text)
    for _ in range(random.randint(1, 2)):
        places = list(_blocks(tree))
        block, _ = random.choice(places)
        name, other = random.choice(VARIABLES), random.choice(VARIABLES)
        changes = [
            f"if False:\n    {name} = 1", f"if 0:\n    yield {name}", f"{name} = 0", f"{name}: int",
            f"if False:\n    global {name}\n    {name} = 1", f"import math as {name}", f"import nosuch as {name}",
            f"from math import nosuch as {name}",
            f"def k({name}: {other}): pass", f"while False:\n    break\nelse:\n    {name} = 2", "return", "break",
            f"if 0:\n    del {name}", f"{name} += 0", f"{name} = {name} * 1", f"if {name}:\n    pass",
            f"if 0:\n    nonlocal {name}", f"class B:\n    if 0:\n        {name} = 1\n    b = {name}",
            f"locals()['{name}']", "raise ValueError",
            f"if True:\n    return {name}\nelse:\n    yield", "x = eval('n')", f"lambda: (yield {name})", "pass",
        ]  # fmt: skip
        match random.randrange(5):
            case 0 | 1:
                block[random.randint(0, len(block)) : 0] = ast.parse(random.choice(changes)).body
            case 2 if len(block) > 1:
                del block[random.randrange(len(block))]
            case 3:
                tree = _without_neutral(tree, random)
            case _:
                _rename(tree, name, random.choice((other, "fresh")), random, random.choice((0.4, 1.0)))
    return ast.unparse(ast.fix_missing_locations(tree))


def _without_neutral(tree: ast.Module, random: Random) -> ast.Module:
    """Without some of the `+ 0`, `* 1` and the like."""

    class Transformer(ast.NodeTransformer):
        def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
            self.generic_visit(node)
            is_neutral = isinstance(node.right, ast.Constant) and node.right.value in (0, 1)
            return node.left if is_neutral and random.random() < 0.5 else node

    return Transformer().visit(tree)


def _rename(tree: ast.Module, name: str, other: str, random: Random, share: float) -> None:
    """This share of a name's places."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [other if each == name and share == 1 else each for each in node.names]
        key = {ast.Name: "id", ast.arg: "arg", ast.alias: "asname"}.get(type(node), "")
        if getattr(node, key, None) == name and random.random() < share:
            setattr(node, key, other)


def _blocks(tree: ast.Module) -> Iterator[tuple[list[ast.stmt], bool]]:
    """Every block outside classes, and whether it is in a function."""
    todo: list[tuple[ast.AST, bool]] = [(tree, False)]
    while todo:
        node, inside = todo.pop()
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block, inside
        todo += [(child, inside) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.ClassDef)]


def results(text: str) -> list[Any]:
    """What the last function gives for each input, and what the module's variables hold then."""
    names: dict[str, Any] = {"__name__": "program"}
    try:
        exec(compile(text, "<program>", "exec", dont_inherit=True), names)
    except BaseException as error:
        return [type(error)]
    functions = [each.name for each in ast.parse(text).body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = []
    for number, text_input, items in INPUTS:
        found.append(_outcome(names.get(functions[-1]), number, text_input, list(items)))
        found.append([_shown(value) for key, value in names.items() if not key.startswith("_") and _is_data(value)])
    return found


def _outcome(function: Any, *arguments: Any) -> Any:
    try:
        value = function(*arguments)
        if hasattr(value, "close"):
            made = type(value)
            if hasattr(value, "__await__"):
                value.close()
                return made
            return made, [_shown(each) for each in islice(value, 9)] if hasattr(value, "__next__") else None
        return _shown(value), _shown(arguments[-1])
    except BaseException as error:
        return type(error)


def _is_data(value: Any) -> bool:
    return isinstance(value, bool | int | float | str | list | tuple | dict | None.__class__)


def _shown(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value), [_shown(each) for each in value]
    return repr(value) if _is_data(value) else type(value).__class__
