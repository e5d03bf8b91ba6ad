"""Loads YAML as recipes need it: plain data of modest size. Anything else is refused, with its line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from setwise.errors import ConfigError, show

DEEPEST = 50
MOST_NODES = 10_000
"""Counted after expanding aliases, so that a few lines cannot grow into gigabytes."""


def read_yaml_file(path: Path) -> Any:
    try:
        written = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"the recipe cannot be read ({error.strerror})", place=path) from None
    try:
        text = written.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = written[: error.start].count(b"\n") + 1
        rule = f"a recipe must be UTF-8 ({error.reason} at byte {error.start})"
        raise ConfigError(rule, place=f"{path}:{line}", remedy="save the file as UTF-8") from None
    try:
        return parse_yaml(text)
    except yaml.YAMLError as error:
        line, problem = what_is_wrong(error, text)
        raise ConfigError(f"not valid YAML ({problem})", place=f"{path}:{line}" if line else path) from None


def parse_yaml(text: str) -> Any:
    """Raises only `yaml.YAMLError`."""
    return yaml.load(text, _StrictLoader)


def what_is_wrong(error: yaml.YAMLError, text: str) -> tuple[int | None, str]:
    """The line number, and what is wrong there in a few words."""
    if isinstance(error, yaml.reader.ReaderError):
        return text[: error.position].count("\n") + 1, f"the character U+{error.character:04X} is not allowed"
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or " ".join(str(error).split())
    return (mark.line + 1 if mark else None), problem


class _StrictLoader(yaml.SafeLoader):
    """Refuses documents that are too deep or too large, and repeated keys, of which YAML would silently keep the
    last."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def get_single_node(self) -> Any:
        root = super().get_single_node()
        for number, node in enumerate(_nodes(root)):
            if number >= MOST_NODES:
                raise _refusal(f"more than {MOST_NODES:,} values, aliases read out", node)
        return root

    def compose_node(self, parent: Any, index: Any) -> Any:
        self._depth += 1
        if self._depth > DEEPEST:
            raise yaml.MarkedYAMLError(problem=_TOO_DEEP, problem_mark=self.peek_event().start_mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            value = super().construct_object(node, deep)
        except (ValueError, TypeError, KeyError, AttributeError):
            # For example a date in a thirteenth month, a number with thousands of digits, or `!!bool maybe`.
            raise _refusal(f"{show(node.value)} cannot be read as {node.tag.rpartition(':')[2]}", node) from None
        if isinstance(value, str) and "\0" in value:
            raise _refusal("a text must not hold a NUL character", node)
        return value

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = next((key for number, key in enumerate(keys) if key in keys[:number]), None)
        if twice is not None:
            raise _refusal(f"{twice} is given twice", node)
        return super().construct_mapping(node, deep)


_TOO_DEEP = f"more than {DEEPEST} levels deep"


def _nodes(root: yaml.Node | None) -> Iterator[yaml.Node]:
    """Every node, as often as it is used. A node that contains itself becomes too deep and is refused."""
    todo = [(root, 1)] if root else []
    while todo:
        node, depth = todo.pop()
        if depth > DEEPEST:
            raise _refusal(_TOO_DEEP, node)
        yield node
        if isinstance(node, yaml.MappingNode):
            todo += [(part, depth + 1) for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            todo += [(part, depth + 1) for part in node.value]


def _refusal(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
