"""The keys and values of a batch while decoding: each prompt's once for its group, and each sample's own.

A new token reads both. The two softmaxes are joined by their maxima and sums, so the result is that of one softmax over
the whole text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

ROOM = 64
"""Own tokens that memory grows by, at least; for larger memory, by half."""


@dataclass(slots=True)
class LayerKeys:
    """Keys of one layer: prompts (prompts, heads, tokens, size), own (samples, heads, room, size)."""

    prompt_key: torch.Tensor
    prompt_value: torch.Tensor
    own_key: torch.Tensor
    own_value: torch.Tensor


class GroupKeys:
    """Slots of `prompts` x `group`, in that order. What a slot's sample writes follows its prompt."""

    def __init__(self, prompts: Sequence[tuple[torch.Tensor, torch.Tensor]], seen: torch.Tensor, group: int) -> None:
        """`prompts` has the keys and values of each layer; `seen` marks the tokens that are not padding."""
        self.group, self.length, self.room = group, 0, 0
        self.unseen = torch.zeros(seen.shape, device=seen.device).masked_fill(~seen, float("-inf"))[:, None, None]
        self.layers = [LayerKeys(key, value, *_own(key, group)) for key, value in prompts]

    @property
    def prompts(self) -> int:
        return len(self.unseen)

    def begin_token(self) -> None:
        """Make room for one more token of each sample."""
        self.length += 1
        if self.length <= self.room:
            return
        more = max(ROOM, self.room // 2)
        self.room += more
        for layer in self.layers:
            layer.own_key, layer.own_value = (
                torch.cat([own, own.new_zeros(*own.shape[:2], more, own.shape[3])], 2)
                for own in (layer.own_key, layer.own_value)
            )

    def keep(self, prompts: torch.Tensor, slots: torch.Tensor) -> None:
        """Keep only these prompts, with these slots for their samples, the same number per prompt."""
        self.group, self.room = len(slots) // len(prompts), self.length
        self.unseen = self.unseen[prompts]
        for layer in self.layers:
            layer.prompt_key, layer.prompt_value = layer.prompt_key[prompts], layer.prompt_value[prompts]
            layer.own_key, layer.own_value = (
                own[:, :, : self.length][slots] for own in (layer.own_key, layer.own_value)
            )

    def attend(
        self, module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
    ) -> tuple[torch.Tensor, None]:
        """Attention of one token per sample, which sees its prompt, what its sample wrote before, and itself."""
        index: Any = module.layer_idx
        layer = self.layers[index]
        samples, heads, _, size = query.shape
        shared_by = heads // key.shape[1]
        layer.own_key[:, :, self.length - 1], layer.own_value[:, :, self.length - 1] = key[:, :, 0], value[:, :, 0]
        own_key, own_value = (own[:, :, : self.length] for own in (layer.own_key, layer.own_value))
        query = query.view(samples, -1, shared_by, size) * (options.get("scaling") or size**-0.5)

        shared = (self._side_by_side(query) @ layer.prompt_key.mT).float() + self.unseen
        own = self._side_by_side((query @ own_key.mT).float())
        top = torch.maximum(shared.amax(-1, keepdim=True), own.amax(-1, keepdim=True))
        shared, own = (shared - top).exp(), (own - top).exp()
        total = shared.sum(-1, keepdim=True) + own.sum(-1, keepdim=True)
        dtype = value.dtype
        read = (shared / total).to(dtype) @ layer.prompt_value
        read += self._side_by_side(self._by_sample((own / total).to(dtype), shared_by) @ own_value)
        return self._by_sample(read, shared_by).reshape(samples, 1, heads, size), None

    def _side_by_side(self, rows: torch.Tensor) -> torch.Tensor:
        """(samples, heads, r, x) -> (prompts, heads, group r, x): all rows that read one prompt become one matrix."""
        _, heads, shared_by, size = rows.shape
        grouped = rows.view(self.prompts, self.group, heads, shared_by, size).transpose(1, 2)
        return grouped.reshape(self.prompts, heads, self.group * shared_by, size)

    def _by_sample(self, rows: torch.Tensor, shared_by: int) -> torch.Tensor:
        """The inverse."""
        _, heads, _, size = rows.shape
        grouped = rows.view(self.prompts, heads, self.group, shared_by, size).transpose(1, 2)
        return grouped.reshape(self.prompts * self.group, heads, shared_by, size)


def _own(key: torch.Tensor, group: int) -> tuple[torch.Tensor, torch.Tensor]:
    empty = key.new_zeros(len(key) * group, key.shape[1], 0, key.shape[3])
    return empty, empty
