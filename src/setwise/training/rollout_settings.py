"""vLLM settings under which a small model is not starved.

A model of a few hundred million parameters decodes one token for a thousand sequences in about the time it needs for
ten, so what counts is that all samples of a step are in flight at once, that a decoding step of that size replays
a captured CUDA graph (vLLM captures up to 512 sequences unless told otherwise, and beyond that Python launches every
kernel), that prompts are read in large pieces and shared prompts once, and that nobody turns tokens into text that
training never reads.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

MOST_SEQUENCES = 2_048
"""The sampler writes out logits for every sequence in flight, several times."""
PREFILL_TOKENS = 16_384


@dataclass(frozen=True, slots=True)
class RolloutLoad:
    """What one step asks of one engine."""

    sequences: int
    """Completions per generation and engine."""
    longest_prompt: int | None = None
    longest_completion: int | None = None

    @property
    def in_flight(self) -> int:
        return max(1, min(self.sequences, MOST_SEQUENCES))

    @property
    def longest_sequence(self) -> int | None:
        """None where the prompts' lengths are not known: then the model's own limit stands."""
        if self.longest_prompt is None or self.longest_completion is None:
            return None
        return self.longest_prompt + self.longest_completion


def engine_settings(load: RolloutLoad) -> dict[str, Any]:
    """Arguments for `vllm.LLM`.

    >>> settings = engine_settings(RolloutLoad(sequences=1536))
    >>> settings["max_num_seqs"], settings["compilation_config"]["cudagraph_capture_sizes"][-1]
    (1536, 1536)
    """
    return {
        "max_num_seqs": load.in_flight,
        "max_num_batched_tokens": PREFILL_TOKENS,
        "enable_prefix_caching": True,
        "compilation_config": {"cudagraph_capture_sizes": capture_sizes(load.in_flight)},
    } | ({} if load.longest_sequence is None else {"max_model_len": load.longest_sequence})


def trl_arguments(load: RolloutLoad) -> dict[str, Any]:
    """What `GRPOConfig` can be told directly under its colocated engine; the rest goes through `colocated_engine`."""
    arguments: dict[str, Any] = {"generation_kwargs": {"detokenize": False}}
    if load.longest_sequence is not None:
        arguments["vllm_max_model_length"] = load.longest_sequence
    return arguments


def capture_sizes(in_flight: int) -> list[int]:
    """Batch sizes to capture graphs for, up to all sequences: dense where batches are small, then ever coarser.

    A batch runs in the next larger graph, so at most an eighth of it is idle once it has 64 sequences.

    >>> capture_sizes(20)
    [1, 2, 4, 8, 16, 20]
    """
    sizes = [1, 2, 4, 8]
    while sizes[-1] < in_flight:
        power_of_two = 1 << (sizes[-1].bit_length() - 1)
        sizes.append(sizes[-1] + max(8, power_of_two // 8))
    return [size for size in sizes if size < in_flight] + [in_flight]


@contextmanager
def colocated_engine(settings: Mapping[str, Any]) -> Iterator[None]:
    """While a trainer is being built in it, TRL's colocated engine starts with these settings.

    TRL fixes the engine's batched tokens and offers no argument for the graphs, so its constructor is wrapped.
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
