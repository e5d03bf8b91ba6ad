"""The parser of every command: argparse, with `~` expanded in paths."""

import argparse
from pathlib import Path

from setwise.home import at_home


class Parser(argparse.ArgumentParser):
    """Options and positionals with `type=Path` get their `~` expanded, which a shell leaves in `--out=~/run` or in
    quotes. Subcommands have this parser too."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # pyright: ignore[reportArgumentType]
        self.register("type", Path, lambda text: Path(at_home(text)))
