"""TRL's GRPO trainer, computing each prompt once for all of its completions.

Log-probabilities, entropies and gradients equal the stock trainer's, to rounding; only the sequences that the model
sees differ (`packs`). Not covered are images, mixtures of experts and the models that `why_not` names. They take the
stock path, and `update_path` reports it.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from typing import Any

import numpy as np
import torch
from trl.trainer.grpo_trainer import GRPOTrainer

from setwise.errors import InputError, MachineryError
from setwise.models.shared_prompt.attention import attention_arguments, install
from setwise.models.shared_prompt.flash import autocast_dtype, flash_takes
from setwise.models.shared_prompt.support import why_not, without_adapter
from setwise.training.shared_prompt.attention import PackedSight
from setwise.training.shared_prompt.batches import keep_groups_together, read_rows
from setwise.training.shared_prompt.packs import (
    IGNORED,
    PackedSequence,
    Row,
    idle_sequence,
    pack,
    pack_side_by_side,
    pad,
)

__all__ = ["SharedPromptGRPOTrainer", "why_not"]

FLASH_TOKEN_BUDGET = 65_536
MASK_TOKEN_BUDGET = 2_048
MASK_CELLS = 2**20
"""Limit for all masks in one pass. A larger one saves no time on a CPU, and costs memory."""

LOGIT_SCALES = (
    "final_logit_softcapping",
    "logit_scale",
    "logits_scaling",
    "lm_head_multiplier",
    "output_multiplier",
)
"""What a config can say about logits that are not just the LM head's."""

Scores = tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]


class SharedPromptGRPOTrainer(GRPOTrainer):
    """`GRPOTrainer` with two more arguments.

    `shared_prompt=False` is the stock trainer. `token_budget` bounds one packed sequence: a group that does not fit is
    split into parts that each run the prompt. With flash kernels, groups that fit share a sequence.
    """

    def __init__(self, *args: Any, shared_prompt: bool = True, token_budget: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.why_stock = why_not(self.model) if shared_prompt else "switched off"
        self.token_budget = token_budget
        self.watched_ids: torch.Tensor | None = None
        self.watched_logits: torch.Tensor | None = None
        """Of the watched tokens, in the last update: completions x places x tokens."""
        if self.shares_prompts:
            for model in filter(None, (self.model, self.ref_model)):
                install(self.accelerator.unwrap_model(model))
        logging.getLogger(__name__).info("update: %s", self.update_path)

    @property
    def shares_prompts(self) -> bool:
        return self.why_stock is None

    @property
    def update_path(self) -> str:
        """Which path the update takes, for the run's record."""
        if self.shares_prompts:
            return "shared prompt"
        return f"stock ({self.why_stock})"

    def watch(self, token_ids: Sequence[int]) -> None:
        """Keep the logits of these tokens at every predicted place. The fused LM head shows none."""
        config: Any = self.accelerator.unwrap_model(self.model).config
        scaled = [name for name in LOGIT_SCALES if getattr(config.get_text_config(), name, None) is not None]
        why = self.why_stock or (f"its logits have a {scaled[0]}" if scaled else None)
        if why is not None:
            raise InputError(f"the logits of single tokens cannot be read from this model's update: {why}")
        self.watched_ids = torch.tensor(token_ids, device=self.accelerator.device)

    def _prepare_inputs(self, generation_batch: Any) -> Any:
        buffered = self._buffered_inputs
        inputs = super()._prepare_inputs(generation_batch)
        if not self.shares_prompts or self._buffered_inputs is None or self._buffered_inputs is buffered:
            return inputs
        self._buffered_inputs = keep_groups_together(self._buffered_inputs)
        return self._buffered_inputs[self._step % len(self._buffered_inputs)]

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        logits_to_keep: int,
        batch_size: int | None = None,
        compute_entropy: bool = False,
        compute_aux_loss: bool = False,
        **images: Any,
    ) -> Scores:
        passes = None
        if self.shares_prompts and not compute_aux_loss and all(value is None for value in images.values()):
            passes = self._plan(read_rows(input_ids, attention_mask, logits_to_keep), input_ids.device)
        if passes is None and self.watched_ids is not None:
            raise MachineryError("this batch cannot share its prompts, so the tokens to watch have no logits")
        if passes is None:
            self._note_path(shared=False, token_share=1.0)
            return super()._get_per_token_logps_and_entropies(
                model,
                input_ids,
                attention_mask,
                logits_to_keep,
                batch_size=batch_size,
                compute_entropy=compute_entropy,
                compute_aux_loss=compute_aux_loss,
                **images,
            )
        tokens = sum(len(batch) * max(sequence.tokens for sequence in batch) for batch in passes)
        self._note_path(shared=True, token_share=tokens / input_ids.numel())
        fields = ["log_probs"]
        fields += ["entropy"] if compute_entropy else []
        fields += ["watched"] if self.watched_ids is not None and torch.is_grad_enabled() else []
        outputs = [self._run(model, batch, fields, input_ids.device) for batch in passes]
        sequences = list(chain.from_iterable(passes))
        scores = {
            field: place(sequences, [output[field] for output in outputs], (len(input_ids), logits_to_keep))
            for field in fields
        }
        self.watched_logits = scores.get("watched")
        return scores["log_probs"], scores.get("entropy"), None

    def _plan(self, rows: list[Row] | None, device: torch.device) -> list[list[PackedSequence]] | None:
        """The sequences of each pass; None if they cannot be packed, on this process or another.

        Every process has the same number, because wrapped models wait for each other.
        """
        passes = None if rows is None else self._passes(rows)
        everywhere = [0 if passes is None else max(len(passes), 1)]
        if self.accelerator.num_processes > 1:
            gathered: Any = self.accelerator.gather(torch.tensor(everywhere, device=device))
            everywhere = gathered.tolist()
        if passes is None or not all(everywhere):
            return None
        return passes + [[idle_sequence()]] * (max(everywhere) - len(passes))

    def _passes(self, rows: list[Row]) -> list[list[PackedSequence]]:
        """Long sequences for flash kernels, batches for a mask. It may guess wrongly how attention will run; that only
        costs time."""
        model: Any = self.model
        device = self.accelerator.device
        with self.accelerator.autocast():
            dtype = autocast_dtype(device, otherwise=model.dtype)
        config = model.config
        head_size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        if flash_takes(device, dtype, head_size):
            return [[sequence] for sequence in pack(rows, self.token_budget or FLASH_TOKEN_BUDGET)]
        return pack_side_by_side(rows, self.token_budget or MASK_TOKEN_BUDGET, MASK_CELLS)

    def _run(
        self, model: Any, batch: list[PackedSequence], fields: list[str], device: torch.device
    ) -> dict[str, torch.Tensor]:
        """The predictions of one pass, sequence by sequence, from TRL's fused LM head."""

        def sent(values: Any) -> torch.Tensor:
            return torch.from_numpy(values).to(device, non_blocking=True)

        labels = pad([sequence.labels for sequence in batch], IGNORED)
        sight = PackedSight([sequence.segments for sequence in batch], device)
        watches = "watched" in fields
        watching = last_hidden_states(self.accelerator.unwrap_model(model)) if watches else nullcontext([])
        with self.accelerator.autocast(), watching as hidden:
            output = model(
                input_ids=sent(pad([sequence.token_ids for sequence in batch], 0)),
                position_ids=sent(pad([sequence.position_ids for sequence in batch], 0)),
                shift_labels=sent(labels),
                fused_lm_head=True,
                **attention_arguments(sight, device),
            )
        if not sight.used:
            raise MachineryError("the model ignored the attention that lets a group share its prompt; switch that off")
        predicting = sent(np.flatnonzero(labels != IGNORED))
        scores = {field: output[field].flatten()[predicting] for field in fields if field != "watched"}
        if watches:
            scores["watched"] = self._watched(model, hidden.pop().flatten(0, 1)[predicting])
        return scores

    def _watched(self, model: Any, states: torch.Tensor) -> torch.Tensor:
        """The logits of the watched tokens from last hidden states."""
        head = self.accelerator.unwrap_model(model).get_output_embeddings()
        bias = None if head.bias is None else head.bias[self.watched_ids]
        with self.accelerator.autocast():
            logits = torch.nn.functional.linear(states, head.weight[self.watched_ids], bias)
        return logits.float() / self.temperature

    def _note_path(self, *, shared: bool, token_share: float) -> None:
        """For the log, updates only: the share of the padded batch's tokens that the model ran."""
        if torch.is_grad_enabled():
            self._metrics["train"]["update/shared_prompt"].append(float(shared))
            self._metrics["train"]["update/token_share"].append(token_share)


@contextmanager
def last_hidden_states(model: Any) -> Iterator[list[torch.Tensor]]:
    """What the model's layers return while this is open, which the fused LM head does not show."""
    found: list[torch.Tensor] = []
    layers = without_adapter(model).base_model
    hook = layers.register_forward_hook(lambda _, __, output: found.append(output.last_hidden_state))
    try:
        yield found
    finally:
        hook.remove()


def place(sequences: list[PackedSequence], scores: list[torch.Tensor], shape: tuple[int, int]) -> torch.Tensor:
    """Scores placed back at their rows and tokens, with zeros elsewhere."""
    device = scores[0].device
    rows, columns = (
        torch.from_numpy(np.concatenate(parts)).to(device)
        for parts in ([s.rows for s in sequences], [s.columns for s in sequences])
    )
    joined = torch.cat(scores)
    return joined.new_zeros((*shape, *joined.shape[1:])).index_put((rows, columns), joined)
