"""Credit per answer inside the engine: the right numbers at the right tokens, whatever else is switched on."""

import json
import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from setwise.errors import InputError, MachineryError
from setwise.settings import LoraSettings
from setwise.training.run.checks import check_job
from setwise.training.run.engine import build_trainer, train
from setwise.training.run.trainer import expected_charge
from setwise.training.shared_prompt.trainer import SharedPromptGRPOTrainer
from tests.training.tiny_clinic import make_job

EXPECTED = {"credit": "answer", "confidence_gradient": "expected"}


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


@pytest.fixture(scope="module")
def expecting(start: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[dict[str, Any]]]:
    job = job_with(start, tmp_path_factory.mktemp("run"), credit="answer", confidence_gradient="expected")
    return sampled(replace(job, generation=replace(job.generation, temperature=0.8)))


def test_every_number_is_charged_for_its_own_label_where_it_stands_after_every_shuffle(expecting):
    trainer, batches = expecting
    numbers, [reward] = trainer.watched_ids.tolist(), trainer.reward_funcs
    stated = torch.tensor([float(trainer.processing_class.decode([number])) for number in numbers])
    charged = {right: (1 - stated) ** 2 if right else stated**2 for right in (True, False)}
    asked = [(_prompt(trainer, row), row["problem"]) for row in trainer.train_dataset]
    patients = Counter(prompt for prompt, _ in asked)
    problem_of = {prompt: problem for prompt, problem in asked if patients[prompt] == 1}
    found = Counter()
    for inputs in batches:
        for row, ids in enumerate(inputs["completion_ids"]):
            prompt = trainer.processing_class.decode(inputs["prompt_ids"][row], skip_special_tokens=True)
            if prompt not in problem_of:
                continue
            own = ids[inputs["completion_mask"][row].bool()].tolist()
            score, *_ = reward.scored([own] * reward.group_size, [problem_of[prompt]] * reward.group_size).scores
            places, charges = inputs["number_places"][row], inputs["number_charges"][row]
            for place, charge, right in zip(places, charges, score.labels, strict=False):
                assert int(ids[place]) in numbers
                assert torch.allclose(charge, charged[right])
                found[right] += 1
    assert min(found[True], found[False]) > 5


def _prompt(trainer: Any, row: dict[str, Any]) -> str:
    ids = trainer._tokenize_prompts([row["prompt"]])[0][0]
    return trainer.processing_class.decode(ids, skip_special_tokens=True)


def test_the_loss_charges_what_is_expected_of_the_choice(expecting):
    trainer, batches = expecting
    inputs = batches[0]

    def by_hand(trainer: Any, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        logs = log_softmax_by_hand(trainer, model, inputs)
        mask = inputs["completion_mask"]
        drawn = logs.gather(-1, inputs["completion_ids"][..., None])[..., 0] * inputs["advantages"] * mask
        charged = torch.zeros(())
        for row, (places, charges) in enumerate(zip(inputs["number_places"], inputs["number_charges"], strict=True)):
            for place, charge in zip(places, charges, strict=True):
                charged = charged + (logs[row, place, trainer.watched_ids].softmax(-1) * charge).sum()
        return (charged - drawn.sum()) / mask.sum() / trainer.current_gradient_accumulation_steps

    assert trainer.temperature == 0.8
    ours = gradient(trainer, inputs)
    torch.testing.assert_close(ours, gradient(trainer, inputs, by_hand), rtol=1e-3, atol=1e-6)
    free = {**inputs, "number_charges": torch.zeros_like(inputs["number_charges"])}
    assert (gradient(trainer, free) - ours).abs().max() > 1e-4


def test_a_number_that_is_no_confidence_is_never_chosen():
    logits = torch.tensor([[[5.0, 0.0, 1.0], [0.0, 0.0, 0.0]]])
    charges = torch.tensor([[[torch.nan, 2.0, 4.0], [0.0, 0.0, 0.0]]])
    chance = torch.tensor([0.0, 1.0]).softmax(-1)
    found = expected_charge(logits, torch.tensor([[0, 0]]), charges)
    assert found.item() == pytest.approx((chance @ torch.tensor([2.0, 4.0])).item())


def test_what_cannot_show_its_logits_is_refused(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    job = job_with(start, tmp_path, credit="answer", confidence_gradient="expected", shared_prompt=False)
    with pytest.raises(InputError, match=r"confidence_gradient: .* switched off; set it to sampled"):
        build_trainer(job, job.objective)
    job = job_with(start, tmp_path, credit="answer", confidence_gradient="expected")
    trainer = build_trainer(job, job.objective)
    trainer.model.config.final_logit_softcapping = 30.0
    with pytest.raises(InputError, match="its logits have a final_logit_softcapping"):
        trainer.watch([1, 2])
    trainer, [batch, *_] = sampled(job)
    batch["prompt_mask"][:, 0], batch["prompt_mask"][:, 1] = 1, 0
    with pytest.raises(MachineryError, match="cannot share its prompts"):
        gradient(trainer, batch)
    monkeypatch.setattr("setwise.training.run.engine.is_sharded", lambda trainer: True)
    with pytest.raises(InputError, match="confidence_gradient: expected reads the LM head, and its weights are spread"):
        build_trainer(job, job.objective)


def test_a_reward_that_knows_the_numbers_can_be_pickled(expecting):
    [reward] = expecting[0].reward_funcs
    assert pickle.loads(pickle.dumps(reward)).crediting.numbers.texts == reward.crediting.numbers.texts


@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"lora": LoraSettings(rank=4)}},
        {"generation": {"updates_per_generation": 2}, "optimisation": {"divide_by_std": True, "entropy_decay": True}},
        {"optimisation": {"shared_prompt": False, "kl_weight": 0.01}},
        {"model": {"lora": LoraSettings(rank=4)}, "optimisation": {"confidence_gradient": "expected"}},
    ],
    ids=["LoRA", "two updates", "stock path", "LoRA, expected"],
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
        ("rlcr-multi", {"confidence_gradient": "expected"}, "confidence_gradient needs confidences and credit per"),
        ("rlcr-multi", EXPECTED | {"loss": "dapo"}, 'optimisation.loss "bnpo", got "dapo"'),
        ("rlcr-multi", EXPECTED | {"shared_prompt": False}, "needs optimisation.shared_prompt true, got false"),
        ("rlcr-single", EXPECTED | {"credit": "bae"}, 'optimisation.credit "answer", got "bae"'),
        ("rlcr-multi", {"calibration_warmup": 0.3}, "optimisation.calibration_warmup needs confidences and credit per"),
    ],
)
def test_what_cannot_be_is_refused(name: str, optimisation: dict[str, Any], message: str, start: Path, tmp_path: Path):
    with pytest.raises(InputError, match=message):
        check_job(job_with(start, tmp_path, name, **optimisation))
