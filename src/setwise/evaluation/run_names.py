"""What runs are called where several stand side by side."""

from collections.abc import Sequence
from pathlib import Path

from setwise.errors import InputError


def names_of(folders: Sequence[Path]) -> list[str]:
    """The last part of each path, and as many before it as it takes to tell the folder from every other one.

    >>> names_of([Path("s0/eval/multi"), Path("s0/train/multi"), Path("s0/eval/single")])
    ['eval/multi', 'train/multi', 'single']
    """
    paths = [folder.resolve() for folder in folders]
    if len(set(paths)) < len(paths):
        raise InputError("each run must be given once", value=[str(folder) for folder in folders])
    return [next(tail for tail in _tails(path) if sum(tail in _tails(other) for other in paths) == 1) for path in paths]


def _tails(path: Path) -> list[str]:
    """Every end of a path, the shortest first."""
    return [str(Path(*path.parts[-size:])) for size in range(1, len(path.parts) + 1)]
