"""The update that runs each prompt once is the stock update: same loss, same gradients, to rounding in float32."""

import logging
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from peft import LoraConfig

from setwise.errors import MachineryError
from setwise.models.shared_prompt.support import MODEL_FAMILIES
from setwise.training.shared_prompt import trainer as shared_prompt_trainer
from setwise.training.shared_prompt.batches import read_rows
from setwise.training.shared_prompt.packs import pad
from tests.training.shared_prompt.cases import Shape, micro_batch, toy_model, trainer_on

torch.set_num_threads(1)
TOLERANCE = 1e-5
LORA = LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM", init_lora_weights=False)
RAGGED = Shape(((9, (4, 0, 7, 2)), (3, (0, 0, 0)), (1, (5, 5)), (6, (8,))))
UNEVEN = Shape(((9, (4, 8, 7)), (3, (8, 6, 5)), (14, (1, 2, 3)), (1, (9, 1, 8, 2))))
"""Of 27, 21, 19 and 20 tokens."""


def gradients(trainer: Any, batches: list[dict[str, Any]]) -> tuple[list[float], dict[str, torch.Tensor]]:
    """Losses, and gradients accumulated over the batches."""
    trainer.model.train()
    trainer.model.zero_grad()
    trainer.current_gradient_accumulation_steps = len(batches)
    losses = []
    for batch in batches:
        loss = trainer.compute_loss(trainer.model, batch)
        loss.backward()
        losses.append(loss.item())
    return losses, {name: p.grad.clone() for name, p in trainer.model.named_parameters() if p.grad is not None}


def off_policy(batch: dict[str, Any]) -> dict[str, Any]:
    """With old and reference log-probabilities, some of which the ratio's clipping acts on."""
    torch.manual_seed(7)
    like = torch.zeros(batch["completion_ids"].shape)
    return batch | {name: like - 4 + torch.randn_like(like) for name in ("old_per_token_logps", "ref_per_token_logps")}


def assert_same_update(stock: Any, shared: Any, batches: list[dict[str, Any]]) -> None:
    expected_losses, expected = gradients(stock, batches)
    losses, found = gradients(shared, batches)
    assert shared._metrics["train"]["update/shared_prompt"][-1] == 1
    assert stock._metrics["train"]["update/shared_prompt"][-1] == 0
    assert losses == pytest.approx(expected_losses, rel=TOLERANCE, abs=1e-7)
    assert found.keys() == expected.keys()
    for name, gradient in expected.items():
        assert (found[name] - gradient).norm() <= TOLERANCE * gradient.norm(), name
    for key in ("entropy", "clip_ratio/region_mean"):
        assert shared._metrics["train"][key] == pytest.approx(stock._metrics["train"][key], rel=TOLERANCE)


@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_loss_and_every_gradient_are_the_stock_trainers(family: str, tmp_path: Path):
    model = toy_model(family)
    stock, shared = trainer_on(model, tmp_path, shared=False), trainer_on(model, tmp_path, shared=True, budget=40)
    for seed in range(4):
        assert_same_update(stock, shared, [off_policy(micro_batch(Shape.random(seed), seed))])
    assert_same_update(stock, shared, [off_policy(micro_batch(RAGGED))])


@pytest.mark.parametrize("loss_type", ["bnpo", "dapo", "dr_grpo", "grpo"])
def test_under_every_loss_and_with_accumulation(loss_type: str, tmp_path: Path):
    model = toy_model("qwen2")
    stock, shared = (trainer_on(model, tmp_path, shared=shared, loss_type=loss_type) for shared in (False, True))
    assert_same_update(stock, shared, [off_policy(micro_batch(Shape.random(seed), seed)) for seed in (5, 6, 7)])


@pytest.mark.parametrize(
    "arguments",
    [
        {"peft": LORA, "beta": 0.1},
        {"gradient_checkpointing": True},
        {"gradient_checkpointing": True, "peft": LORA},
        {"entropy_coef": 0.05, "temperature": 0.7},
        {"importance_sampling_level": "sequence"},
        {"budget": 1},
    ],
    ids=["lora and kl", "checkpointing", "checkpointed lora", "entropy bonus", "sequence ratios", "no room to share"],
)
def test_with_every_option_of_the_engine_that_recipes_use(arguments: dict[str, Any], tmp_path: Path):
    model = toy_model("llama")
    stock, shared = (trainer_on(model, tmp_path, shared=shared, **arguments) for shared in (False, True))
    assert_same_update(stock, shared, [off_policy(micro_batch(RAGGED))])


def test_a_wrong_mask_would_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    model = toy_model("llama")
    stock, shared = trainer_on(model, tmp_path, shared=False), trainer_on(model, tmp_path, shared=True)
    monkeypatch.setattr(
        "setwise.training.shared_prompt.attention.dense_sight",
        lambda segments: np.tri(segments.tokens, dtype=bool),
    )
    with pytest.raises(AssertionError):
        assert_same_update(stock, shared, [off_policy(micro_batch(RAGGED))])


def test_a_batch_with_nothing_to_learn_from_gives_zero_gradients(tmp_path: Path):
    shared = trainer_on(toy_model("llama"), tmp_path, shared=True)
    losses, found = gradients(shared, [micro_batch(Shape(((4, (0, 0)),)))])
    assert losses == [0]
    assert found.keys() == _weights(shared).keys()
    assert all((gradient == 0).all() for gradient in found.values())


def scores(trainer: Any, batch: dict[str, Any], **options: Any) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Log-probabilities and entropies of every token."""
    ids, mask = whole(batch)
    width = batch["completion_ids"].shape[1]
    found = trainer._get_per_token_logps_and_entropies(trainer.model, ids, mask, width, batch_size=3, **options)
    return found[:2]


def whole(batch: dict[str, Any]) -> list[torch.Tensor]:
    """Prompts with their completions, and their mask."""
    return [torch.cat([batch[f"prompt_{kind}"], batch[f"completion_{kind}"]], dim=1) for kind in ("ids", "mask")]


@torch.no_grad()
def test_scoring_passes_without_gradients_are_the_stock_trainers(tmp_path: Path):
    model = toy_model("qwen3")
    batch = micro_batch(RAGGED)
    stock, shared = (scores(trainer_on(model, tmp_path, shared=shared), batch) for shared in (False, True))
    torch.testing.assert_close(shared[0], stock[0])
    assert shared[1] is None


@pytest.mark.parametrize(("cells", "passes"), [(1, 4), (2 * 27**2, 2), (10**6, 1)])
def test_groups_of_uneven_length_run_side_by_side_and_nothing_changes(
    cells: int, passes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shared_prompt_trainer, "MASK_CELLS", cells)
    model, batch = toy_model("llama"), off_policy(micro_batch(UNEVEN))
    stock, shared = trainer_on(model, tmp_path, shared=False), trainer_on(model, tmp_path, shared=True)
    assert len(plan_among([1], shared, batch, monkeypatch)) == passes
    assert_same_update(stock, shared, [batch])
    scored = batch["completion_mask"].bool()
    for found, expected in zip(*(scores(each, batch, compute_entropy=True) for each in (shared, stock)), strict=True):
        torch.testing.assert_close(found[scored], expected[scored])


def test_it_does_not_matter_what_fills_the_padding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trainer, batch = trainer_on(toy_model("llama"), tmp_path, shared=True), micro_batch(UNEVEN)
    expected_loss, expected = gradients(trainer, [batch])
    monkeypatch.setattr(shared_prompt_trainer, "pad", lambda columns, fill: pad(columns, fill or 7))
    loss, found = gradients(trainer, [batch])
    assert loss == expected_loss
    assert all((found[name] == gradient).all() for name, gradient in expected.items())
    share = trainer._metrics["train"]["update/token_share"][-1]
    assert share == 4 * 27 / whole(batch)[0].numel()


def test_whole_runs_end_at_the_same_weights(tmp_path: Path):
    """Generation, old log-probabilities, a reference (the model without its adapter), accumulation, two updates."""
    arguments = {
        "peft": LORA,
        "beta": 0.05,
        "num_iterations": 2,
        "steps_per_generation": 2,
        "gradient_accumulation_steps": 2,
        "max_steps": 4,
        "loss_type": "dapo",
        "optim": "sgd",
        "save_strategy": "no",
        "logging_steps": 1,
    }
    model = toy_model("qwen2")
    ends = []
    for shared in (False, True):
        trainer = trainer_on(model, tmp_path, shared=shared, **arguments)
        start = _weights(trainer)
        trainer.train()
        ends.append({name: weight - start[name] for name, weight in _weights(trainer).items()})
        assert trainer.state.log_history[0]["update/shared_prompt"] == shared
        assert (trainer.state.log_history[0]["update/token_share"] < 1) == shared
    for name, moved in ends[0].items():
        assert (ends[1][name] - moved).norm() <= 1e-4 * moved.norm(), name


def test_a_group_reaches_one_micro_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trainer = trainer_on(
        toy_model("llama"), tmp_path, shared=True, gradient_accumulation_steps=4, max_steps=1, save_strategy="no"
    )
    prompts_seen = []
    compute_loss = trainer._compute_loss

    def watched(model: Any, inputs: dict[str, Any]) -> Any:
        prompts_seen.append({tuple(prompt) for prompt in inputs["prompt_ids"].tolist()})
        return compute_loss(model, inputs)

    monkeypatch.setattr(trainer, "_compute_loss", watched)
    trainer.train()
    assert [len(prompts) for prompts in prompts_seen] == [2, 2, 2, 2]
    assert len(set.union(*prompts_seen)) == 8


def plan_among(passes: list[int], trainer: Any, batch: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a process plans where the processes need so many passes."""
    ids, mask = whole(batch)
    rows = read_rows(ids, mask, batch["completion_ids"].shape[1])
    assert rows is not None
    cpu = torch.device("cpu")
    several = SimpleNamespace(
        num_processes=len(passes), gather=lambda _: torch.tensor(passes), autocast=nullcontext, device=cpu
    )
    with monkeypatch.context() as patch:
        patch.setattr(trainer, "accelerator", several)
        return trainer._plan(rows, cpu)


def test_processes_run_as_many_passes_as_the_busiest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trainer = trainer_on(toy_model("llama"), tmp_path, shared=True)
    batch = micro_batch(UNEVEN)
    expected_loss, expected = gradients(trainer, [batch])
    passes = plan_among([1, 3], trainer, batch, monkeypatch)
    assert [len(each) for each in passes] == [4, 1, 1]
    monkeypatch.setattr(trainer, "_plan", lambda *_: passes)
    loss, found = gradients(trainer, [batch])
    assert loss == expected_loss
    assert all((found[name] == gradient).all() for name, gradient in expected.items())


def test_a_batch_that_one_process_cannot_pack_takes_the_stock_path_on_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    trainer = trainer_on(toy_model("llama"), tmp_path, shared=True)
    assert plan_among([1, 0], trainer, micro_batch(RAGGED), monkeypatch) is None


def test_what_cannot_share_takes_the_stock_path_and_says_why(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, logger="setwise"):
        trainer = trainer_on(toy_model("mistral", sliding_window=4), tmp_path, shared=True)
    assert "last 4 tokens" in trainer.update_path
    assert trainer.update_path in caplog.text
    gradients(trainer, [micro_batch(RAGGED)])
    assert trainer._metrics["train"]["update/shared_prompt"] == [0]


def test_a_batch_with_images_takes_the_stock_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trainer = trainer_on(toy_model("llama"), tmp_path, shared=True)
    monkeypatch.setattr(trainer, "_plan", lambda *_: pytest.fail("packed"))
    gradients(trainer, [micro_batch(RAGGED) | {"num_images": [0] * 10}])
    assert trainer._metrics["train"]["update/shared_prompt"] == [0]


def _weights(trainer: Any) -> dict[str, torch.Tensor]:
    """A copy of what is trained."""
    return {name: p.detach().clone() for name, p in trainer.model.named_parameters() if p.requires_grad}


def test_a_model_that_ignores_the_attention_is_an_error_and_not_a_wrong_update(tmp_path: Path):
    shared: Any = trainer_on(toy_model("llama"), tmp_path, shared=True)
    shared.model.config._attn_implementation = "sdpa"
    with pytest.raises(MachineryError, match="ignored the attention"):
        gradients(shared, [micro_batch(RAGGED)])
