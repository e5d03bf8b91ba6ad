"""What a run will cost, before anything is loaded."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setwise.jobs import TrainingJob
from setwise.settings import LoraSettings, WarmStartSettings
from setwise.training import cost_of, train
from setwise.training.run.cost import disk_gb, memory_gb, model_shape, update_tokens
from tests.training.tiny_clinic import make_job, paper_job


def memory(job: TrainingJob, **optimisation: Any) -> dict[str, float]:
    shape = model_shape("Qwen/Qwen3-8B")
    assert shape is not None
    return memory_gb(replace(job, optimisation=replace(job.optimisation, **optimisation)), shape, prompt_tokens=200)


def test_an_adapter_needs_less_memory_and_a_bigger_batch_more():
    job = paper_job()
    full, wide = memory(job), memory(job, micro_batch=64)
    thin = memory(replace(job, model=replace(job.model, lora=LoraSettings())))
    assert full["optimizer"] == pytest.approx(64.0)
    assert thin["optimizer"] < full["optimizer"] / 50
    assert thin["LM head"] < full["LM head"]
    assert wide["activations"] == pytest.approx(2 * full["activations"])


def test_the_lm_head_never_holds_all_logits():
    every_logit = 32 * 1536 * 150_000 * 2 / 1e9
    assert memory(paper_job(), micro_batch=32)["LM head"] < every_logit / 2


def test_checkpointing_keeps_less_than_all_layers_and_more_than_their_inputs():
    job = paper_job()
    kept = memory(job)["activations"]
    whole = memory(replace(job, model=replace(job.model, gradient_checkpointing=False)))["activations"]
    inputs = (200 + 32 * 1536) * 41 * 4100 * 4 / 1e9
    assert inputs < kept < whole / 5


def test_a_prompt_counts_once_for_the_completions_that_share_it():
    job = paper_job()

    def tokens(**optimisation: Any) -> int:
        changed = replace(job, optimisation=replace(job.optimisation, **optimisation))
        return update_tokens(changed, completions=1536, prompt_tokens=100) - 1536 * 1536

    assert tokens(micro_batch=32) == tokens(micro_batch=64) == 48 * 100
    assert tokens(micro_batch=4) == 1536 // 4 * 100
    assert tokens(shared_prompt=False) == 1536 * 100


def test_the_size_of_a_model_on_disk_is_counted_as_its_weights_are(start: Path):
    from safetensors.torch import load_file

    counted = sum(
        tensor.numel() for name, tensor in load_file(start / "model.safetensors").items() if "norm" not in name
    )
    shape = model_shape(str(start))
    assert shape is not None
    assert shape.parameters == counted


def test_an_estimate_counts_what_a_step_can_cost():
    figures = cost_of(paper_job(), processes=8)
    assert figures.completions_per_step == 1536
    assert figures.tokens_per_step == 48 * figures.prompt_tokens + 1536 * 1536
    held = sum(figures.memory_gb[part] for part in ("weights", "gradients", "optimizer"))
    assert figures.total_memory_gb - figures.sharded_memory_gb == pytest.approx(held * 7 / 8)


def test_a_vllm_that_stays_awake_counts_and_one_that_sleeps_does_not():
    job = paper_job()
    beside = replace(job.generation, backend="vllm", vllm_cache_gb=4.0)
    awake = memory(replace(job, generation=replace(beside, vllm_sleeps=False)))
    asleep = memory(replace(job, generation=replace(beside, vllm_sleeps=True)))
    assert awake["vLLM, awake"] == pytest.approx(4 + 16.0)
    assert "vLLM, awake" not in asleep


def test_rollouts_from_the_training_process_count_with_their_keys():
    job = paper_job()
    inside = memory(replace(job, generation=replace(job.generation, backend="shared")))["rollouts"]
    shape = model_shape("Qwen/Qwen3-8B")
    assert shape is not None
    keys = 2 * shape.layers * 1024 * 2 * (48 * 200 + 1536 * 1536) / 1e9
    assert inside == pytest.approx(keys + 16.0 + 1536 * 150_000 * 2 / 1e9)
    thin = replace(job, model=replace(job.model, lora=LoraSettings()))
    assert memory(thin)["rollouts"] == pytest.approx(inside - 16.0)
    assert "rollouts" not in memory(replace(job, generation=replace(job.generation, backend="vllm")))


def test_processes_share_the_prompts_of_a_step_and_so_the_memory_of_rollouts():
    job = paper_job()
    one, eight = (cost_of(job, processes).memory_gb for processes in (1, 8))
    rounded_weights = 16.0
    assert eight["rollouts"] - rounded_weights == pytest.approx((one["rollouts"] - rounded_weights) / 8)
    assert {**eight, "rollouts": 0} == {**one, "rollouts": 0}


def test_a_run_keeps_weights_and_optimizer_of_one_checkpoint_more_than_asked():
    job = paper_job()
    shape = model_shape("Qwen/Qwen3-8B")
    assert shape is not None

    def disk(**run: Any) -> dict[str, float]:
        return disk_gb(replace(job, run=replace(job.run, **run)), shape)

    assert disk(save_every=2) == pytest.approx({"checkpoints, 3 at once": 3 * 8 * 12, "model": 16})
    assert disk(save_every=10) == pytest.approx({"checkpoints, 1 at once": 8 * 12, "model": 16})
    assert disk(save_every=50) == pytest.approx({"model": 16})
    taught = replace(job, warm_start=WarmStartSettings(), run=replace(job.run, save_every=50))
    assert disk_gb(taught, shape) == pytest.approx({"model": 16, "warm start": 32})
    thin = replace(job, model=replace(job.model, lora=LoraSettings()), run=replace(job.run, save_every=10))
    assert disk_gb(thin, shape)["checkpoints, 1 at once"] < 8 * 12 / 50


def test_a_config_of_another_kind_has_no_size(tmp_path: Path):
    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 100}
    for config in (json.dumps({**sizes, "intermediate_size": [128, 256]}), json.dumps({"hidden_size": 64}), "{"):
        (tmp_path / "config.json").write_text(config, encoding="utf-8")
        assert model_shape(str(tmp_path)) is None
    (tmp_path / "config.json").write_text(json.dumps(sizes), encoding="utf-8")
    assert model_shape(str(tmp_path)) is not None


def test_a_checkpoint_is_as_large_as_estimated(start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run")
    job = replace(job, optimisation=replace(job.optimisation, steps=3))
    train(job)
    shape = model_shape(str(start))
    assert shape is not None
    files = (tmp_path / "run" / "checkpoints" / "checkpoint-2").iterdir()
    written = sum(file.stat().st_size for file in files if file.name in ("model.safetensors", "optimizer.pt"))
    assert disk_gb(job, shape)["checkpoints, 1 at once"] == pytest.approx(written / 1e9, rel=0.1)
