import os
from dataclasses import replace
from typing import Any

import pytest

from setwise.training.rollout_settings import (
    MOST_SEQUENCES,
    capture_sizes,
    colocated_engine,
    engine_settings,
    rollout_engine,
)
from setwise.training.settings import GenerationSettings


@pytest.mark.parametrize("in_flight", [1, 2, 3, 7, 8, 64, 100, 512, 1536, 2048])
def test_every_batch_up_to_all_sequences_has_a_graph_that_fits_it_closely(in_flight: int):
    sizes = capture_sizes(in_flight)
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == in_flight
    for batch in range(64, in_flight + 1):
        graph = min(size for size in sizes if size >= batch)
        assert (graph - batch) / batch <= 1 / 8


def test_capturing_stays_cheap():
    assert len(capture_sizes(MOST_SEQUENCES)) < 64


def test_all_samples_of_a_step_are_in_flight_up_to_what_the_sampler_can_hold():
    assert engine_settings(256)["max_num_seqs"] == 256
    assert engine_settings(100_000)["max_num_seqs"] == MOST_SEQUENCES


def test_the_engine_of_a_trainer_starts_with_our_settings_and_only_while_it_is_built(monkeypatch: pytest.MonkeyPatch):
    from trl.generation import vllm_generation

    started: list[dict[str, Any]] = []
    monkeypatch.setattr(vllm_generation, "LLM", lambda **given: started.append(given), raising=False)
    module: Any = vllm_generation
    with colocated_engine({"max_num_batched_tokens": 16_384}):
        module.LLM(model="here", max_num_batched_tokens=4096)
    module.LLM(model="there")
    assert started == [{"model": "here", "max_num_batched_tokens": 16_384}, {"model": "there"}]


def test_each_engine_has_its_share_of_the_completions_and_other_backends_none(monkeypatch: pytest.MonkeyPatch):
    from trl.generation import vllm_generation

    started: list[dict[str, Any]] = []
    monkeypatch.setattr(vllm_generation, "LLM", lambda **given: started.append(given), raising=False)
    module: Any = vllm_generation
    alone = GenerationSettings(backend="vllm", prompts_per_step=48, group_size=32)
    in_pairs = replace(alone, vllm_tensor_parallel=2)
    elsewhere = replace(alone, backend="vllm-server")
    for generation in (alone, in_pairs, elsewhere):
        with rollout_engine(generation, processes=8, dtype="bfloat16"):
            module.LLM(max_num_seqs=7)
    assert [given["max_num_seqs"] for given in started] == [192, 384, 7]
    assert [given.get("dtype") for given in started] == ["bfloat16", "bfloat16", None]


def test_trainings_that_start_together_do_not_meet_at_one_port(monkeypatch: pytest.MonkeyPatch):
    from trl.generation import vllm_generation

    monkeypatch.setattr(vllm_generation, "LLM", None, raising=False)
    ports = []
    for _ in range(2):
        monkeypatch.setenv("MASTER_PORT", "for monkeypatch to put back")
        monkeypatch.delenv("MASTER_PORT")
        with rollout_engine(GenerationSettings(backend="vllm"), processes=1, dtype="bfloat16"):
            ports.append(os.environ["MASTER_PORT"])
    assert ports[0] != ports[1]
    monkeypatch.setenv("MASTER_PORT", "4711")
    with rollout_engine(GenerationSettings(backend="vllm"), processes=1, dtype="bfloat16"):
        assert os.environ["MASTER_PORT"] == "4711"
