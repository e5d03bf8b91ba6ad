"""The split that an evaluation uses if the user names none: the test split, or the closest that a path has."""

from dataclasses import dataclass
from pathlib import Path

from setwise.tasks.task import TaskKind

TEST = "test"
INSTEAD = ("validation", "validate", "valid", "val", "dev", "train")
"""What is used if there is no test split: held-out problems before training problems."""


@dataclass(frozen=True, slots=True)
class AskedSplit:
    """A split, and one line about which and why. There is no split if the path is a single file without splits."""

    split: str | None
    note: str


def split_to_ask(kind: TaskKind, path: str | None, wished: str | None) -> AskedSplit:
    """The split to evaluate on: the one wished for, `test`, or the closest that the path has."""
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
