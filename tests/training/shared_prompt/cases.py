"""Toy models, trainers and micro-batches for the shared-prompt update."""

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import PreTrainedTokenizerFast
from trl.trainer.grpo_config import GRPOConfig

from setwise.training.shared_prompt.trainer import SharedPromptGRPOTrainer
from tests.models.shared_prompt.toys import VOCABULARY, toy_model

__all__ = ["Shape", "micro_batch", "toy_model", "trainer_on"]


def toy_tokenizer() -> PreTrainedTokenizerFast:
    words = {"<pad>": 0, "<bos>": 1, "<eos>": 2, "<unk>": 3} | {f"w{i}": i for i in range(4, VOCABULARY)}
    tokenizer = Tokenizer(WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left"
    )


def count_even(completion_ids: list[list[int]], **_: Any) -> list[float]:
    return [sum(token % 2 == 0 for token in ids) / max(len(ids), 1) for ids in completion_ids]


def trainer_on(
    model: Any, folder: Path, *, shared: bool, peft: Any = None, budget: int | None = None, **arguments: Any
) -> SharedPromptGRPOTrainer:
    """A trainer over a copy of `model`; `shared=False` is the stock one."""
    settings = {
        "per_device_train_batch_size": 8,
        "num_generations": 4,
        "max_completion_length": 8,
        "loss_type": "bnpo",
        "scale_rewards": "none",
        "gradient_checkpointing": False,
        "report_to": "none",
        "use_cpu": True,
        "bf16": False,
        "learning_rate": 1e-2,
        "disable_tqdm": True,
        **arguments,
    }
    return SharedPromptGRPOTrainer(
        model=copy.deepcopy(model),
        reward_funcs=count_even,
        args=GRPOConfig(output_dir=str(folder), **settings),
        train_dataset=Dataset.from_list(
            [{"prompt": " ".join(f"w{4 + (i * j) % 50}" for j in range(3 + i))} for i in range(1, 9)]
        ),
        processing_class=toy_tokenizer(),
        peft_config=peft,
        shared_prompt=shared,
        token_budget=budget,
    )


@dataclass(frozen=True)
class Shape:
    """Prompt lengths, and the completion lengths of each group."""

    groups: tuple[tuple[int, tuple[int, ...]], ...]

    @classmethod
    def random(cls, seed: int) -> "Shape":
        torch.manual_seed(seed)
        return cls(tuple((_draw(1, 12), tuple(_draw(0, 9) for _ in range(_draw(1, 7)))) for _ in range(_draw(1, 5))))


def micro_batch(shape: Shape, seed: int = 0, shuffled: bool = True) -> dict[str, Any]:
    """What the engine hands to the loss: left-padded prompts, right-padded completions, advantages."""
    torch.manual_seed(seed)
    groups = [(torch.randint(3, VOCABULARY, (length,)), lengths) for length, lengths in shape.groups]
    rows = [(prompt, torch.randint(3, VOCABULARY, (n,))) for prompt, lengths in groups for n in lengths]
    if shuffled:
        rows = [rows[i] for i in torch.randperm(len(rows))]
    width = max(len(prompt) for prompt, _ in rows)
    room = max(1, max(len(completion) for _, completion in rows))
    batch = {
        "prompt_ids": torch.stack([_padded(prompt, width, left=True) for prompt, _ in rows]),
        "prompt_mask": torch.stack([_padded(torch.ones_like(prompt), width, left=True) for prompt, _ in rows]),
        "completion_ids": torch.stack([_padded(completion, room) for _, completion in rows]),
        "completion_mask": torch.stack([_padded(torch.ones_like(completion), room) for _, completion in rows]),
        "advantages": torch.randn(len(rows)),
    }
    return batch | {"num_items_in_batch": batch["completion_mask"].sum()}


def _draw(low: int, high: int) -> int:
    return int(torch.randint(low, high, ()))


def _padded(values: torch.Tensor, width: int, left: bool = False) -> torch.Tensor:
    missing = width - len(values)
    return torch.nn.functional.pad(values, (missing, 0) if left else (0, missing))
