"""Weights to a colocated vLLM in one call.

TRL makes one call per tensor, and in each of them vLLM lists all of its parameters: the list costs more than the copy.
"""

from typing import Any


def send_weights_at_once(generation: Any) -> None:
    """Let TRL's `VLLMGeneration` do so. One that sleeps must be woken first, a server is told otherwise: both stay."""
    if generation.mode != "colocate" or generation.enable_sleep_mode:
        return

    def sync_weights() -> None:
        runner = generation.llm.llm_engine.model_executor.driver_worker.model_runner
        runner.model.load_weights(generation._iter_named_params())
        generation.llm.reset_prefix_cache()

    generation.sync_weights = sync_weights
