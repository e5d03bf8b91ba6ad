"""The settings of a training run, as plain data. Training functions take them, and recipes spell them out.

Defaults follow the paper where it gives a number: batch 1536 = 48 prompts x 32 samples, temperature 0.7, learning rate
1e-6 after 5 % warmup, BNPO, no division by the standard deviation. Where the paper is silent, they are stock AdamW
without a KL term.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from setwise.errors import InputError
from setwise.home import at_home
from setwise.urls import require_base_url

CreditName = Literal["completion", "answer", "dcpo", "bae"]
ConfidenceScore = Literal["brier", "log"]
ConfidenceGradient = Literal["sampled", "expected"]
Backend = Literal["auto", "shared", "transformers", "vllm", "vllm-server"]
Tracker = Literal["none", "trackio", "tensorboard", "wandb"]


@dataclass(frozen=True, kw_only=True)
class LoraSettings:
    """Low-rank adapters instead of full fine-tuning. The finished run merges them into the saved model."""

    rank: int = 16
    """Rank of each adapter. A higher rank can learn more and needs more memory."""
    alpha: int = 32
    """Scale of the adapters: their output is multiplied by `alpha / rank`."""
    dropout: float = 0.0
    """Share of the adapters' inputs that is dropped at random during training."""
    targets: str | list[str] = "all-linear"
    """Modules that get an adapter: `all-linear`, or a list of module names such as `[q_proj, v_proj]`."""

    def __post_init__(self) -> None:
        _at_least("rank", self.rank, 1)
        _at_least("alpha", self.alpha, 1)
        _between("dropout", self.dropout, 0, 1)


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """Which model to train, and how to load it."""

    path: str
    """A model folder, or a model's name on the hub (`OWNER/NAME`)."""
    revision: str | None = None
    """Branch, tag or commit of a model on the hub."""
    dtype: Literal["bfloat16", "float16", "float32"] = "bfloat16"
    """Number format for computing and for the saved model; trained weights are held in float32. On a CPU, use
    `float32`."""
    attention: Literal["auto", "sdpa", "eager", "flash_attention_2"] = "auto"
    """Attention implementation. `auto` leaves the choice to transformers; change it only if that one fails."""
    lora: LoraSettings | None = None
    """Train low-rank adapters instead of all weights. By default, all weights are trained."""
    gradient_checkpointing: bool = True
    """Recompute activations in the backward pass to save memory. Turn it off for tiny models, whose training time it
    doubles."""
    chat_template_options: dict[str, Any] = field(default_factory=dict)
    """Options passed to the chat template, such as `enable_thinking: true`."""
    trust_remote_code: bool = False
    """Run Python code that comes with the model. Needed only for models that transformers does not know."""

    @property
    def location(self) -> str:
        """The path with `~` expanded, which libraries do not do."""
        return at_home(self.path)


@dataclass(frozen=True, kw_only=True)
class GenerationSettings:
    """How completions are sampled for an update."""

    backend: Backend = "auto"
    """What samples completions. `shared` runs in the training process and stores each prompt once per group;
    `transformers` is the library's `generate`; `vllm` runs on the same GPU; `vllm-server` uses the server at
    `server_url`. `auto` is `shared` if the model supports it, else `transformers`."""
    prompts_per_step: int = 48
    """Prompts sampled at a time. They feed one optimizer step, or `updates_per_generation` steps."""
    group_size: int = 32
    """Completions per prompt. Their mean reward is the baseline that each is compared with."""
    temperature: float = 0.7
    """Sampling temperature. Groups whose completions are all alike teach nothing; raise it if that happens."""
    top_p: float = 1.0
    """Sample from the likeliest tokens that together have this probability. 1 keeps every token."""
    top_k: int = 0
    """Sample from this many of the likeliest tokens. 0 keeps every token."""
    max_completion_tokens: int = 1536
    """Longest completion, with its thinking. Longer ones are cut off and usually earn nothing; raise it if `truncated`
    in the log is not near 0."""
    updates_per_generation: int = 1
    """Optimizer steps per batch of completions. More steps need less sampling, but train on older completions."""
    server_url: str = "http://localhost:8000"
    """Address of `vllm serve` (`vllm-server` only)."""
    vllm_memory_share: float = 0.3
    """Share of each GPU's memory that vLLM may use (`vllm` only)."""
    vllm_cache_gb: float | None = None
    """Size of vLLM's cache in GB, instead of a share of the memory. Use it on a GPU that other programs use too (`vllm`
    only)."""
    vllm_tensor_parallel: int = 1
    """GPUs that share one vLLM engine. Raise it if the model does not fit on one GPU (`vllm` only)."""
    vllm_sleeps: bool = True
    """Whether vLLM frees its memory during the update (`vllm` only). Waking takes time; turn this off if the memory
    holds both."""

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
        """The effective batch of the paper: completions per generation."""
        return self.prompts_per_step * self.group_size


@dataclass(frozen=True, kw_only=True)
class OptimisationSettings:
    """How the weights are updated."""

    learning_rate: float = 1e-6
    """Peak learning rate of AdamW."""
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    """Course of the learning rate after warmup: `constant`, or falling to zero as `linear` or `cosine`."""
    warmup_fraction: float = 0.05
    """Share of the steps over which the learning rate rises from zero."""
    decay_fraction: float = 0.0
    """Share of the steps, at the end, over which the learning rate falls linearly to zero, so that the last problems do
    not weigh more than the others. Needs schedule `constant`."""
    epochs: float = 1.0
    """Passes over the problems. Ignored if `steps` is given."""
    steps: int | None = None
    """Number of optimizer steps. If given, it replaces `epochs`."""
    micro_batch: int = 32
    """Completions per forward pass and process. Use the largest multiple of `group_size` that fits, so that each prompt
    is computed once. BNPO averages over the tokens of one micro-batch, so keep it the same in runs that you compare."""
    shared_prompt: bool = True
    """Compute each prompt once for all its completions if the model supports it. The gradients are the same, to
    rounding; turn it off to use TRL's own update."""
    loss: Literal["bnpo", "dapo", "dr_grpo", "grpo"] = "bnpo"
    """How token losses are averaged: TRL's `loss_type`. `bnpo`, the paper's, averages over the tokens of one
    micro-batch."""
    divide_by_std: bool = False
    """Divide each advantage by the standard deviation of its group's rewards, as GRPO first did. The paper does not."""
    kl_weight: float = 0.0
    """Weight of the KL penalty that keeps the model close to where it started. The paper gives none; above 0, TRL also
    runs a reference model."""
    credit: CreditName = "completion"
    """Which tokens are paid for what (docs/concepts/credit.md). `completion` pays every token its completion's reward,
    as in the paper. `answer` pays the tokens of each answer for that answer, and those of each confidence for that
    confidence. `dcpo` and `bae` are two other ways to separate an answer from its confidence, for comparison; they need
    K = 1."""
    later_gain: float = 0.25
    """Share of the next answer's gain that an answer is also paid; squared for the one after it, and so on. 0 pays an
    answer for itself alone, 1 for everything that follows (credit `answer` only)."""
    confidence_score: ConfidenceScore = "brier"
    """The score that a confidence is paid for: the paper's `brier`, or `log`, half the log likelihood of the label,
    which charges a confidence of 0 even where few answers are right. `log` needs an RLCR objective and a `credit` other
    than `completion`."""
    confidence_gradient: ConfidenceGradient = "sampled"
    """What the first decimal of a confidence learns from. `sampled`: the digit that was drawn, like every other token.
    `expected`: all digits, weighed by their probability, since the score of each number is known. `expected` needs an
    RLCR objective, credit `answer`, loss `bnpo` and the update that shares prompts."""
    calibration_warmup: float = 0.0
    """Share of the steps over which the weight of the calibration term rises from zero, so that confidences begin to
    move when more of the answers are right. Needs an RLCR objective and a `credit` other than `completion`."""
    entropy_bonus: float = 0.0
    """Weight of an entropy bonus on all completion tokens. Raise it if a model settles on one answer too early."""
    confidence_entropy_bonus: float = 0.0
    """Weight of an entropy bonus on what decides the confidences only, up to their second decimal, per token like
    `entropy_bonus`. Needs an RLCR objective and a `credit` other than `completion`."""
    entropy_decay: bool = False
    """Let both entropy bonuses fall linearly to zero over the run."""
    weight_decay: float = 0.0
    """Weight decay of AdamW."""
    max_grad_norm: float = 1.0
    """Largest gradient norm; larger gradients are scaled down to it. 0 turns clipping off."""
    clip: float = 0.2
    """How far the probability of a token may move from where it was sampled before its gradient is cut (PPO's epsilon).
    It matters only with `updates_per_generation` above 1."""

    def __post_init__(self) -> None:
        _above_zero("learning_rate", self.learning_rate)
        _above_zero("epochs", self.epochs)
        _at_least("micro_batch", self.micro_batch, 1)
        if self.steps is not None:
            _at_least("steps", self.steps, 1)
        _between("warmup_fraction", self.warmup_fraction, 0, 1)
        _between("decay_fraction", self.decay_fraction, 0, 1)
        if self.warmup_fraction + self.decay_fraction > 1 + 1e-9:
            raise InputError(
                "warmup_fraction and decay_fraction must together be at most 1",
                value=[self.warmup_fraction, self.decay_fraction],
            )
        if self.decay_fraction and self.schedule != "constant":
            raise InputError(
                "decay_fraction must be 0 unless schedule is constant; the others fall to zero anyway",
                value=self.decay_fraction,
            )
        _between("later_gain", self.later_gain, 0, 1)
        _between("calibration_warmup", self.calibration_warmup, 0, 1)
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
    """Supervised steps that teach the output format before reinforcement learning begins. They train all weights, even
    with LoRA."""

    steps: int = 200
    """Optimizer steps. Raise it if too few completions are valid at the start of training."""
    imitation: float = 0.0
    """Share of transcripts that have gold answers. 0 teaches only the format: answers are drawn at random from the
    task's answers, so the model learns nothing about the task. 1 is imitation."""
    batch: int = 64
    """Transcripts per step, shared by all processes."""
    learning_rate: float = 1e-5
    """Peak learning rate; it falls linearly to zero."""
    thinking: str = "weighing the evidence"
    """Text between the think tags of every transcript."""
    transcripts: int | None = None
    """Number of transcripts to build. By default, as many as the steps use."""

    def __post_init__(self) -> None:
        _at_least("steps", self.steps, 1)
        _at_least("batch", self.batch, 1)
        _between("imitation", self.imitation, 0, 1)
        _above_zero("learning_rate", self.learning_rate)


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Where a run is stored and what it logs."""

    folder: str
    """Folder for the log, the checkpoints and the trained model. The same command resumes the run in it."""
    seed: int = 0
    """Seed for the order of problems, the sampling and the warm start. Use several to see how much results vary."""
    save_every: int = 50
    """Optimizer steps between checkpoints; a multiple of `updates_per_generation`."""
    keep_checkpoints: int = 2
    """Number of checkpoints to keep; older ones are deleted."""
    log_every: int = 1
    """Optimizer steps between lines of `log.jsonl`."""
    tracker: Tracker = "none"
    """Experiment tracker to report to, besides `log.jsonl`. Needs `setwise[track]`."""
    log_completions: bool = False
    """Write every sampled completion with its answers and labels to `checkpoints/completions/`, as Parquet.
    `setwise audit` reads them."""
    metrics: tuple[str, ...] = ()
    """Your own metrics to log, as `module:name`. Metrics of installed packages are always logged."""
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
