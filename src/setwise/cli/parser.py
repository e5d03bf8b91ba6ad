"""The parser of every command: argparse, with `~` expanded in paths and misspelt words answered with the nearest known
one."""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from setwise.errors import InputError
from setwise.home import at_home
from setwise.plugins import suggestion


class Parser(argparse.ArgumentParser):
    """Options and positionals with `type=Path` get their `~` expanded, which a shell leaves in `--out=~/run` or in
    quotes. Subcommands have this parser too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.register("type", Path, lambda text: Path(at_home(text)))
        self._words: list[str] = []

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        # An unknown option is told here: argparse itself tells it last, and not at all if a required one is missing.
        self._words = [] if args is None else list(args)
        found, rest = super().parse_known_args(args if args is None else self._words, namespace)
        if rest and not self._has_subcommands():
            self._refuse_unknown()
        return found, rest

    def error(self, message: str) -> NoReturn:
        if not self._has_subcommands():
            self._refuse_unknown()
        super().error(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        name = "/".join(action.option_strings) or action.metavar or action.dest
        rule = f"must be one of {', '.join(choices)}"
        raise InputError(rule, place=f"{self.prog} {name}", value=value, remedy=suggestion(value, choices))

    def _refuse_unknown(self) -> None:
        options = self._words[: self._words.index("--")] if "--" in self._words else self._words
        known = [option for action in self._actions for option in action.option_strings]
        for word in options:
            name = word.partition("=")[0]
            # A beginning of an option's name is taken for it, and a text with a space is a value.
            if name.startswith("--") and " " not in name and not _begins_one(name, known):
                near = get_close_matches(name[2:], [option.lstrip("-") for option in known], n=1)
                remedy = f"did you mean --{near[0]}?" if near else f"'{self.prog} --help' lists the options"
                raise InputError(f"{name} is not an option", place=self.prog, remedy=remedy)

    def _has_subcommands(self) -> bool:
        return self._subparsers is not None


def _begins_one(name: str, known: Sequence[str]) -> bool:
    return any(option.startswith(name) for option in known)
