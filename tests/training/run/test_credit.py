"""Credit per answer inside the engine: the right numbers at the right tokens, whatever else is switched on."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from setwise.errors import InputError
from setwise.settings import LoraSettings
from setwise.training.run.checks import check_job
from setwise.training.run.engine import build_trainer, train
from setwise.training.shared_prompt.trainer import SharedPromptGRPOTrainer
from tests.training.tiny_clinic import make_job


def job_with(start: Path, folder: Path, name: str = "rlcr-multi", **optimisation: Any) -> Any:
    job = make_job(start, folder, name)
    return replace(job, optimisation=replace(job.optimisation, steps=1, **optimisation))


def sampled(job: Any) -> tuple[Any, list[dict[str, Any]]]:
    """A trainer and the micro-batches of its first rollout, as the update gets them."""
    trainer = build_trainer(job, job.objective)
    trainer.create_optimizer_and_scheduler(1)
    trainer.model.train()
    trainer.current_gradient_accumulation_steps = trainer.args.gradient_accumulation_steps
    rows = next(iter(trainer.get_train_dataloader()))
    trainer._prepare_inputs(rows)
    return trainer, trainer._buffered_inputs


def gradient(trainer: Any, inputs: dict[str, Any], loss_of: Any = None) -> torch.Tensor:
    trainer.model.zero_grad()
    (loss_of or type(trainer)._compute_loss)(trainer, trainer.model, inputs).backward()
    found = [each.grad.flatten() for each in trainer.model.parameters() if each.grad is not None]
    return torch.cat(found).clone()


@pytest.fixture(scope="module")
def rollout(start: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[dict[str, Any]]]:
    return sampled(job_with(start, tmp_path_factory.mktemp("run"), credit="answer", confidence_entropy_bonus=0.5))


def test_completion_is_the_engines_own_credit_to_the_bit(start: Path, tmp_path: Path):
    trainer, batches = sampled(job_with(start, tmp_path / "run"))
    assert batches[0]["advantages"].dim() == 1
    assert "writes_confidence" not in batches[0]
    theirs = gradient(trainer, batches[0], SharedPromptGRPOTrainer._compute_loss)
    assert torch.equal(gradient(trainer, batches[0]), theirs)
    assert theirs.abs().max() > 0


def test_what_is_marked_as_a_confidence_is_its_number_after_every_shuffle(rollout):
    """Rows are shuffled and grouped again between rollout and update."""
    trainer, batches = rollout
    tokenizer, found = trainer.processing_class, 0
    for batch in batches:
        for ids, marked in zip(batch["completion_ids"], batch["writes_confidence"].bool(), strict=True):
            for token in ids[marked]:
                float(tokenizer.decode([token]))
                found += 1
            text = tokenizer.decode(ids, skip_special_tokens=True)
            if marked.any():
                assert text.count("<confidence") == int(marked.sum()), "a number is one token of this tokenizer"
    assert found > 50


def test_advantages_differ_within_a_completion_and_are_zero_behind_it(rollout):
    _, batches = rollout
    for batch in batches:
        advantages, mask = batch["advantages"], batch["completion_mask"].bool()
        assert advantages.shape == batch["completion_ids"].shape
        assert not advantages[~mask].any()
        assert max(len(set(row[own].tolist())) for row, own in zip(advantages, mask, strict=True)) >= 4


@pytest.mark.parametrize("loss", ["bnpo", "dapo", "dr_grpo", "grpo"])
def test_every_loss_pays_token_by_token_on_both_paths(start: Path, tmp_path: Path, loss: str):
    trainer, batches = sampled(job_with(start, tmp_path / "run", credit="answer", loss=loss))
    inputs = batches[0]
    shared = gradient(trainer, inputs)
    assert trainer.shares_prompts
    trainer.why_stock = "for the test"
    torch.testing.assert_close(gradient(trainer, inputs), shared, rtol=1e-4, atol=1e-6)
    flat = {**inputs, "advantages": inputs["advantages"].mean(1, keepdim=True).expand_as(inputs["advantages"])}
    assert not torch.allclose(gradient(trainer, flat), shared, atol=1e-4)


def log_softmax_by_hand(trainer: Any, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
    """Of every word at every token of the completions, in one plain pass."""
    ids = torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], 1)
    seen = torch.cat([inputs["prompt_mask"], inputs["completion_mask"]], 1)
    logits = model(input_ids=ids, attention_mask=seen).logits[:, :-1] / trainer.temperature
    return logits[:, -inputs["completion_ids"].shape[1] :].log_softmax(-1)


def test_the_loss_is_the_sum_over_tokens_of_advantage_times_log_probability(rollout):
    trainer, batches = rollout
    inputs = batches[0]

    def by_hand(trainer: Any, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        logs = log_softmax_by_hand(trainer, model, inputs).gather(-1, inputs["completion_ids"][..., None])[..., 0]
        mask = inputs["completion_mask"]
        return -(logs * inputs["advantages"] * mask).sum() / mask.sum() / trainer.current_gradient_accumulation_steps

    trainer.confidence_entropy_coef = 0.0
    torch.testing.assert_close(gradient(trainer, inputs), gradient(trainer, inputs, by_hand), rtol=1e-3, atol=1e-6)


def test_the_entropy_bonus_of_confidences_acts_on_their_numbers_alone(rollout):
    trainer, batches = rollout
    inputs = batches[0]
    trainer.confidence_entropy_coef = 0.0
    without = gradient(trainer, inputs)
    trainer.confidence_entropy_coef = 0.5
    assert (gradient(trainer, inputs) - without).abs().max() > 1e-4
    nowhere = {**inputs, "writes_confidence": torch.zeros_like(inputs["writes_confidence"])}
    assert torch.equal(gradient(trainer, nowhere), without)


def test_the_entropy_bonus_weighs_a_digit_as_the_bonus_of_all_tokens_would(rollout):
    trainer, batches = rollout
    inputs = batches[0]
    trainer.confidence_entropy_coef = 0.0
    without = gradient(trainer, inputs)
    trainer.confidence_entropy_coef = 0.5
    everywhere = {**inputs, "writes_confidence": inputs["completion_mask"].float()}
    ours = gradient(trainer, everywhere) - without

    def by_hand(trainer: Any, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        logs = log_softmax_by_hand(trainer, model, inputs)
        mask = inputs["completion_mask"]
        entropy = (-(logs.exp() * logs).sum(-1) * mask).sum() / mask.sum()
        return -0.5 * entropy / trainer.current_gradient_accumulation_steps

    torch.testing.assert_close(ours, gradient(trainer, inputs, by_hand), rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"lora": LoraSettings(rank=4)}},
        {"generation": {"updates_per_generation": 2}, "optimisation": {"divide_by_std": True, "entropy_decay": True}},
        {"optimisation": {"shared_prompt": False, "kl_weight": 0.01}},
    ],
    ids=["LoRA", "two updates", "stock path"],
)
def test_it_trains_with(changes: dict[str, dict[str, Any]], start: Path, tmp_path: Path):
    job = job_with(start, tmp_path / "run", credit="answer", confidence_entropy_bonus=0.02)
    for part, values in changes.items():
        job = replace(job, **{part: replace(getattr(job, part), **values)})
    job = replace(job, optimisation=replace(job.optimisation, steps=2))
    assert train(job).model is not None
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert log
    assert all(step["confidence/entropy"] > 0 for step in log)


def test_the_weight_of_calibration_rises_with_the_step_over_the_warm_up(start: Path, tmp_path: Path):
    job = job_with(start, tmp_path / "run", credit="answer", calibration_warmup=0.5)
    trainer = build_trainer(replace(job, optimisation=replace(job.optimisation, steps=8)), job.objective)
    [reward] = trainer.reward_funcs
    shares = []
    for step in (0, 1, 2, 3, 4, 7):
        trainer.callback_handler.on_step_begin(
            trainer.args, SimpleNamespace(global_step=step, max_steps=8), trainer.control
        )
        shares.append(reward.calibration_share)
    assert shares == [0, 0.25, 0.5, 0.75, 1, 1]


@pytest.mark.parametrize(
    ("name", "optimisation", "message"),
    [
        ("rlcr-multi", {"credit": "bae"}, "credit bae is for one answer with a confidence"),
        ("rlcr-multi", {"confidence_entropy_bonus": 0.1}, "needs confidences and credit per answer"),
        ("rlvr-multi", {"credit": "answer", "confidence_entropy_bonus": 0.1}, "needs confidences"),
        ("rlcr-multi", {"confidence_score": "log"}, "optimisation.confidence_score needs confidences and credit per"),
        ("rlcr-multi", {"calibration_warmup": 0.3}, "optimisation.calibration_warmup needs confidences and credit per"),
    ],
)
def test_what_cannot_be_is_refused(name: str, optimisation: dict[str, Any], message: str, start: Path, tmp_path: Path):
    with pytest.raises(InputError, match=message):
        check_job(job_with(start, tmp_path, name, **optimisation))
