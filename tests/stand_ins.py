"""Commands that stand in for others on the path of a script."""

import os
from pathlib import Path


def standing_in(commands: dict[str, str], folder: Path) -> dict[str, str]:
    """The environment in which these scripts, by name, are found before any other command."""
    folder.mkdir()
    for name, text in commands.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
