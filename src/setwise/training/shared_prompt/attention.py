"""Which tokens see which in packed sequences: with flash kernels if available, otherwise with an exact mask."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from setwise.models.shared_prompt.flash import autocast_dtype, flash_takes
from setwise.training.shared_prompt.flash import Stretches, attend_by_flash, read_stretches
from setwise.training.shared_prompt.packs import Segments


class PackedSight:
    """Which tokens see which in a batch of packed sequences, in the form that the attention needs.

    Flash kernels take a batch of one. A mask takes several sequences, padded to the longest.
    """

    def __init__(self, batch: Sequence[Segments], device: torch.device) -> None:
        self.batch, self.device = batch, device
        self.used = False
        """Whether an attention asked for it. A model that ignores it would let every token see every other."""

    @cached_property
    def stretches(self) -> Stretches:
        (segments,) = self.batch
        return read_stretches(segments, self.device)

    @cached_property
    def mask(self) -> torch.Tensor:
        longest = max(segments.tokens for segments in self.batch)
        # Padding sees itself, because the softmax over nothing is not a number.
        masks = np.tile(np.eye(longest, dtype=bool), (len(self.batch), 1, 1))
        for mask, segments in zip(masks, self.batch, strict=True):
            mask[: segments.tokens, : segments.tokens] = dense_sight(segments)
        return torch.from_numpy(masks)[:, None].to(self.device)

    def attend(
        self, module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
    ) -> tuple[torch.Tensor, None]:
        self.used = True
        query, key, value = _in_one_dtype(query, key, value)
        if len(self.batch) > 1 or not flash_takes(query.device, query.dtype, query.shape[-1]):
            return sdpa_attention_forward(module, query, key, value, self.mask, **options)
        query, key, value = (tensor[0].transpose(0, 1) for tensor in (query, key, value))
        return attend_by_flash(query, key, value, self.stretches, options.get("scaling"))[None], None


def dense_sight(segments: Segments) -> NDArray[np.bool_]:
    """`[query, key]` mask for a whole sequence."""
    lengths = segments.end - segments.start
    own_start, shared_start, shared_end = (
        np.repeat(column, lengths)[:, None] for column in (segments.start, segments.shared_start, segments.shared_end)
    )
    query, key = np.ogrid[: segments.tokens, : segments.tokens]
    return (key <= query) & ((key >= own_start) | ((key >= shared_start) & (key < shared_end)))


def _in_one_dtype(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Convert to one dtype, as autocast does only for the built-in attention: rotary embeddings leave float32."""
    dtype = autocast_dtype(tensors[0].device, otherwise=tensors[-1].dtype)
    return tuple(tensor.to(dtype) for tensor in tensors)
