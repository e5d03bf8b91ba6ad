"""What only a GPU can show: the compiled attention, and rounding in bfloat16."""

from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.shared_prompt_cases import Shape, micro_batch, toy_model, trainer_on

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"),
    *(pytest.mark.filterwarnings(f"ignore:::{package}") for package in ("torch", "triton", "transformers")),
]
WIDE = {"hidden_size": 256, "head_dim": 64, "intermediate_size": 512}
LONG = Shape(((200, (40, 0, 130, 7)), (90, (64, 64, 64)), (1, (5, 5)), (300, (150,))))


def run(trainer: Any, shape: Shape) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities, and the gradient of a weighted sum of them."""
    batch = {key: value.cuda() for key, value in micro_batch(shape).items()}
    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1)
    mask = torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1)
    trainer.model.train()
    trainer.model.zero_grad()
    logps, _, _ = trainer._get_per_token_logps_and_entropies(
        trainer.model, ids, mask, batch["completion_ids"].shape[1], compute_entropy=True
    )
    (logps * batch["advantages"][:, None]).sum().backward()
    gradient = torch.cat([p.grad.flatten() for p in trainer.model.parameters() if p.grad is not None])
    return logps.detach(), gradient


def distance(one: torch.Tensor, other: torch.Tensor) -> float:
    return float((one - other).norm() / other.norm())


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "gemma"])
def test_the_compiled_attention_is_exact_in_float32(family: str, checkpointing: bool, tmp_path: Path):
    model = toy_model(family, **WIDE)
    stock, shared = (
        trainer_on(model, tmp_path, shared=shared, use_cpu=False, gradient_checkpointing=checkpointing)
        for shared in (False, True)
    )
    assert shared.shares_prompts
    for found, expected in zip(run(shared, LONG), run(stock, LONG), strict=True):
        assert distance(found, expected) < 1e-4


def test_in_bfloat16_it_is_as_close_to_the_stock_path_as_that_is_to_float32(tmp_path: Path):
    model = toy_model("qwen2", **WIDE)
    exact = run(trainer_on(model, tmp_path, shared=False, use_cpu=False), LONG)
    stock = run(trainer_on(model, tmp_path, shared=False, use_cpu=False, bf16=True), LONG)
    shared = run(trainer_on(model, tmp_path, shared=True, use_cpu=False, bf16=True), LONG)
    for true, padded, packed in zip(exact, stock, shared, strict=True):
        assert distance(packed, padded) <= distance(padded, true)


def test_new_lengths_compile_nothing_new(tmp_path: Path):
    trainer = trainer_on(toy_model("llama", **WIDE), tmp_path, shared=True, use_cpu=False, bf16=True)
    run(trainer, LONG)
    run(trainer, Shape(((150, (90, 80)), (170, (33,) * 8))))
    with torch._dynamo.config.patch(error_on_recompile=True):
        for length in (130, 260, 700):
            run(trainer, Shape(((length, (length // 2,) * 5), (length + 9, (17, 3)))))
