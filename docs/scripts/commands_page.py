"""Every command with its options, from the parser itself."""

import argparse
from collections.abc import Iterator
from itertools import groupby

from docs.scripts.links import linked
from setwise.cli import COMMANDS, command_parser


def commands_page() -> Iterator[str]:
    """One section for each command: what it does, how it is called, its options."""
    yield "# Commands"
    yield ""
    yield "This page is generated from the parser; `setwise COMMAND --help` prints the same. Bad input is one line on"
    yield "stderr and exit status 2; a failure of the machine is one line and exit status 1."
    yield ""
    yield "| command | what it does |"
    yield "| --- | --- |"
    for name, summary in COMMANDS.items():
        yield f"| [`setwise {name}`](#setwise-{name}) | {_cell(summary)} |"
    yield ""
    for name in COMMANDS:
        yield from _section(f"setwise {name}", _parser_of(name), depth=2)


def _parser_of(command: str) -> argparse.ArgumentParser:
    return _subcommands(command_parser([command]))[command]


def _section(title: str, parser: argparse.ArgumentParser, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {title}"
    yield ""
    yield from _description(parser)
    rows = [_row(parser, action) for action in parser._actions if _is_shown(action)]
    if rows:
        yield "| argument | meaning |"
        yield "| --- | --- |"
        yield from rows
        yield ""
    for name, part in _subcommands(parser).items():
        yield from _section(f"{title} {name}", part, depth + 1)


def _description(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Prose as `--help` prints it; indented lines, which are commands or lists, as a block."""
    formatter = parser.formatter_class(prog=parser.prog, width=120)
    formatter.add_text(parser.description)
    for is_block, lines in groupby(formatter.format_help().strip().splitlines(), key=lambda line: line.startswith(" ")):
        shown = [line.strip() if is_block else linked(line) for line in lines]
        yield from ["```text", *shown, "```", ""] if is_block else [*shown, *([""] if shown[-1] else [])]


def _row(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()
    called = formatter._format_action_invocation(action)
    helped = formatter._expand_help(action) if action.help else ""
    return f"| `{called}` | {_cell(helped)} |"


def _is_shown(action: argparse.Action) -> bool:
    hidden = action.help == argparse.SUPPRESS
    return not hidden and not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)


def _subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _cell(text: str) -> str:
    return linked(" ".join(text.split()).replace("|", "\\|").replace("<", "&lt;"))
