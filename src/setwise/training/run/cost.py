"""Estimates the cost of a run before anything is loaded: batch, steps, tokens, memory and disk.

Memory counts weights, gradients, AdamW's two moments, the activations of one micro-batch, and the LM head: TRL runs it
in tiles and never holds all logits, but its backward pass collects the head's gradient in a separate buffer. Token
counts are upper bounds, with every completion at its longest, and assume that the model can share prompts. Rollouts in
the training process count with their keys, the weights rounded for them and the logits of one token; vLLM counts if it
stays awake with a cache of a given size. Not counted: fragmentation, the runtime (1-2 GB on a GPU) and a reference
model.
"""

import json
import re
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from setwise.home import at_home
from setwise.jobs import TrainingJob, accumulation_steps
from setwise.prompting import messages
from setwise.settings import LoraSettings

BYTES = {"bfloat16": 2, "float16": 2, "float32": 4}
CHARACTERS_PER_TOKEN = 4.0
ADAM_BYTES = 8
HEAD_TILE = (4096, 32768)
"""Tokens x words that TRL's LM head computes at a time (`trl.kernels.chunked_logprob`)."""
LAYER_VALUES = (20, 4)
"""What one layer keeps per token for its backward pass, counted with hooks on saved tensors: values as wide as the
hidden state (16 for Llama and Qwen2.5, 20 for Qwen3), and as wide as the feed-forward part."""
_SIZE_IN_NAME = re.compile(r"(\d+(?:\.\d+)?)([bm])(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a causal LM that determine its memory."""

    parameters: float
    layers: int
    hidden: int
    feed_forward: int
    vocabulary: int
    key_width: int
    """Width of the keys of one token in one layer, and of its values."""
    exact: bool
    """Whether it was read from the config, rather than guessed from the name."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What the dry run prints."""

    processes: int
    completions_per_step: int
    prompts_per_step: int
    accumulation_steps: int
    steps: int
    problems: int
    prompt_tokens: int
    tokens_per_step: int
    """Tokens of the update. A shared prompt counts once."""
    memory_gb: dict[str, float]
    """Per process, by part; empty if the model's size is unknown."""
    disk_gb: dict[str, float]
    """The run folder's, by part; empty if the model's size is unknown."""
    shape: Shape | None

    @property
    def total_memory_gb(self) -> float:
        return sum(self.memory_gb.values())

    @property
    def sharded_memory_gb(self) -> float:
        """Memory with weights, gradients and optimizer state spread over all processes."""
        held = sum(self.memory_gb[part] for part in ("weights", "gradients", "optimizer"))
        return self.total_memory_gb - held * (1 - 1 / self.processes)


def cost_of(job: TrainingJob, processes: int = 1) -> Cost:
    """The estimates for a run."""
    generation = job.generation
    prompt_tokens = _prompt_tokens(job)
    shape = model_shape(job.model.path)
    updates = generation.updates_per_generation
    completions = generation.completions_per_step // updates
    return Cost(
        processes=processes,
        completions_per_step=completions,
        prompts_per_step=generation.prompts_per_step,
        accumulation_steps=accumulation_steps(generation, job.optimisation, processes),
        steps=job.steps,
        problems=len(job.problems),
        prompt_tokens=prompt_tokens,
        tokens_per_step=update_tokens(job, completions, prompt_tokens),
        memory_gb=memory_gb(job, shape, prompt_tokens, processes) if shape else {},
        disk_gb=disk_gb(job, shape) if shape else {},
        shape=shape,
    )


def update_tokens(job: TrainingJob, completions: int, prompt_tokens: int) -> int:
    """Tokens that the update of this many completions runs. A shared prompt counts once per group and micro-batch."""
    micro_batch = job.optimisation.micro_batch
    prompts = completions
    if job.optimisation.shared_prompt:
        prompts = completions // micro_batch * ceil(micro_batch / job.generation.group_size)
    return prompts * prompt_tokens + completions * job.generation.max_completion_tokens


def memory_gb(job: TrainingJob, shape: Shape, prompt_tokens: int, processes: int = 1) -> dict[str, float]:
    """Memory of one of these processes, if it holds the whole model, by part."""
    width = BYTES[job.model.dtype]
    trained_width = BYTES["float32"]
    weight_width = width if job.model.lora else trained_width
    trained = _trained_parameters(job, shape)
    micro_batch = job.optimisation.micro_batch
    tokens = update_tokens(job, micro_batch, prompt_tokens)
    parts = {
        "weights": shape.parameters * weight_width,
        "gradients": trained * trained_width,
        "optimizer": trained * ADAM_BYTES,
        "activations": tokens * _activation_bytes(job, shape, weight_width),
        "LM head": _head_bytes(job, shape, micro_batch * job.generation.max_completion_tokens, weight_width),
    }
    if job.generation.backend in ("auto", "shared"):
        parts["rollouts"] = _rollout_bytes(job, shape, prompt_tokens, processes)
    elif awake := _awake_vllm_bytes(job, shape):
        parts["vLLM, awake"] = awake
    return {name: size / 1e9 for name, size in parts.items()}


def disk_gb(job: TrainingJob, shape: Shape) -> dict[str, float]:
    """What a run folder holds at most, by part. A new checkpoint is whole before the oldest goes. Not counted: what
    sharded runs save twice."""
    at_once = min(job.run.keep_checkpoints + 1, job.steps // job.run.save_every)
    parts = {"model": shape.parameters * BYTES[job.model.dtype]}
    if job.warm_start is not None:
        parts["warm start"] = shape.parameters * BYTES["float32"]
    if at_once:
        one = _trained_parameters(job, shape) * (BYTES["float32"] + ADAM_BYTES)
        parts[f"checkpoints, {at_once} at once"] = at_once * one
    return {name: size / 1e9 for name, size in parts.items()}


def _trained_parameters(job: TrainingJob, shape: Shape) -> float:
    return _lora_parameters(shape, job.model.lora) if job.model.lora else shape.parameters


def _rollout_bytes(job: TrainingJob, shape: Shape, prompt_tokens: int, processes: int) -> float:
    """Keys and values of the process's prompts and samples at once, the weights in the dtype of matrix products, and
    logits."""
    generation, width = job.generation, BYTES[job.model.dtype]
    prompts, samples = generation.prompts_per_step // processes, generation.completions_per_step // processes
    tokens = prompts * prompt_tokens + samples * generation.max_completion_tokens
    rounded = 0 if job.model.lora or width == BYTES["float32"] else shape.parameters * width
    return 2 * shape.layers * shape.key_width * width * tokens + rounded + samples * shape.vocabulary * width


def _awake_vllm_bytes(job: TrainingJob, shape: Shape) -> float:
    """Its own weights and a cache of a given size, if it does not sleep during the update."""
    generation = job.generation
    if generation.backend != "vllm" or generation.vllm_sleeps or generation.vllm_cache_gb is None:
        return 0
    weights = shape.parameters * BYTES[job.model.dtype] / generation.vllm_tensor_parallel
    return weights + generation.vllm_cache_gb * 1e9


def _activation_bytes(job: TrainingJob, shape: Shape, weight_width: int) -> int:
    """Per token. Checkpointing keeps each layer's input, as wide as the weights, and one whole layer at a time."""
    narrow, wide = LAYER_VALUES
    layer = (narrow * shape.hidden + wide * shape.feed_forward) * BYTES[job.model.dtype]
    if job.model.gradient_checkpointing:
        return shape.layers * shape.hidden * weight_width + layer
    return shape.layers * layer


def _head_bytes(job: TrainingJob, shape: Shape, predictions: int, weight_width: int) -> int:
    """One tile of logits, the predicting hidden states with their float32 gradient, and the gradient of a trained
    head."""
    tokens, words = HEAD_TILE
    tile = min(predictions, tokens) * min(shape.vocabulary, words) * BYTES[job.model.dtype]
    gradient = 0 if job.model.lora else shape.vocabulary * shape.hidden * BYTES["float32"]
    return tile + gradient + predictions * shape.hidden * (weight_width + BYTES["float32"])


def model_shape(path: str) -> Shape | None:
    """The sizes of a model: from its config.json, else from a size in its name, else unknown.

    >>> model_shape("Qwen/Qwen3-8B").parameters
    8000000000.0
    """
    config = Path(at_home(path)) / "config.json"
    if config.is_file():
        try:
            return _shape_of(json.loads(config.read_text(encoding="utf-8")))
        except (KeyError, TypeError, ValueError):  # such as Gemma 3n's, where every layer has a width of its own
            return None
    found = _SIZE_IN_NAME.search(path.rpartition("/")[2])
    if not found:
        return None
    parameters = float(found[1]) * (1e9 if found[2].lower() == "b" else 1e6)
    # Depth and width of common models of this size: parameters are about 12 x layers x hidden^2, width 100 x depth;
    # eight key heads of size 128.
    layers = max(2, round((parameters / 12 / 1e4) ** (1 / 3)))
    return Shape(parameters, layers, 100 * layers, 400 * layers, 150_000, key_width=1024, exact=False)


def _shape_of(config: dict[str, Any]) -> Shape:
    config = {**config, **(config.get("text_config") or {})}
    hidden, layers, vocabulary = (int(config[name]) for name in ("hidden_size", "num_hidden_layers", "vocab_size"))
    heads = config.get("num_attention_heads") or 1
    head_size = config.get("head_dim") or hidden // heads
    key_values = (config.get("num_key_value_heads") or heads) * head_size
    attention = 2 * hidden * (heads * head_size + key_values)
    feed_forward = int(config.get("intermediate_size") or 4 * hidden)
    embeddings = vocabulary * hidden * (1 if config.get("tie_word_embeddings") else 2)
    parameters = float(layers * (attention + 3 * hidden * feed_forward) + embeddings)
    return Shape(parameters, layers, hidden, feed_forward, vocabulary, key_values, exact=True)


def _lora_parameters(shape: Shape, lora: LoraSettings) -> float:
    """Seven linear layers per block, each with two thin factors. The feed-forward ones are about three times as
    wide."""
    return shape.layers * lora.rank * shape.hidden * (4 * 2 + 3 * 4)


def _prompt_tokens(job: TrainingJob) -> int:
    """Mean over the first problems, at four characters per token."""
    sample = job.problems[:64]
    if not sample:
        return 0
    characters = sum(
        len(message["content"])
        for problem in sample
        for message in messages(problem.question, job.objective, instruction=job.task.instruction, prompt=job.prompt)
    )
    return round(characters / len(sample) / CHARACTERS_PER_TOKEN)
