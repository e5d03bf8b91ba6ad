from typing import Any

import pytest

from setwise.training.rollout_settings import (
    MOST_SEQUENCES,
    RolloutLoad,
    capture_sizes,
    colocated_engine,
    engine_settings,
    trl_arguments,
)


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
    assert engine_settings(RolloutLoad(sequences=256))["max_num_seqs"] == 256
    assert engine_settings(RolloutLoad(sequences=100_000))["max_num_seqs"] == MOST_SEQUENCES


def test_the_context_is_as_long_as_the_rollouts_where_their_length_is_known():
    load = RolloutLoad(sequences=8, longest_prompt=700, longest_completion=300)
    assert engine_settings(load)["max_model_len"] == 1000
    assert trl_arguments(load)["vllm_max_model_length"] == 1000
    assert "max_model_len" not in engine_settings(RolloutLoad(sequences=8, longest_completion=300))


def test_the_engine_of_a_trainer_starts_with_our_settings_and_only_while_it_is_built(monkeypatch: pytest.MonkeyPatch):
    from trl.generation import vllm_generation

    started: list[dict[str, Any]] = []
    monkeypatch.setattr(vllm_generation, "LLM", lambda **given: started.append(given), raising=False)
    module: Any = vllm_generation
    with colocated_engine({"max_num_batched_tokens": 16_384}):
        module.LLM(model="here", max_num_batched_tokens=4096)
    module.LLM(model="there")
    assert started == [{"model": "here", "max_num_batched_tokens": 16_384}, {"model": "there"}]
