from dataclasses import replace
from typing import Any

import pytest
import torch
from transformers import get_scheduler

from setwise.errors import InputError
from setwise.training.run.arguments import engine_arguments
from tests.training.tiny_clinic import paper_job


def test_the_papers_recipe_is_stock_flags():
    flags = engine_arguments(paper_job(), processes=8)
    assert (flags["loss_type"], flags["scale_rewards"], flags["beta"]) == ("bnpo", "none", 0)
    assert (flags["lr_scheduler_type"], flags["temperature"], flags["num_generations"]) == (
        "constant_with_warmup",
        0.7,
        32,
    )
    batch = flags["per_device_train_batch_size"] * flags["gradient_accumulation_steps"] * 8
    assert (batch, flags["steps_per_generation"]) == (1536, flags["gradient_accumulation_steps"])


def test_a_constant_rate_may_fall_to_zero_over_the_last_steps():
    job = paper_job()
    optimisation = replace(job.optimisation, learning_rate=2e-6, steps=20, warmup_fraction=0.1, decay_fraction=0.25)
    flags = engine_arguments(replace(job, optimisation=optimisation), processes=8)
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=flags["learning_rate"])
    scheduler = get_scheduler(
        flags["lr_scheduler_type"],
        optimizer,
        num_warmup_steps=flags["warmup_steps"],
        num_training_steps=flags["max_steps"],
        scheduler_specific_kwargs=flags["lr_scheduler_kwargs"],
    )
    rates = []
    for _ in range(20):
        rates.append(scheduler.get_last_lr()[0])
        optimizer.step()
        scheduler.step()
    assert rates == pytest.approx([0, 1e-6, *[2e-6] * 14, 1.6e-6, 1.2e-6, 0.8e-6, 0.4e-6])
    assert scheduler.get_last_lr() == [0]
    with pytest.raises(InputError, match="unless schedule is constant"):
        replace(optimisation, schedule="linear")
    with pytest.raises(InputError, match=r"must together be at most 1, got \[0\.1, 0\.95\]"):
        replace(optimisation, decay_fraction=0.95)
    whole = replace(optimisation, warmup_fraction=0.5, decay_fraction=0.5, steps=7)
    flags = engine_arguments(replace(job, optimisation=whole), processes=8)
    assert (flags["warmup_steps"], flags["lr_scheduler_kwargs"]["num_decay_steps"]) == (4, 3)


def test_one_word_chooses_where_completions_come_from():
    def flags(backend: Any) -> dict[str, Any]:
        job = paper_job()
        return engine_arguments(replace(job, generation=replace(job.generation, backend=backend)), 8)

    assert flags("transformers")["use_vllm"] is False
    assert flags("vllm")["vllm_mode"] == "colocate"
    assert flags("vllm-server")["vllm_server_base_url"] == "http://localhost:8000"
