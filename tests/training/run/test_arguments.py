from dataclasses import replace
from typing import Any

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


def test_one_word_chooses_where_completions_come_from():
    def flags(backend: Any) -> dict[str, Any]:
        job = paper_job()
        return engine_arguments(replace(job, generation=replace(job.generation, backend=backend)), 8)

    assert flags("transformers")["use_vllm"] is False
    assert flags("vllm")["vllm_mode"] == "colocate"
    assert flags("vllm-server")["vllm_server_base_url"] == "http://localhost:8000"
