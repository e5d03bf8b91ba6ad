"""vLLM settings that keep a small model busy.

A model of a few hundred million parameters decodes one token for a thousand sequences in about the time it takes for
ten. So all samples of a step should be in flight at once, and a decoding step of that size should replay a captured
CUDA graph: by default vLLM captures up to 512 sequences, and beyond that Python launches every kernel. Prompts should
be read in large pieces, shared prompts once, and tokens that training never reads as text should not be decoded.
"""

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from setwise.models.vllm import cache_options
from setwise.settings import GenerationSettings

MOST_SEQUENCES = 2_048
"""The sampler stores logits for every sequence in flight, several times."""
PREFILL_TOKENS = 16_384


SAMPLING = {"detokenize": False}
"""Rewards decode the tokens themselves."""


def engine_settings(completions: int) -> dict[str, Any]:
    """Arguments for `vllm.LLM`, for an engine that is asked for this many completions at a time.

    >>> settings = engine_settings(1536)
    >>> settings["max_num_seqs"], settings["compilation_config"]["cudagraph_capture_sizes"][-1]
    (1536, 1536)
    """
    in_flight = max(1, min(completions, MOST_SEQUENCES))
    return {
        "max_num_seqs": in_flight,
        "max_num_batched_tokens": PREFILL_TOKENS,
        "enable_prefix_caching": True,
        "compilation_config": {"cudagraph_capture_sizes": capture_sizes(in_flight)},
    }


@contextmanager
def rollout_engine(generation: GenerationSettings, processes: int, dtype: str) -> Iterator[None]:
    """While a trainer is being built, a colocated vLLM engine starts with our settings. Other backends are unchanged.

    `dtype` is the format that training computes in. By default, vLLM follows the stored weights, which are wider after
    a warm start.
    """
    if generation.backend != "vllm":
        yield
        return
    if processes == 1:
        # TRL takes port 29500 if it looks free, and so would another training run that starts now.
        os.environ.setdefault("MASTER_PORT", str(_free_port()))
    engines = max(1, processes // generation.vllm_tensor_parallel)
    settings = engine_settings(generation.completions_per_step // engines)
    with colocated_engine({**settings, **cache_options(generation.vllm_cache_gb), "dtype": dtype}):
        yield


def capture_sizes(in_flight: int) -> list[int]:
    """Batch sizes to capture graphs for, up to all sequences: dense for small batches, then coarser.

    A batch runs in the next larger graph, so at most an eighth of it is idle from 64 sequences on.

    >>> capture_sizes(20)
    [1, 2, 4, 8, 16, 20]
    """
    sizes = [1, 2, 4, 8]
    while sizes[-1] < in_flight:
        power_of_two = 1 << (sizes[-1].bit_length() - 1)
        sizes.append(sizes[-1] + max(8, power_of_two // 8))
    return [size for size in sizes if size < in_flight] + [in_flight]


def _free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("localhost", 0))
        return asking.getsockname()[1]


@contextmanager
def colocated_engine(settings: Mapping[str, Any]) -> Iterator[None]:
    """While a trainer is being built, TRL's colocated engine starts with these settings.

    TRL fixes the engine's batched tokens and has no argument for the graphs, so its constructor is wrapped.
    """
    from trl.generation import vllm_generation

    module: Any = vllm_generation
    engine = module.LLM

    def start(**given: Any) -> Any:
        return engine(**{**given, **settings})

    module.LLM = start
    try:
        yield
    finally:
        module.LLM = engine


def send_weights_at_once(generation: Any) -> None:
    """Let TRL's `VLLMGeneration` send weights in one call. TRL makes one call per tensor, and in each vLLM lists all of
    its parameters, which costs more than the copy. Engines that sleep and servers are left alone: one must be woken
    first, the other is updated differently.
    """
    if generation.mode != "colocate" or generation.enable_sleep_mode:
        return

    def sync_weights() -> None:
        runner = generation.llm.llm_engine.model_executor.driver_worker.model_runner
        runner.model.load_weights(generation._iter_named_params())
        generation.llm.reset_prefix_cache()

    generation.sync_weights = sync_weights
