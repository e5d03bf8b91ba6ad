import os
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from setwise.settings import GenerationSettings
from setwise.training.rollout.colocated_vllm import (
    MOST_SEQUENCES,
    capture_sizes,
    colocated_engine,
    engine_settings,
    rollout_engine,
    send_weights_at_once,
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


def generation(mode: str, sleeps: bool) -> Any:
    """With TRL's interface; it notes what the engine is told."""
    told: list[Any] = []
    model = SimpleNamespace(load_weights=lambda weights: told.append(list(weights)))
    worker = SimpleNamespace(model_runner=SimpleNamespace(model=model))
    executor = SimpleNamespace(driver_worker=worker)
    engine = SimpleNamespace(llm_engine=SimpleNamespace(model_executor=executor))
    engine.reset_prefix_cache = lambda: told.append("forget prefixes")
    return SimpleNamespace(
        mode=mode,
        enable_sleep_mode=sleeps,
        llm=engine,
        told=told,
        sync_weights=lambda: told.append("as TRL does"),
        _iter_named_params=lambda: iter([("a.weight", 1), ("b.weight", 2)]),
    )


def test_an_engine_that_is_awake_gets_all_weights_in_one_call_and_forgets_what_old_ones_computed():
    ours = generation("colocate", sleeps=False)
    send_weights_at_once(ours)
    ours.sync_weights()
    assert ours.told == [[("a.weight", 1), ("b.weight", 2)], "forget prefixes"]


@pytest.mark.parametrize(("mode", "sleeps"), [("colocate", True), ("server", False)])
def test_one_that_sleeps_and_a_server_are_left_to_trl(mode: str, sleeps: bool):
    ours = generation(mode, sleeps)
    send_weights_at_once(ours)
    ours.sync_weights()
    assert ours.told == ["as TRL does"]


def test_trl_still_has_what_is_replaced():
    from trl.generation.vllm_generation import VLLMGeneration

    assert {"sync_weights", "_iter_named_params"} <= set(vars(VLLMGeneration))
