"""A full disk, a full GPU and a model that gives no numbers are one line each."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoTokenizer

from setwise.errors import InputError, MachineryError
from setwise.prompting import lesson
from setwise.records.manifest import Manifest
from setwise.settings import WarmStartSettings
from setwise.training import train
from setwise.training.run.failures import disk_errors_explained, memory_errors_explained
from setwise.training.run.folder import TrainingFolder
from setwise.training.warm_start.stage import WarmStart, warm_start
from tests.training.tiny_clinic import make_job, model_settings


def python_fills_a_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def safetensors_fills_a_disk() -> None:
    raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")


def safetensors_fills_a_quota() -> None:
    raise SafetensorError("Error while serializing: I/O error: Disk quota exceeded (os error 122)")


def torch_fills_a_disk() -> None:
    torch.save(torch.zeros(1_000_000), "/dev/full")


@pytest.mark.parametrize(
    "fill_a_disk", [python_fills_a_disk, safetensors_fills_a_disk, safetensors_fills_a_quota, torch_fills_a_disk]
)
def test_a_full_disk_is_one_line_that_says_what_is_left(fill_a_disk: Callable[[], None], tmp_path: Path):
    folder = TrainingFolder(tmp_path)
    (folder.checkpoints / "checkpoint-4").mkdir(parents=True)
    Manifest().write(folder.checkpoints / "checkpoint-4")
    with (
        pytest.raises(MachineryError, match="the disk is full; checkpoint-4 is complete"),
        disk_errors_explained(folder),
    ):
        fill_a_disk()


def test_other_errors_are_not_taken_for_a_full_disk(tmp_path: Path):
    shared_memory = RuntimeError("/dev/shm/nccl-1: No space left on device (28)")
    for error in (OSError(errno.EACCES, "Permission denied"), shared_memory, SafetensorError("Error: bad header")):
        with pytest.raises(type(error)) as caught, disk_errors_explained(TrainingFolder(tmp_path)):
            raise error
        assert caught.value is error
    with pytest.raises(RuntimeError, match="Is a directory"), disk_errors_explained(TrainingFolder(tmp_path)):
        torch.save(torch.zeros(1), tmp_path)


def test_a_full_gpu_is_one_line_that_says_what_to_lower(tmp_path: Path):
    said = "CUDA out of memory. Tried to allocate 304 MiB. GPU 0 has a total capacity of 139 GiB. Process 7 has more."
    with pytest.raises(MachineryError) as caught, memory_errors_explained(64, TrainingFolder(tmp_path)):
        raise torch.OutOfMemoryError(said)
    assert "micro_batch 64; no checkpoint was complete yet. Go on with" in str(caught.value)
    assert str(caught.value).endswith(
        "(CUDA out of memory. Tried to allocate 304 MiB. GPU 0 has a total capacity of 139 GiB)"
    )
    assert "\n" not in str(caught.value)


def without_numbers(start: Path, folder: Path) -> Path:
    """The model, with NaN for its last weights."""
    model = AutoModelForCausalLM.from_pretrained(start)
    model.lm_head.weight.data.fill_(float("nan"))
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(start).save_pretrained(folder)
    return folder


def test_a_model_that_gives_no_numbers_is_not_trained(start: Path, tmp_path: Path):
    broken = without_numbers(start, tmp_path / "broken")
    with pytest.raises(InputError) as caught:
        train(make_job(broken, tmp_path / "run"))
    assert str(caught.value).startswith(f"{broken}, step 1: the probabilities of tokens must be numbers, got NaN; ")
    assert not (tmp_path / "run" / "model").exists()


def test_a_warm_start_that_gives_no_numbers_is_not_saved(start: Path, tmp_path: Path):
    broken = without_numbers(start, tmp_path / "broken")
    job = make_job(broken, tmp_path / "run")
    plan = WarmStart(
        task=job.task,
        problems=list(job.task),
        lessons=[lesson(job.objective, "rlvr-multi")],
        model=model_settings(broken),
        settings=WarmStartSettings(steps=1, batch=4),
        folder=tmp_path / "start",
    )
    with pytest.raises(InputError, match="step 1: the probabilities of tokens must be numbers"):
        warm_start(plan)
    assert not plan.folder.exists()
