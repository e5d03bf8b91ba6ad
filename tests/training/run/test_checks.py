from dataclasses import replace
from typing import Any

import pytest

from setwise.config import read_recipe
from setwise.errors import InputError
from setwise.matching import named
from setwise.records.manifest import Manifest
from setwise.settings import RunSettings, WarmStartSettings
from setwise.training.run.checks import check_installed, check_job, check_model_path
from setwise.training.run.precision import can_compute_in
from tests.training.tiny_clinic import paper_job


def test_a_micro_batch_that_cuts_through_groups_is_said_aloud():
    def said(**optimisation: Any) -> list[str]:
        job = paper_job()
        return [
            warning
            for warning in check_job(replace(job, optimisation=replace(job.optimisation, **optimisation)))
            if "cuts through groups" in warning
        ]

    [warning] = said(micro_batch=8)
    assert "a multiple of 32 runs each once" in warning
    assert not said(micro_batch=64)
    assert not said(micro_batch=8, shared_prompt=False)


def test_a_warm_start_that_processes_cannot_share_is_refused_before_anything_is_loaded():
    job = replace(paper_job(), warm_start=WarmStartSettings(batch=20))
    check_job(job, processes=4)
    said = r"^warm_start.batch: 8 processes cannot share .* evenly, got 20; make it a multiple of 8$"
    with pytest.raises(InputError, match=said):
        check_job(job, processes=8)


def test_a_run_that_will_fill_the_disk_is_said_aloud(tmp_path):
    def said(model: str) -> list[str]:
        job = replace(paper_job(), run=RunSettings(folder=str(tmp_path / "not" / "made"), save_every=2))
        return [each for each in check_job(replace(job, model=replace(job.model, path=model))) if "are free" in each]

    [warning] = said("Made/Up-80000B")
    assert warning.startswith(f"{tmp_path / 'not' / 'made'}: this run will hold about 3040000.0 GB, and ")
    assert not said("Made/Up-1M")
    assert not said("Made/Up")
    checkpoint = tmp_path / "not" / "made" / "checkpoints" / "checkpoint-2"
    checkpoint.mkdir(parents=True)
    assert said("Made/Up-80000B") == [warning]
    Manifest().write(checkpoint)
    assert not said("Made/Up-80000B")


def test_a_matcher_that_cannot_judge_the_task_is_refused_before_anything_is_loaded():
    job = paper_job()
    with pytest.raises(InputError, match="the code matcher needs tests, and this problem has golds instead"):
        check_job(replace(job, task=replace(job.task, matcher=named("code"))))


def test_a_model_folder_that_is_not_there_is_answered_with_the_nearest(tmp_path):
    (tmp_path / "qwen").mkdir()
    (tmp_path / "qwen" / "config.json").write_text("{}")
    with pytest.raises(InputError, match=rf"there is no model folder here; did you mean {tmp_path}/qwen\?"):
        check_model_path(str(tmp_path / "qwem"))
    (tmp_path / "lora").mkdir()
    (tmp_path / "lora" / "adapter_config.json").write_text("{}")
    with pytest.raises(InputError, match=r"a model folder holds a config\.json"):
        check_model_path(str(tmp_path / "lora"))


def test_the_home_folder_is_read_out_where_the_model_is_loaded(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    job = paper_job()
    assert replace(job.model, path="~/qwen").location == str(tmp_path / "qwen")
    assert replace(job.model, path="Qwen/Qwen3-8B").location == "Qwen/Qwen3-8B"


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> Any:
    torch, utils = pytest.importorskip("torch"), pytest.importorskip("transformers.utils.import_utils")

    def of(*, gpu: bool, bfloat16: bool) -> None:
        monkeypatch.setattr(torch.accelerator, "is_available", lambda: gpu)
        monkeypatch.setattr(utils, "is_torch_bf16_gpu_available", lambda: bfloat16)
        monkeypatch.setattr(utils, "is_torch_xla_available", lambda: False)

    return of


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_a_format_that_no_device_computes_in_is_refused_before_anything_is_loaded(devices: Any, dtype: Any):
    pytest.importorskip("trl")
    job = paper_job()
    job = replace(job, model=replace(job.model, dtype=dtype))
    devices(gpu=False, bfloat16=False)
    said = f"^model.dtype: no GPU of this machine computes in {dtype}; set model.dtype=float32$"
    with pytest.raises(InputError, match=said):
        check_installed(job)
    check_installed(replace(job, model=replace(job.model, dtype="float32")))
    devices(gpu=True, bfloat16=True)
    check_installed(job)


def test_an_old_gpu_computes_in_float16_alone(devices: Any):
    devices(gpu=True, bfloat16=False)
    assert [dtype for dtype in ("bfloat16", "float16", "float32") if can_compute_in(dtype)] == ["float16", "float32"]


def test_the_model_of_the_demos_recipes_is_said_to_come_from_the_demo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^model.path runs/demo/blank: there is no model folder here; `setwise demo`"):
        check_model_path(read_recipe("recipes/demo/rlvr-multi.yaml").model.path)
