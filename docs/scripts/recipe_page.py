"""Every option of a recipe, from the classes that read it."""

import ast
import inspect
import textwrap
import types
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from docs.scripts.links import linked
from setwise.config import Recipe

PLAIN_TYPES = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}


def recipe_page() -> Iterator[str]:
    """One table for each section: option, type, default, meaning."""
    yield "# Recipe options"
    yield ""
    yield "This page is generated from the classes that read a recipe. [Train](../how-to/train.md) shows whole recipes"
    yield "and how to change one option from the command line (`--set generation.group_size=16`). An option without a"
    yield "default must be given."
    yield "A recipe is plain YAML of at most 10,000 values and 50 levels; an alias counts each time it is used."
    for name, kind in _hints(Recipe).items():
        section = _section_of(kind)
        yield ""
        yield f"## {name}"
        yield ""
        doc = inspect.getdoc(section)
        if doc and "__pydantic" not in doc and not doc.startswith(f"{section.__name__}("):
            yield from doc.splitlines()
            yield ""
        if _optional(kind):
            yield "The section is optional."
            yield ""
        yield from _table(section, name)


def _table(section: type, name: str) -> Iterator[str]:
    yield "| option | type | default | meaning |"
    yield "| --- | --- | --- | --- |"
    yield from _rows(section, name)


def _rows(section: type, prefix: str) -> Iterator[str]:
    meanings, defaults = attribute_docstrings(section), _defaults(section)
    for option, kind in _hints(section).items():
        default = "" if option not in defaults else f"`{_shown(defaults[option])}`"
        meaning = " ".join(meanings.get(option, "").split())
        yield f"| `{prefix}.{option}` | {_type(kind)} | {default} | {_cell(meaning)} |"
        inner = _section_of(kind)
        if is_dataclass(inner):
            yield from _rows(inner, f"{prefix}.{option}")


def attribute_docstrings(section: type) -> dict[str, str]:
    """The strings that stand below the fields of a class."""
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(section))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, after in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
            found[field.target.id] = ast.literal_eval(after.value)
    return found


def _hints(section: type) -> dict[str, Any]:
    names = list(section.model_fields) if issubclass(section, BaseModel) else [each.name for each in fields(section)]
    hints = get_type_hints(section)
    return {name: hints[name] for name in names}


def _defaults(section: type) -> dict[str, Any]:
    if issubclass(section, BaseModel):
        found = {name: info.get_default(call_default_factory=True) for name, info in section.model_fields.items()}
        return {name: value for name, value in found.items() if value is not PydanticUndefined}
    values = {each.name: each.default for each in fields(section) if each.default is not MISSING}
    made = {each.name: each.default_factory() for each in fields(section) if each.default_factory is not MISSING}
    return values | made


def _section_of(kind: Any) -> Any:
    """The class behind `Section` or `Section | None`."""
    return next((each for each in (kind, *get_args(kind)) if isinstance(each, type) and _holds_options(each)), kind)


def _holds_options(kind: type) -> bool:
    return is_dataclass(kind) or (inspect.isclass(kind) and issubclass(kind, BaseModel))


def _optional(kind: Any) -> bool:
    return type(None) in get_args(kind)


def _type(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " ".join(f"`{each}`" for each in get_args(kind))
    if get_origin(kind) in (Union, types.UnionType):
        return " or ".join(_type(each) for each in get_args(kind) if each is not type(None))
    if get_origin(kind) is not None:
        return {"dict": "mapping", "list": "list", "tuple": "list"}[get_origin(kind).__name__]
    return PLAIN_TYPES.get(kind.__name__, "section")


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _cell(text: str) -> str:
    return linked(text.replace("|", "\\|"))
