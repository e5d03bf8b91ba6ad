"""Many samples of few prompts, from a model that is already in this process.

Each prompt runs once and is stored once for its group. All samples step together; those that have ended leave the
batch.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from setwise.models.shared_prompt.attention import attention_arguments, install
from setwise.models.shared_prompt.completions import Drawn, Integers, SampleLimits
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.models.shared_prompt.graph_decoder import GraphDecoder, graphs_take
from setwise.models.shared_prompt.keys import GroupKeys
from setwise.models.shared_prompt.prefill import read_prompts

WORTH_LEAVING = 0.75
"""The batch is compacted when at most this share of its slots is needed."""


@dataclass(slots=True)
class _Slots:
    """Which completion each slot of the batch writes. Slots without one repeat another's."""

    completions: Integers
    writing: NDArray[np.bool_]
    group: int

    @classmethod
    def of(cls, samples: Sequence[int]) -> "_Slots":
        group = max(samples)
        writing = np.arange(group) < np.array(samples)[:, None]
        completions = np.where(writing, np.cumsum(writing).reshape(writing.shape) - 1, 0)
        return cls(completions.ravel(), writing.ravel(), group)

    def fewer(self) -> "tuple[Integers, Integers, _Slots] | None":
        """The prompts and slots that are still needed, if dropping the others is worth it."""
        by_prompt = self.writing.reshape(-1, self.group)
        prompts, group = np.flatnonzero(by_prompt.any(1)), int(by_prompt.sum(1).max())
        if len(prompts) * group > WORTH_LEAVING * len(self.writing):
            return None
        # Slots that still write come first, in order; a prompt with fewer of them is filled up.
        chosen = np.argsort(~by_prompt[prompts], axis=1, kind="stable")[:, :group]
        slots = (prompts[:, None] * self.group + chosen).ravel()
        return prompts, slots, _Slots(self.completions[slots], self.writing[slots], group)


class GroupDecoder:
    """Decodes with the current weights of `model`. `why_not(model)` must be None."""

    def __init__(self, model: Any, ends: Iterable[int]) -> None:
        self.model, self.ends = model, np.array(sorted(ends))
        self._by_graphs: GraphDecoder | None = None
        install(model)

    def one_each(self, prompts: Iterable[Sequence[int]], drawing: TokenDrawing, limits: SampleLimits) -> list[Drawn]:
        """One sample of each prompt, in order. Equal neighbours form a group."""
        groups = [(prompt, len(list(same))) for prompt, same in groupby(map(tuple, prompts))]
        return self([prompt for prompt, _ in groups], [size for _, size in groups], drawing, limits)

    @torch.no_grad()
    def __call__(
        self, prompts: Sequence[Sequence[int]], samples: Sequence[int], drawing: TokenDrawing, limits: SampleLimits
    ) -> list[Drawn]:
        """The given number of samples of each prompt, in the order of the prompts."""
        if graphs_take(self.model):
            self._by_graphs = self._by_graphs or GraphDecoder(self.model, self.ends)
            return self._by_graphs(prompts, samples, drawing, limits)
        return self._token_by_token(prompts, samples, drawing, limits)

    def _token_by_token(
        self, prompts: Sequence[Sequence[int]], samples: Sequence[int], drawing: TokenDrawing, limits: SampleLimits
    ) -> list[Drawn]:
        rows = sum(samples)
        ids = np.zeros((rows, limits.max_tokens), np.int64)
        log_probs = np.zeros((rows, limits.max_tokens), np.float32)
        lengths = np.zeros(rows, np.int64)
        starts = torch.tensor([len(prompt) for prompt in prompts], device=self.model.device)
        slots = _Slots.of(samples)
        read = read_prompts(self.model, prompts)
        keys, logits = GroupKeys(read.layers, read.seen, slots.group), read.logits.repeat_interleave(slots.group, 0)
        if limits.first is not None:
            logits = logits.masked_fill(~limits.first.to(logits.device), float("-inf"))
        for place in range(limits.max_tokens):
            tokens, chances = drawing(logits)
            written = tokens.cpu().numpy()
            now = slots.completions[slots.writing]
            ids[now, place], log_probs[now, place] = written[slots.writing], chances.cpu().numpy()[slots.writing]
            lengths[now] = place + 1
            slots.writing &= ~np.isin(written, self.ends)
            if limits.ended is not None and slots.writing.any():
                slots.writing[slots.writing] &= ~limits.ended(ids[slots.completions[slots.writing], : place + 1])
            if not slots.writing.any() or place + 1 == limits.max_tokens:
                break
            if fewer := slots.fewer():
                kept, chosen = (torch.from_numpy(each).to(starts.device) for each in fewer[:2])
                slots, tokens, starts = fewer[2], tokens[chosen], starts[kept]
                keys.keep(kept, chosen)
            logits = self._next(tokens, starts.repeat_interleave(slots.group) + place, keys)
        return [
            Drawn(own[:end].tolist(), chances[:end].tolist())
            for own, chances, end in zip(ids, log_probs, lengths, strict=True)
        ]

    def _next(self, tokens: torch.Tensor, positions: torch.Tensor, keys: GroupKeys) -> torch.Tensor:
        keys.begin_token()
        arguments = attention_arguments(keys, tokens.device)
        output = self.model(input_ids=tokens[:, None], position_ids=positions[:, None], use_cache=False, **arguments)
        return output.logits[:, -1]
