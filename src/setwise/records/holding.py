"""One process at a time writes to a file or a folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from setwise.errors import InputError

try:
    import fcntl
except ImportError:  # On Windows, users must avoid two runs in one folder.
    fcntl = None


def hold(descriptor: int, place: Path) -> None:
    """Refuse a second process until the descriptor is closed. The system closes it if the process is killed."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError("another process is writing here", place=place, remedy="wait for it to end") from None
    except OSError:  # A network's file system may have no locks.
        return


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """A folder in which no other process may work until the block ends. It is made if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        hold(descriptor, folder)
        yield
    finally:
        os.close(descriptor)
