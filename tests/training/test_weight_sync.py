from types import SimpleNamespace
from typing import Any

import pytest

from setwise.training.weight_sync import send_weights_at_once


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
