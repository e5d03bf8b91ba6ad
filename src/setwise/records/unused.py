"""A run that got no answer leaves nothing behind, so that its folder is free for another."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from setwise.errors import MachineryError
from setwise.records.run import RunFolder


@contextmanager
def left_as_found(folders: Sequence[RunFolder]) -> Iterator[None]:
    """If the block fails or is interrupted, remove what it made in folders that have no completion yet.

    A folder that already held a config or samples stays as it is. So does every folder after an `InputError`: another
    process may be writing there.
    """
    new = [folder for folder in folders if not (folder.config.exists() or folder.samples.exists())]
    made = {path for folder in new for path in (folder.path, *folder.path.parents) if not path.exists()}
    try:
        yield
    except (MachineryError, KeyboardInterrupt):
        for folder in new:
            if not folder.samples.exists() or folder.samples.stat().st_size == 0:
                folder.samples.unlink(missing_ok=True)
                folder.config.unlink(missing_ok=True)
        for path in sorted(made, key=lambda path: len(path.parts), reverse=True):
            with suppress(OSError):  # What holds something stays.
                path.rmdir()
        raise
