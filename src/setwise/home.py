"""`~` in paths. A shell expands it only where it begins a word, so not in `--set task.path=~/data`, `hf:~/model`, or a
recipe."""

from pathlib import Path


def at_home(path: str) -> str:
    """The path with a leading `~` expanded; without one, exactly as written. `~NAME` stays if there is no such user.

    >>> at_home("data/x/"), at_home("~/data") == str(Path.home() / "data")
    ('data/x/', True)
    """
    if not path.startswith("~"):
        return path
    try:
        return str(Path(path).expanduser())
    except RuntimeError:
        return path
