"""Turns failures of the machine into one line about what is left and what to do."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from setwise.errors import MachineryError
from setwise.training.run.folder import TrainingFolder

FULL = (errno.ENOSPC, errno.EDQUOT)
"""No space, or no more of it for this user."""


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
    """Each library reports it differently: Python by a number, safetensors in words, and torch only says that its file
    ends too early."""
    from safetensors import SafetensorError

    match error:
        case OSError():
            return error.errno in FULL
        case SafetensorError():
            return any(os.strerror(number) in str(error) for number in FULL)
        case RuntimeError():
            return "inline_container" in str(error) and "unexpected pos" in str(error)
    return False


def _kept(folder: TrainingFolder) -> str:
    left = folder.latest_checkpoint()
    return f"{left.name} is complete" if left else "no checkpoint was complete yet"
