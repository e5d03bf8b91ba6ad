"""The keys and values of a batch in decoding, at fixed places in memory, for flash kernels and CUDA graphs.

Prompts lie end to end, each once; every sample has a row of its own beside them. A new token reads both, and the two
softmaxes are joined.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from setwise.models.shared_prompt.flash import SequenceBounds, flash_forward, in_one_dtype, join
from setwise.models.shared_prompt.prefill import ReadPrompts

FEWEST_SLOTS = 8
SHRINK = 0.8
"""One number of slots to the next."""


@dataclass(frozen=True)
class Room:
    """What there is memory for."""

    prompts: int
    prompt_tokens: int
    """Of all prompts together."""
    samples: int
    group: int
    """Samples of one prompt."""
    tokens: int
    """Of one sample."""

    def holds(self, other: "Room") -> bool:
        return all(getattr(self, each.name) >= getattr(other, each.name) for each in fields(self))

    def grown(self, other: "Room") -> "Room":
        return Room(*(max(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)))

    @cached_property
    def sizes(self) -> list[int]:
        """Numbers of slots that a batch goes through as its samples end.

        >>> Room(prompts=2, prompt_tokens=20, samples=64, group=32, tokens=10).sizes
        [64, 56, 48, 40, 32, 24, 16, 8]
        """
        sizes = [self.samples]
        while sizes[-1] > FEWEST_SLOTS:
            steps = -(-int(sizes[-1] * SHRINK) // FEWEST_SLOTS)
            sizes.append(min(steps, (sizes[-1] - 1) // FEWEST_SLOTS) * FEWEST_SLOTS)
        return sizes

    def size_for(self, samples: int) -> int:
        """The smallest number of slots that is enough."""
        return min(size for size in self.sizes if size >= samples)

    @cached_property
    def longest_block(self) -> int:
        """Slots of one prompt: those that are too many repeat its samples."""
        gaps = [more - fewer for more, fewer in pairwise(self.sizes)]
        return min(self.samples, self.group + max(gaps, default=0) + self.sizes[-1])


@dataclass(frozen=True, slots=True)
class KeyShape:
    """Of one model."""

    layers: int
    heads: int
    shared_by: int
    """Query heads for each head of keys."""
    size: int
    dtype: torch.dtype

    @classmethod
    def of(cls, config: Any, dtype: torch.dtype) -> "KeyShape":
        heads = config.num_attention_heads
        key_heads = getattr(config, "num_key_value_heads", None) or heads
        size = getattr(config, "head_dim", None) or config.hidden_size // heads
        return cls(config.num_hidden_layers, key_heads, heads // key_heads, size, dtype)

    @property
    def bytes_per_token(self) -> int:
        return 2 * self.layers * self.heads * self.size * self.dtype.itemsize


class PackedKeys:
    """For at most `room`. What the kernels are told lies at fixed places too, so a graph sees it change."""

    def __init__(self, shape: KeyShape, room: Room, device: torch.device) -> None:
        self.shape, self.room = shape, room

        def empty(*sizes: int) -> torch.Tensor:
            return torch.zeros(shape.layers, 2, *sizes, shape.heads, shape.size, dtype=shape.dtype, device=device)

        def ends(count: int, step: int) -> torch.Tensor:
            return torch.arange(count + 1, dtype=torch.int32, device=device) * step

        self.prompts, self.own = empty(room.prompt_tokens), empty(room.samples, room.tokens)
        self.prompt_ends, self.asking = ends(room.prompts, 0), ends(room.prompts, 0)
        self.own_queries, self.own_keys = ends(room.samples, shape.shared_by), ends(room.samples, room.tokens)
        self.length = torch.zeros(1, dtype=torch.int64, device=device)
        """Own tokens that are written."""
        self.used = torch.zeros(room.samples, dtype=torch.int32, device=device)

    def begin(self, read: ReadPrompts, owners: NDArray[np.int64]) -> None:
        """The prompts, and which of them each sample follows, in their order."""
        seen = read.seen.flatten().nonzero()[:, 0]
        for layer, pair in zip(self.prompts, read.layers, strict=True):
            for kept, padded in zip(layer, pair, strict=True):
                kept[: len(seen)] = padded.transpose(1, 2).flatten(0, 1)[seen]
        self._write(self.prompt_ends, read.seen.sum(1).tolist())
        self.length.zero_()
        self.ask(owners)

    def ask(self, owners: NDArray[np.int64]) -> None:
        """Samples in the order of their prompts; every prompt's are a block of queries."""
        counts = np.bincount(owners, minlength=self.room.prompts) * self.shape.shared_by
        self._write(self.asking, counts.tolist())

    def begin_token(self) -> None:
        self.used.copy_((self.length + 1).expand(len(self.used)))

    def end_token(self) -> None:
        self.length.add_(1)

    def keep(self, slots: torch.Tensor, length: int) -> None:
        """The samples in these slots, in front, with what they wrote."""
        for layer in self.own:
            layer[:, : len(slots), :length] = layer[:, slots, :length]

    def attend(
        self, module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
    ) -> tuple[torch.Tensor, None]:
        """One token of each sample, which sees its prompt, what its sample wrote before, and itself."""
        query, key, value = in_one_dtype(query, key, value)
        index: Any = module.layer_idx
        samples, heads, _, size = query.shape
        room, shared_by, scale = self.room, self.shape.shared_by, options.get("scaling")
        own_key, own_value = self.own[index, :, :samples]
        own_key.index_copy_(1, self.length, key.transpose(1, 2))
        own_value.index_copy_(1, self.length, value.transpose(1, 2))
        rows = query.reshape(samples, -1, shared_by, size).transpose(1, 2).reshape(samples * shared_by, -1, size)

        queries, keys = self.own_queries[: samples + 1], self.own_keys[: samples + 1]
        own = SequenceBounds(queries, keys, shared_by, room.tokens, causal=False)
        output, weight = flash_forward(
            rows, own_key.flatten(0, 1), own_value.flatten(0, 1), own, scale, self.used[:samples]
        )
        longest = room.longest_block * shared_by
        shared = SequenceBounds(self.asking, self.prompt_ends, longest, room.prompt_tokens, causal=False)
        prompt_key, prompt_value = self.prompts[index]
        join(output, weight, *flash_forward(rows, prompt_key, prompt_value, shared, scale))
        return output.view(samples, shared_by, -1, size).transpose(1, 2).reshape(samples, 1, heads, size), None

    def _write(self, ends: torch.Tensor, counts: Sequence[int]) -> None:
        """Beyond the last one nothing is there."""
        whole = np.zeros(len(ends), np.int32)
        whole[1 : len(counts) + 1] = counts
        ends.copy_(torch.from_numpy(np.cumsum(whole, dtype=np.int32)))
