"""Which split an evaluation asks where the user names none: the test split, or the nearest thing a path has."""

from dataclasses import dataclass
from pathlib import Path

from setwise.tasks.task import TaskKind

TEST = "test"
INSTEAD = ("validation", "validate", "valid", "val", "dev", "train")
"""What is asked where there is no test split: held-out problems before those of the training."""


@dataclass(frozen=True, slots=True)
class AskedSplit:
    """A split, and one line that says which and why; no split where a path is one file without any."""

    split: str | None
    note: str


def split_to_ask(kind: TaskKind, path: str | None, wished: str | None) -> AskedSplit:
    """The split to evaluate on: the wished one, `test`, or what a path without a test split has instead."""
    if wished is not None:
        return AskedSplit(wished, f"asking split {wished}")
    there = kind.splits if kind.splits_at is None else kind.splits_at(path)
    if TEST in there:
        return AskedSplit(TEST, f"asking split {TEST}")
    split = next((name for name in INSTEAD if name in there), None)
    if split is not None:
        place = f"{path} has" if path else "the task has"
        return AskedSplit(
            split,
            f"asking split {split}: {place} no {TEST} split, only {', '.join(there)}; --split chooses another",
        )
    if path is not None and Path(path).is_file():
        return AskedSplit(None, f"asking all of {path}, a file without splits")
    return AskedSplit(None, "asking the problems that the task gives without a split")
