"""What is slow to make and only read, made once for all processes of a test run."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(make: Callable[[Path], object], factory: pytest.TempPathFactory, name: str) -> Path:
    """The folder of this name, in which one of the processes has called `make`."""
    base = factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, made = root / name, root / f"{name}.made"
    with FileLock(root / f"{name}.lock"):
        if not made.exists():
            make(folder)
            made.touch()
    return folder
