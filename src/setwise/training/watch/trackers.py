"""What the trackers behind `run.tracker` need beyond TRL's arguments: where files go, and when a run ends.

TensorBoard and wandb write into the run folder, unless their own variables name another. trackio keeps one database for
all runs, which its dashboard reads, and needs only the project's name.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from setwise.errors import InputError, MissingDependency
from setwise.settings import Tracker

PROJECT = "setwise"


def check_tracker(tracker: Tracker) -> None:
    if tracker != "none" and find_spec(tracker) is None:
        raise MissingDependency(f'run.tracker "{tracker}"', package=tracker, extra="track")


@contextmanager
def tracking(tracker: Tracker, folder: Path, *, speaks: bool) -> Iterator[None]:
    """Keeps the tracker on while a run is built and trained. `speaks`: this process reports for all."""
    if tracker == "tensorboard":
        with _variable("TENSORBOARD_LOGGING_DIR", str(folder / "tensorboard")):
            yield
    elif tracker == "wandb" and speaks:
        with _wandb_run(folder):
            yield
    else:
        yield


def _wandb_run(folder: Path) -> Any:
    """Started before anything heavy is loaded, because a login may be missing. The trainer continues a run that
    exists."""
    import wandb  # pyright: ignore[reportMissingImports]
    from wandb.errors import UsageError  # pyright: ignore[reportMissingImports]

    try:
        return wandb.init(
            project=os.environ.get("WANDB_PROJECT", PROJECT),
            name=folder.name,
            dir=os.environ.get("WANDB_DIR", str(folder)),
            # It would record every redraw of the live view.
            settings=wandb.Settings(console="off"),
        )
    except UsageError as error:
        raise InputError(
            f'run.tracker "wandb" cannot start: {str(error).splitlines()[0].rstrip(".")}',
            remedy="WANDB_MODE=offline needs no login",
        ) from None


@contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    """Set a variable for a while, unless it is already set."""
    if name in os.environ:
        yield
        return
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
