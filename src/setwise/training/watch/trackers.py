"""What the trackers behind `run.tracker` are told beyond the engine's arguments: where their files go, when a run ends.

TensorBoard and wandb write into the run folder unless their own variables say otherwise. trackio keeps one database for
all runs, which its dashboard reads, and only needs the project's name.
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
    """While a run is built and trained in it, its tracker is on. `speaks`: this process reports for all."""
    if tracker == "tensorboard":
        with _variable("TENSORBOARD_LOGGING_DIR", str(folder / "tensorboard")):
            yield
    elif tracker == "wandb" and speaks:
        with _wandb_run(folder):
            yield
    else:
        yield


def _wandb_run(folder: Path) -> Any:
    """Started before anything heavy is loaded, because it may lack a login; the engine goes on with a run it finds."""
    import wandb  # pyright: ignore[reportMissingImports]
    from wandb.errors import UsageError  # pyright: ignore[reportMissingImports]

    try:
        return wandb.init(
            project=os.environ.get("WANDB_PROJECT", PROJECT),
            name=folder.name,
            dir=os.environ.get("WANDB_DIR", str(folder)),
            # It would keep every redrawing of the live view.
            settings=wandb.Settings(console="off"),
        )
    except UsageError as error:
        raise InputError(
            f'run.tracker "wandb" cannot start: {str(error).splitlines()[0].rstrip(".")}',
            remedy="WANDB_MODE=offline needs no login",
        ) from None


@contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    """Set for a while, where nobody has set it."""
    if name in os.environ:
        yield
        return
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
