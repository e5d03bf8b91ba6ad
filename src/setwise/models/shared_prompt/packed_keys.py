"""The keys and values of a batch while decoding, at fixed places in memory, for our kernels and CUDA graphs.

Prompts lie end to end, each once; every sample has its own row. A new token reads both, and the two softmaxes are
joined.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from setwise.models.shared_prompt.prefill import ReadPrompts

FEWEST_SLOTS = 8
SHRINK = 0.8
"""Ratio between one number of slots and the next."""


@dataclass(frozen=True)
class BatchRoom:
    """What there is memory for."""

    prompts: int
    prompt_tokens: int
    """Tokens of all prompts together."""
    samples: int
    group: int
    """Samples per prompt."""
    tokens: int
    """Tokens per sample."""

    def holds(self, other: "BatchRoom") -> bool:
        return all(getattr(self, each.name) >= getattr(other, each.name) for each in fields(self))

    def grown(self, other: "BatchRoom") -> "BatchRoom":
        return BatchRoom(*(max(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)))

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers of slots that a batch goes through as its samples end.

        >>> BatchRoom(prompts=2, prompt_tokens=20, samples=64, group=32, tokens=10).sizes
        [64, 56, 48, 40, 32, 24, 16, 8]
        """
        sizes = [self.samples]
        while sizes[-1] > FEWEST_SLOTS:
            steps = -(-int(sizes[-1] * SHRINK) // FEWEST_SLOTS)
            sizes.append(min(steps, (sizes[-1] - 1) // FEWEST_SLOTS) * FEWEST_SLOTS)
        return sizes

    def size_for(self, samples: int) -> int:
        """The smallest sufficient number of slots."""
        return min(size for size in self.sizes if size >= samples)

    @cached_property
    def longest_block(self) -> int:
        """Slots per prompt; surplus slots repeat its samples."""
        gaps = [more - fewer for more, fewer in pairwise(self.sizes)]
        return min(self.samples, self.group + max(gaps, default=0) + self.sizes[-1])


@dataclass(frozen=True, slots=True)
class KeyShape:
    """The sizes of one model."""

    layers: int
    heads: int
    size: int
    dtype: torch.dtype

    @classmethod
    def of(cls, config: Any, dtype: torch.dtype) -> "KeyShape":
        heads = config.num_attention_heads
        key_heads = getattr(config, "num_key_value_heads", None) or heads
        size = getattr(config, "head_dim", None) or config.hidden_size // heads
        return cls(config.num_hidden_layers, key_heads, size, dtype)

    @property
    def bytes_per_token(self) -> int:
        return 2 * self.layers * self.heads * self.size * self.dtype.itemsize


def read_prompts(*arguments: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """The kernel of that name. It needs Triton, and so a GPU, to be imported."""
    from setwise.models.shared_prompt.kernels.prompts import read_prompts

    return read_prompts(*arguments)


def attend_own(*arguments: Any) -> torch.Tensor:
    """The kernel of that name, likewise."""
    from setwise.models.shared_prompt.kernels.attend import attend_own

    return attend_own(*arguments)


class PackedKeys:
    """Holds at most `room`. The kernels' arguments are at fixed places too, so that a graph sees them change."""

    def __init__(self, shape: KeyShape, room: BatchRoom, device: torch.device) -> None:
        self.shape, self.room = shape, room

        def empty(*sizes: int) -> torch.Tensor:
            return torch.zeros(shape.layers, 2, *sizes, shape.heads, shape.size, dtype=shape.dtype, device=device)

        self.prompts, self.own = empty(room.prompt_tokens), empty(room.samples, room.tokens)
        self.prompt_ends, self.asking = torch.zeros(2, room.prompts + 1, dtype=torch.int32, device=device)
        self.length = torch.zeros(1, dtype=torch.int64, device=device)
        """Own tokens written so far."""

    def begin(self, read: ReadPrompts, owners: NDArray[np.int64]) -> None:
        """Start with these prompts; `owners` names the prompt of each sample, in order."""
        seen = read.seen.flatten().nonzero()[:, 0]
        for layer, pair in zip(self.prompts, read.layers, strict=True):
            for kept, padded in zip(layer, pair, strict=True):
                kept[: len(seen)] = padded.transpose(1, 2).flatten(0, 1)[seen]
        self._write(self.prompt_ends, read.seen.sum(1).tolist())
        self.length.zero_()
        self.ask(owners)

    def ask(self, owners: NDArray[np.int64]) -> None:
        """Samples in the order of their prompts; those of one prompt form a block of queries."""
        counts = np.bincount(owners, minlength=self.room.prompts)
        self._write(self.asking, counts.tolist())

    def keep(self, slots: torch.Tensor, length: int) -> None:
        """Move the samples in these slots to the front, with what they wrote."""
        for layer in self.own:
            layer[:, : len(slots), :length] = layer[:, slots, :length]

    def attend(
        self, module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
    ) -> tuple[torch.Tensor, None]:
        """Attention of one token per sample, which sees its prompt, what its sample wrote before, and itself."""
        index: Any = module.layer_idx
        room, scale = self.room, options.get("scaling") or query.shape[-1] ** -0.5
        query, key, value = query[:, :, 0], key[:, :, 0], value[:, :, 0]
        bounds = self.asking, self.prompt_ends, room.longest_block
        prompt = read_prompts(query, *self.prompts[index], bounds, scale)
        return attend_own(query, (key, value), self.own[index], self.length, prompt, scale)[:, None], None

    def _write(self, ends: torch.Tensor, counts: Sequence[int]) -> None:
        """Entries beyond the last one are empty."""
        whole = np.zeros(len(ends), np.int32)
        whole[1 : len(counts) + 1] = counts
        ends.copy_(torch.from_numpy(np.cumsum(whole, dtype=np.int32)))
