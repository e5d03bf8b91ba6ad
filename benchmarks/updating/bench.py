"""A trainer that runs its update either way, and a clock."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM

from benchmarks.updating.workloads import Workload
from setwise.models.shared_prompt.support import ATTENTION
from setwise.training.shared_prompt.batches import keep_groups_together
from tests.training.shared_prompt.cases import micro_batch, toy_model, trainer_on

QWEN_HALF_BILLION = {
    "vocab_size": 151_936,
    "hidden_size": 896,
    "intermediate_size": 4_864,
    "num_hidden_layers": 24,
    "num_attention_heads": 14,
    "num_key_value_heads": 2,
    "max_position_embeddings": 32_768,
    "tie_word_embeddings": True,
    "pad_token_id": 0,
    "eos_token_id": 2,
}


PATHS = ("stock", "shared")


@dataclass(frozen=True)
class Choice:
    """How a path runs a batch."""

    path: str
    micro_batch: int
    checkpointing: bool


@dataclass(frozen=True)
class Measured:
    choice: Choice
    seconds: float
    peak_gigabytes: float | None
    tokens: int
    """Tokens that the layers ran over."""


class Bench:
    """One trainer, run either way."""

    def __init__(self, tiny: bool, folder: Path) -> None:
        self.device = torch.device("cpu" if tiny else "cuda")
        arguments: dict[str, Any] = {"use_cpu": tiny, "bf16": not tiny, "temperature": 0.7}
        self.trainer: Any = trainer_on(_model(tiny), folder, shared=True, **arguments)
        self.model = self.trainer.model.train()
        self.head = self.model.get_output_embeddings().weight.numel()
        tied = self.model.config.tie_word_embeddings
        self.body = sum(p.numel() for p in self.model.parameters()) - self.head * (1 if tied else 2)

    def choose(self, choice: Choice) -> None:
        stock = choice.path == "stock"
        self.trainer.why_stock = "switched off" if stock else None
        if self.device.type == "cuda":
            self.model.config._attn_implementation = "sdpa" if stock else ATTENTION
        if choice.checkpointing:
            self.model.gradient_checkpointing_enable({"use_reentrant": False})
        else:
            self.model.gradient_checkpointing_disable()

    def update(self, batches: list[dict[str, Any]]) -> None:
        self.trainer.current_gradient_accumulation_steps = len(batches)
        for batch in batches:
            self.trainer.compute_loss(self.model, batch).backward()
        self.model.zero_grad(set_to_none=True)

    @torch.no_grad()
    def score(self, batches: list[dict[str, Any]]) -> None:
        for batch in batches:
            self.scores(batch)

    def scores(self, batch: dict[str, Any]) -> torch.Tensor:
        ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1)
        mask = torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1)
        width = batch["completion_ids"].shape[1]
        return self.trainer._get_per_token_logps_and_entropies(self.model, ids, mask, width)[0]

    def batches(self, workload: Workload, choice: Choice) -> list[dict[str, Any]]:
        """As TRL passes them: padded to the longest of the whole generation."""
        rows = {key: value.to(self.device) for key, value in micro_batch(workload.draw()).items()}
        if choice.path == "shared":
            rows = keep_groups_together([rows])[0]
        size = choice.micro_batch
        return [
            {key: value[start : start + size] if value.ndim else value for key, value in rows.items()}
            for start in range(0, len(rows["prompt_ids"]), size)
        ]

    def measure(self, workload: Workload, choice: Choice, repeats: int) -> Measured:
        self.choose(choice)
        batches = self.batches(workload, choice)
        self.update(batches)
        self.reset_peak()
        seconds = statistics.median(self.clock(lambda: self.update(batches)) for _ in range(repeats))
        padded = sum(batch["prompt_ids"].numel() + batch["completion_ids"].numel() for batch in batches)
        shares = self.trainer._metrics["train"]["update/token_share"][-len(batches) :]
        return Measured(choice, seconds, self.peak(), round(padded * statistics.mean(shares)))

    def clock(self, work: Callable[[], None]) -> float:
        self.wait()
        start = time.perf_counter()
        work()
        self.wait()
        return time.perf_counter() - start

    def wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def reset_peak(self) -> None:
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()

    def peak(self) -> float | None:
        return torch.cuda.max_memory_allocated() / 1e9 if self.device.type == "cuda" else None

    def fraction(self, measured: Measured, predictions: int, rate: float) -> float:
        """Share of the matrix-product rate: three products per weight and token, without recomputation and
        attention."""
        return 6 * (self.body * measured.tokens + self.head * predictions) / measured.seconds / rate


def matmul_rate(bench: Bench) -> float:
    """Operations per second of a large product in the dtype of training."""
    on_gpu = bench.device.type == "cuda"
    side, dtype = (8192, torch.bfloat16) if on_gpu else (512, torch.float32)
    left, right = (torch.randn(side, side, device=bench.device, dtype=dtype) for _ in range(2))
    out = left @ right

    def multiply() -> None:
        for _ in range(10):
            torch.mm(left, right, out=out)

    multiply()
    return 10 * 2 * side**3 / statistics.median(bench.clock(multiply) for _ in range(5))


def _model(tiny: bool) -> Any:
    if tiny:
        return toy_model("qwen2")
    torch.manual_seed(0)
    with torch.device("cuda"):
        return AutoModelForCausalLM.from_config(AutoConfig.for_model("qwen2", **QWEN_HALF_BILLION))
