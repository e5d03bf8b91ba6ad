"""Turns failures of the machine into one line about what is left and what to do."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from setwise.errors import MachineryError
from setwise.training.run.folder import TrainingFolder


@contextmanager
def disk_errors_explained(folder: TrainingFolder) -> Iterator[None]:
    """A full disk loses only the checkpoint being written."""
    try:
        yield
    except Exception as error:
        if not _is_full_disk(error):
            raise
        raise MachineryError(
            f"{folder.path}: the disk is full; {_kept(folder)}. Free some space and run the same command again"
        ) from error


@contextmanager
def memory_errors_explained(micro_batch: int, folder: TrainingFolder) -> Iterator[None]:
    """A GPU runs out of memory late: at the first long completions, or when another program takes a part of it."""
    from torch import OutOfMemoryError

    try:
        yield
    except OutOfMemoryError as error:
        said = ". ".join(str(error).split(". ")[:3])
        raise MachineryError(
            f"{folder.path}: out of GPU memory with optimisation.micro_batch {micro_batch}; {_kept(folder)}. Go on "
            "with model.gradient_checkpointing or a smaller generation.vllm_cache_gb, or begin in a new run.folder "
            f"with a smaller micro-batch; --dry-run estimates ({said})"
        ) from error


def _is_full_disk(error: Exception) -> bool:
    """Whoever writes says it otherwise: Python by a number, safetensors in words, and torch only that its file ends too
    early."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    cut_short = isinstance(error, RuntimeError) and "inline_container" in str(error)
    return cut_short or os.strerror(errno.ENOSPC) in str(error)


def _kept(folder: TrainingFolder) -> str:
    left = folder.latest_checkpoint()
    return f"{left.name} is complete" if left else "no checkpoint was complete yet"
