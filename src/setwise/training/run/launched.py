"""Processes that train together, as their launcher counts them."""

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from setwise.records.holding import held


def processes_and_rank() -> tuple[int, int]:
    """How many there are, and which one this is."""
    return int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0"))


def held_by_first(folder: Path, rank: int) -> AbstractContextManager[None]:
    """All of them work in one folder, so only the first holds it."""
    return held(folder) if rank == 0 else nullcontext()
