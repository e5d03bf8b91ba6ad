"""The shared-prompt trainer, with what speeds up whole steps.

Scoring begins as soon as completions are sampled: before TRL asks for rewards it computes log-probabilities of the
samples (vLLM's importance correction, a reference model), and programs run in the sandbox meanwhile. A prompt is
tokenised once for its whole group and, if the model allows, stored once while decoding. A colocated vLLM gets its
weights in one call. The log has the time of each part of a step.
"""

import json
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
import torch
from trl.models.utils import unwrap_model_for_generation

from setwise.credit import TokenCredit
from setwise.errors import MachineryError
from setwise.models.shared_prompt.completions import SampleLimits
from setwise.models.shared_prompt.decoder import GroupDecoder
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.settings import Backend
from setwise.training.rollout.colocated_vllm import send_weights_at_once
from setwise.training.rollout.groups import why_not_groups
from setwise.training.run.policy import is_sharded
from setwise.training.run.reward import SetReward
from setwise.training.shared_prompt.trainer import SharedPromptGRPOTrainer


class SetTrainer(SharedPromptGRPOTrainer):
    """Importing this module loads torch and TRL, so `run.engine` imports it only when a job is about to train."""

    def __init__(
        self, *args: Any, confidence_entropy_coef: float = 0.0, backend: Backend = "transformers", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.why_not_groups = why_not_groups(backend, self.model, sharded=is_sharded(self))
        self.confidence_entropy_coef = confidence_entropy_coef
        self._decoder: GroupDecoder | None = None
        self._entropies: torch.Tensor | None = None
        if self.use_vllm:
            send_weights_at_once(self.vllm_generation)

    @property
    def rollout_path(self) -> str:
        """Where completions come from, for the run's record."""
        if self.why_not_groups is None:
            return "shared prompt"
        return f"{'vLLM' if self.use_vllm else 'transformers'} ({self.why_not_groups})"

    def _generate_single_turn(self, prompt_ids: list[list[int]], *args: Any, **kwargs: Any) -> Any:
        if self.why_not_groups is not None:
            return super()._generate_single_turn(prompt_ids, *args, **kwargs)
        checkpointing: Any = self.args.gradient_checkpointing_kwargs
        unwrapped = unwrap_model_for_generation(
            self.model_wrapped, self.accelerator, gradient_checkpointing_kwargs=checkpointing
        )
        assert self.max_completion_length is not None
        drawing, limits = (
            TokenDrawing(self.temperature, self.top_p, self.top_k),
            SampleLimits(self.max_completion_length),
        )
        with unwrapped as model, self.accelerator.autocast():
            self._decoder = self._decoder or GroupDecoder(model, self.eos_token_ids)
            return [own.ids for own in self._decoder.one_each(prompt_ids, drawing, limits)], None

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        self._written_problems = [row["problem"] for row in inputs]
        start = perf_counter()
        rollout = super()._generate_and_score_completions(inputs)
        for reward in self.reward_funcs:
            if isinstance(reward, SetReward) and reward.credit is not None:
                rollout |= padded(reward.credit, rollout["completion_ids"], stated=reward.objective.confidences)
                if self.watched_ids is not None:
                    rollout |= charges_of_numbers(reward.credit, len(self.watched_ids), self.watched_ids.device)
        self._note_time("rollout", start)
        return rollout

    def _get_per_token_logps_and_entropies(self, *args: Any, **kwargs: Any) -> Any:
        scores = super()._get_per_token_logps_and_entropies(*args, **kwargs)
        self._entropies = scores[1] if torch.is_grad_enabled() else None
        return scores

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        loss = super()._compute_loss(model, inputs)
        writes, entropies = inputs.get("writes_confidence"), self._entropies
        logits, self._entropies, self.watched_logits = self.watched_logits, None, None
        if "number_charges" in inputs and (entropies is None or logits is None):
            raise MachineryError("the update did not return what confidences learn from")
        if writes is None or entropies is None:
            return loss
        total = (entropies * writes).sum()
        self._metrics["train"]["confidence/entropy"].append((total / writes.sum().clamp(min=1.0)).item())
        paid = self.confidence_entropy_coef * total
        if logits is not None:
            paid = paid - expected_charge(logits, inputs["number_places"], inputs["number_charges"])
        # Over all tokens, as the pay is: over the digits alone, few of them among many tokens would weigh most.
        tokens = inputs["completion_mask"].sum().clamp(min=1.0)
        return loss - paid / tokens / self.current_gradient_accumulation_steps

    def _generate(self, prompts: list[Any]) -> Any:
        start = perf_counter()
        generated = super()._generate(prompts)
        self._note_time("generation", start)
        for reward in self.reward_funcs:
            if isinstance(reward, SetReward):
                reward.begin(generated[1], self._written_problems)
        return generated

    def _tokenize_prompts(self, prompts: list[Any]) -> Any:
        return each_once(super()._tokenize_prompts, prompts)

    def _issue_warnings_after_load(self, load_result: Any) -> None:
        load_result.missing_keys[:] = really_missing(self.model, load_result.missing_keys)
        super()._issue_warnings_after_load(load_result)

    def _note_time(self, part: str, start: float) -> None:
        model: Any = self.model
        if model.training:
            self._metrics["train"][f"time/{part}"].append(perf_counter() - start)


def really_missing(model: Any, keys: Sequence[str]) -> list[str]:
    """Without the names of weights that a checkpoint has under another name, as a tied LM head is."""
    names = dict(model.named_parameters(remove_duplicate=False))
    loaded = {id(weight) for name, weight in names.items() if name not in keys}
    return [key for key in keys if id(names.get(key)) not in loaded]


def padded(credit: Sequence[TokenCredit], completion_ids: torch.Tensor, *, stated: bool) -> dict[str, torch.Tensor]:
    """Advantages of shape (completions, tokens) and, if confidences are stated, which tokens decide one."""
    advantages, writes = np.zeros((2, *completion_ids.shape), np.float32)
    for row, own in enumerate(credit):
        advantages[row, : len(own.advantages)] = own.advantages
        writes[row, : len(own.confidence)] = own.confidence
    found = {"advantages": advantages, "writes_confidence": writes} if stated else {"advantages": advantages}
    return {name: torch.from_numpy(values).to(completion_ids.device) for name, values in found.items()}


def charges_of_numbers(credit: Sequence[TokenCredit], numbers: int, device: torch.device) -> dict[str, torch.Tensor]:
    """For each completion, the tokens that chose a confidence, and what each number there is charged. The completion
    with the most has the width of both; the others have charges of 0 behind theirs."""
    width = max((len(own.charged) for own in credit), default=0)
    places, charges = np.zeros((len(credit), width), np.int64), np.zeros((len(credit), width, numbers), np.float32)
    for row, own in enumerate(credit):
        for column, (token, charge) in enumerate(own.charged.items()):
            places[row, column], charges[row, column] = token, charge
    found = {"number_places": places, "number_charges": charges}
    return {name: torch.from_numpy(values).to(device) for name, values in found.items()}


def expected_charge(logits: torch.Tensor, places: torch.Tensor, charges: torch.Tensor) -> torch.Tensor:
    """What the model's choices of numbers are charged on average, summed over all of them."""
    rows = torch.arange(len(places), device=places.device)[:, None]
    chances = logits[rows, places].masked_fill(charges.isnan(), -torch.inf).softmax(-1)
    return (chances * charges.nan_to_num()).sum()


def each_once(tokenize: Callable[[list[Any]], Any], prompts: list[Any]) -> Any:
    """The result of TRL's `tokenize` for all prompts, computed once per distinct prompt if all are text."""
    keys = [json.dumps(prompt) for prompt in prompts]
    distinct = dict(zip(keys, prompts, strict=True))
    token_ids, images, fields = tokenize(list(distinct.values()))
    if images is not None or fields:
        return tokenize(prompts)
    of_prompt = dict(zip(distinct, token_ids, strict=True))
    return [list(of_prompt[key]) for key in keys], None, {}
