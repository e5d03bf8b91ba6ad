"""Reads YAML into a checked recipe. Every error is one line with its place; for a misspelt key it suggests the right
one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import yaml
from pydantic import BaseModel, ValidationError

from setwise.config.recipe import Recipe
from setwise.config.shipped import nearest_recipe, recipe_file
from setwise.config.yaml_text import parse_yaml, read_yaml_file, what_is_wrong
from setwise.errors import ConfigError
from setwise.home import at_home
from setwise.objectives import PAPER_WEIGHTS

Tree = dict[str, Any]


def read_recipe(path: str | Path, changes: Sequence[str] = ()) -> Recipe:
    """Read a recipe from a file, or a shipped one by name, with `a.b=c` changes applied."""
    tree = _read_tree(recipe_file(path))
    for change in changes:
        _apply(change, tree)
    return recipe_from(tree, place=path)


def recipe_from(tree: Mapping[str, Any], *, place: object = "") -> Recipe:
    """Build a recipe from plain data.

    >>> recipe_from({"model": {"paht": "tiny"}}, place="train.yaml")
    Traceback (most recent call last):
    setwise.errors.ConfigError: train.yaml: model.paht is not an option; did you mean model.path?
    """
    _check_keys(tree, Recipe, "", place)
    try:
        return Recipe.model_validate(tree)
    except ValidationError as error:
        raise _complaint(error, place) from None


def _read_tree(path: Path, inherited_by: tuple[Path, ...] = ()) -> Tree:
    """The file merged over the recipe it `extends`, key by key."""
    if path.resolve() in inherited_by:
        raise ConfigError("a recipe cannot extend itself", place=path)
    if not path.exists() and (near := nearest_recipe(path)):
        raise ConfigError("there is no such recipe", place=path, remedy=near)
    tree = read_yaml_file(path)
    if not isinstance(tree, dict):
        raise ConfigError("a recipe is a mapping of sections", place=path, value=tree)
    _place_prompt(tree, path.parent)
    base = tree.pop("extends", None)
    if base is None:
        return tree
    if not isinstance(base, str):
        raise ConfigError("extends names one recipe file", place=path, value=base)
    return _merged(_read_tree(path.parent / at_home(base), (*inherited_by, path.resolve())), tree)


def _place_prompt(tree: Tree, folder: Path) -> None:
    """Resolve a prompt file against the recipe's folder, or the working directory if it exists only there."""
    section = tree.get("objective")
    prompt = section.get("prompt") if isinstance(section, dict) else None
    if (
        isinstance(prompt, str)
        and not prompt.startswith("~")
        and ((folder / prompt).is_file() or not Path(prompt).is_file())
    ):
        tree["objective"] = {**tree["objective"], "prompt": str(folder / prompt)}


def _merged(below: Tree, above: Tree) -> Tree:
    merged = dict(below)
    for key, value in above.items():
        both_trees = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both_trees else value
    return merged


def _apply(change: str, tree: Tree) -> None:
    path, equals, text = change.partition("=")
    if not equals or not path:
        raise ConfigError("a change is written a.b=c", place="--set", value=change)
    try:
        value = parse_yaml(text)
    except yaml.YAMLError as error:
        _, problem = what_is_wrong(error, text)
        raise ConfigError(f"the value is not valid YAML ({problem})", place=f"--set {path}", value=text) from None
    *sections, leaf = path.split(".")
    for section in sections:
        below = tree.get(section)
        tree[section] = tree = dict(below) if isinstance(below, dict) else {}
    tree[leaf] = value


def _check_keys(tree: Mapping[str, Any], kind: Any, path: str, place: object) -> None:
    """Refuse unknown keys, and booleans for numbers, which would count as 1 and 0."""
    known = dict.fromkeys(tree, get_args(kind)[1]) if get_origin(kind) is dict else _options(kind)
    for key, value in tree.items():
        if key not in known:
            closest = _closest(str(key), path, known)
            remedy = f"did you mean {closest}?" if closest else f"the options are {', '.join(known)}"
            raise ConfigError(f"{path}{key} is not an option", place=place, remedy=remedy)
        if isinstance(value, bool) and _is_number(known[key]):
            raise ConfigError(f"{path}{key} must be a number", place=place, value=value)
        if isinstance(value, Mapping) and (_options(known[key]) or get_origin(known[key]) is dict):
            _check_keys(value, known[key], f"{path}{key}.", place)


def _is_number(kind: Any) -> bool:
    kinds = get_args(kind) or (kind,)
    return bool not in kinds and (int in kinds or float in kinds)


def _closest(key: str, path: str, known: Mapping[str, Any]) -> str:
    """The option most likely meant: a similar name in the same section, else the same name in another."""
    if siblings := get_close_matches(key, known, n=1, cutoff=0.6):
        return path + siblings[0]
    leaves = {leaf.rpartition(".")[2]: leaf for leaf in _leaves(Recipe, "")}
    leaves |= {term: f"reward.weights.{term}" for term in PAPER_WEIGHTS}
    elsewhere = get_close_matches(key, leaves, n=1, cutoff=0.75)
    return leaves[elsewhere[0]] if elsewhere else ""


def _leaves(kind: Any, path: str) -> Iterator[str]:
    for name, below in _options(kind).items():
        yield f"{path}{name}"
        yield from _leaves(below, f"{path}{name}.")


def _options(kind: Any) -> dict[str, Any]:
    """Names and types of a section's options; empty if `kind` is not a section."""
    if get_origin(kind) in (Union, UnionType):
        return next((options for part in get_args(kind) if (options := _options(part))), {})
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return {field.name: hints[field.name] for field in fields(kind)}
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {name: field.annotation for name, field in kind.model_fields.items()}
    return {}


def _complaint(error: ValidationError, place: object) -> ConfigError:
    first = error.errors()[0]
    path = ".".join(str(part) for part in first["loc"] if str(part).isidentifier() and not str(part)[0].isupper())
    if first["type"] == "missing":
        return ConfigError(f"{path} must be given", place=place)
    rule = first["msg"].removeprefix("Value error, ")
    if first["type"] in ("model_type", "dataclass_type"):
        return ConfigError(f"{path} is a section of options", place=place, value=first["input"])
    if first["type"] == "value_error":
        return ConfigError(f"{path}: {rule}", place=place)
    return ConfigError(f"{path}: {rule[:1].lower()}{rule[1:]}", place=place, value=first["input"])
