"""A full disk and a full GPU are one line each."""

import errno
from pathlib import Path

import pytest
import torch

from setwise.errors import MachineryError
from setwise.records.manifest import Manifest
from setwise.training.run.failures import disk_errors_explained, memory_errors_explained
from setwise.training.run.folder import TrainingFolder


def test_a_full_disk_is_one_line_that_says_what_is_left(tmp_path: Path):
    folder = TrainingFolder(tmp_path)
    (folder.checkpoints / "checkpoint-4").mkdir(parents=True)
    Manifest().write(folder.checkpoints / "checkpoint-4")
    with (
        pytest.raises(MachineryError, match="the disk is full; checkpoint-4 is complete"),
        disk_errors_explained(folder),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_gpu_is_one_line_that_says_what_to_lower(tmp_path: Path):
    said = "CUDA out of memory. Tried to allocate 304 MiB. GPU 0 has a total capacity of 139 GiB. Process 7 has more."
    with pytest.raises(MachineryError) as caught, memory_errors_explained(64, TrainingFolder(tmp_path)):
        raise torch.OutOfMemoryError(said)
    assert "micro_batch 64; no checkpoint was complete yet. Go on with" in str(caught.value)
    assert str(caught.value).endswith(
        "(CUDA out of memory. Tried to allocate 304 MiB. GPU 0 has a total capacity of 139 GiB)"
    )
    assert "\n" not in str(caught.value)
