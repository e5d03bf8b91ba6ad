"""What a run is made of, as plain data: the nouns that training functions take and recipes spell out.

Defaults are the paper's where it gives a number (batch 1536 = 48 prompts x 32 samples, temperature 0.7, learning
rate 1e-6 after 5 % warmup, BNPO, no division by the standard deviation), and stock AdamW without a KL term where
it is silent.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from setwise.errors import InputError
from setwise.urls import require_base_url

CreditName = Literal["completion", "answer", "dcpo", "bae"]
Backend = Literal["auto", "shared", "transformers", "vllm", "vllm-server"]
Tracker = Literal["none", "trackio", "tensorboard", "wandb"]


@dataclass(frozen=True, kw_only=True)
class LoraSettings:
    """Low-rank adapters instead of full fine-tuning; they are merged into the model that a run ends with."""

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.0
    targets: str | list[str] = "all-linear"

    def __post_init__(self) -> None:
        _at_least("rank", self.rank, 1)
        _at_least("alpha", self.alpha, 1)
        _between("dropout", self.dropout, 0, 1)


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """Which model, and how it is held."""

    path: str
    """A folder, or a name on the hub."""
    revision: str | None = None
    dtype: Literal["bfloat16", "float16", "float32"] = "bfloat16"
    attention: Literal["auto", "sdpa", "eager", "flash_attention_2"] = "auto"
    lora: LoraSettings | None = None
    gradient_checkpointing: bool = True
    """Trades time for memory. Pointless for tiny models, whose time it doubles."""
    chat_template_options: dict[str, Any] = field(default_factory=dict)
    """Handed to the chat template, such as `enable_thinking: true`."""
    trust_remote_code: bool = False

    @property
    def location(self) -> str:
        """The path as libraries take it; they know no `~`."""
        return str(Path(self.path).expanduser()) if self.path.startswith("~") else self.path


@dataclass(frozen=True, kw_only=True)
class GenerationSettings:
    """How answers are sampled for one update."""

    backend: Backend = "auto"
    """`shared` decodes in the training process with each prompt held once; `auto` takes it where the model can, and
    `transformers` elsewhere."""
    prompts_per_step: int = 48
    """Prompts sampled at a time: one optimizer step's, or those of all `updates_per_generation` steps."""
    group_size: int = 32
    """Completions per prompt; their mean reward is the baseline."""
    temperature: float = 0.7
    top_p: float = 1.0
    top_k: int = 0
    """0 keeps every token."""
    max_completion_tokens: int = 1536
    updates_per_generation: int = 1
    """Optimizer steps taken on one batch of completions."""
    server_url: str = "http://localhost:8000"
    """Where `vllm serve` listens (vllm-server only)."""
    vllm_memory_share: float = 0.3
    """Of each GPU's memory, for vLLM (vllm only)."""
    vllm_cache_gb: float | None = None
    """Room for vLLM's cache, instead of a share, on a GPU that other work uses too (vllm only)."""
    vllm_tensor_parallel: int = 1
    vllm_sleeps: bool = True
    """Whether vLLM gives its memory up during the update (vllm only). Waking costs time; leave it on unless there is
    memory for both."""

    def __post_init__(self) -> None:
        for name in ("prompts_per_step", "max_completion_tokens", "updates_per_generation", "vllm_tensor_parallel"):
            _at_least(name, getattr(self, name), 1)
        _at_least("group_size", self.group_size, 2)
        _at_least("top_k", self.top_k, 0)
        _above_zero("temperature", self.temperature)
        _between("top_p", self.top_p, 0, 1)
        _between("vllm_memory_share", self.vllm_memory_share, 0, 1)
        if self.vllm_cache_gb is not None:
            _above_zero("vllm_cache_gb", self.vllm_cache_gb)
        require_base_url(self.server_url, "server_url")

    @property
    def completions_per_step(self) -> int:
        """The effective batch of the paper: completions generated per optimizer step and generation."""
        return self.prompts_per_step * self.group_size


@dataclass(frozen=True, kw_only=True)
class OptimisationSettings:
    """How the weights move."""

    learning_rate: float = 1e-6
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    warmup_fraction: float = 0.05
    epochs: float = 1.0
    steps: int | None = None
    """Optimizer steps; where given, `epochs` is not used."""
    micro_batch: int = 32
    """Completions per forward pass and process: whole groups, to run each prompt once. BNPO averages over the tokens of
    one micro-batch."""
    shared_prompt: bool = True
    """Runs each prompt once for all of its completions where the model allows it; the gradients are the same."""
    loss: Literal["bnpo", "dapo", "dr_grpo", "grpo"] = "bnpo"
    divide_by_std: bool = False
    kl_weight: float = 0.0
    credit: CreditName = "completion"
    """Who is paid for what (docs/credit.md). `completion`: every token the reward of its completion, as in the paper.
    `answer`: each answer's tokens for that answer, each confidence's for that confidence. `dcpo` and `bae`: two other
    ways to part an answer from its confidence, for comparison."""
    later_gain: float = 0.25
    """How much of the gain of the answers that follow an answer is paid too (credit `answer`)."""
    entropy_bonus: float = 0.0
    confidence_entropy_bonus: float = 0.0
    """The same for the tokens that write a confidence's number alone."""
    entropy_decay: bool = False
    """Lets the bonuses fall linearly to zero over the run."""
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    clip: float = 0.2

    def __post_init__(self) -> None:
        _above_zero("learning_rate", self.learning_rate)
        _above_zero("epochs", self.epochs)
        _at_least("micro_batch", self.micro_batch, 1)
        if self.steps is not None:
            _at_least("steps", self.steps, 1)
        _between("warmup_fraction", self.warmup_fraction, 0, 1)
        _between("later_gain", self.later_gain, 0, 1)
        for name in (
            "kl_weight",
            "entropy_bonus",
            "confidence_entropy_bonus",
            "weight_decay",
            "max_grad_norm",
            "clip",
        ):
            _at_least(name, getattr(self, name), 0)


@dataclass(frozen=True, kw_only=True)
class WarmStartSettings:
    """Supervised steps that teach the output format before reinforcement begins."""

    steps: int = 200
    imitation: float = 0.0
    """Share of transcripts whose answers are the gold ones. 0 teaches the format alone: answers are drawn at
    random from the task's answer names, so the start knows nothing. 1 is imitation."""
    batch: int = 64
    learning_rate: float = 1e-5
    thinking: str = "weighing the evidence"
    """What stands between the think tags of a transcript."""
    transcripts: int | None = None
    """How many are built; as many as the steps use, unless given."""

    def __post_init__(self) -> None:
        _at_least("steps", self.steps, 1)
        _at_least("batch", self.batch, 1)
        _between("imitation", self.imitation, 0, 1)
        _above_zero("learning_rate", self.learning_rate)


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Where a run lives and what it tells."""

    folder: str
    seed: int = 0
    save_every: int = 50
    """Optimizer steps between checkpoints; a whole number of generations."""
    keep_checkpoints: int = 2
    log_every: int = 1
    tracker: Tracker = "none"
    log_completions: bool = False
    """Writes every sampled completion with its answers and labels to `completions/`."""
    metrics: tuple[str, ...] = ()
    """Metrics of your own to log, as `module:name`; those of installed packages are logged anyway."""
    threads: int | None = None
    """CPU threads of this process. One is often fastest for tiny models."""

    def __post_init__(self) -> None:
        for name, least in (("save_every", 1), ("keep_checkpoints", 2), ("log_every", 1), ("seed", 0)):
            _at_least(name, getattr(self, name), least)
        if self.threads is not None:
            _at_least("threads", self.threads, 1)


def _at_least(name: str, value: float, least: float) -> None:
    if value < least:
        raise InputError(f"{name} must be at least {least}", value=value)


def _above_zero(name: str, value: float) -> None:
    if not 0 < value < float("inf"):
        raise InputError(f"{name} must be a number above 0", value=value)


def _between(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(f"{name} must lie between {low} and {high}", value=value)
