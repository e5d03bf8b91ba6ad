"""What only a GPU can show: the flash kernels, and rounding in bfloat16."""

from pathlib import Path
from typing import Any

import pytest
import torch

from setwise.training.shared_prompt import flash
from setwise.training.shared_prompt.attention import dense_sight
from setwise.training.shared_prompt.flash import attend_by_flash, read_stretches
from setwise.training.shared_prompt.packs import Row, pack
from tests.training.shared_prompt.cases import Shape, micro_batch, toy_model, trainer_on

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
    return float(((one - other).norm() / other.norm()).detach())


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "gemma"])
def test_in_float32_the_mask_is_exact(family: str, checkpointing: bool, tmp_path: Path):
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


@pytest.mark.parametrize("piece", [100, 2048])
@pytest.mark.parametrize(("heads", "key_heads", "size"), [(14, 2, 64), (8, 8, 128), (8, 1, 256)])
def test_the_kernels_give_what_the_mask_gives(
    heads: int, key_heads: int, size: int, piece: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(flash, "LARGEST_PIECE", piece)
    torch.manual_seed(0)
    prompts = [torch.randint(3, 50, (length,)).numpy() for length in (1, 37, 700)]
    rows = [Row(prompt, torch.randint(3, 50, (n,)).numpy()) for prompt in prompts for n in (1, 60, 129, 333)]
    (sequence,) = pack(rows, budget=10_000)
    tokens, gpu = sequence.segments.tokens, torch.device("cuda")
    inputs = [torch.randn(tokens, each, size, device=gpu, requires_grad=True) for each in (heads, key_heads, key_heads)]
    query, key, value = (tensor.bfloat16() for tensor in inputs)
    found = attend_by_flash(query, key, value, read_stretches(sequence.segments, gpu), None)
    mask = torch.from_numpy(dense_sight(sequence.segments)).to(gpu)
    expected = torch.nn.functional.scaled_dot_product_attention(
        *(tensor.transpose(0, 1)[None] for tensor in inputs), attn_mask=mask, enable_gqa=True
    )[0].transpose(0, 1)
    assert distance(found.float(), expected) < 1e-2
    direction = torch.randn_like(expected)
    gradients = (torch.autograd.grad(output, inputs, direction.to(output)) for output in (found, expected))
    for ours, exact in zip(*gradients, strict=True):
        assert distance(ours, exact) < 1e-2


def test_a_model_cast_after_the_trainer_was_built_still_shares_exactly(tmp_path: Path):
    """As DeepSpeed does: no autocast, and weights that turn to half precision when training begins."""
    model = toy_model("qwen2", **WIDE)
    stock, shared = (trainer_on(model, tmp_path, shared=each, use_cpu=False) for each in (False, True))
    exact = run(stock, LONG)
    for trainer in (stock, shared):
        model_of: Any = trainer.model
        model_of.bfloat16()
    for true, padded, packed in zip(exact, run(stock, LONG), run(shared, LONG), strict=True):
        assert distance(packed.float(), padded.float()) <= distance(padded.float(), true)
