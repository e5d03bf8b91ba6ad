"""Which tokens see which in a packed sequence: with flash kernels if available, otherwise with an exact mask."""

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
    """Which tokens see which in one packed sequence, in the form that the attention needs."""

    def __init__(self, segments: Segments, device: torch.device) -> None:
        self.segments, self.device = segments, device
        self.used = False
        """Whether an attention asked for it. A model that ignores it would let every token see every other."""

    @cached_property
    def stretches(self) -> Stretches:
        return read_stretches(self.segments, self.device)

    @cached_property
    def mask(self) -> torch.Tensor:
        return torch.from_numpy(dense_sight(self.segments))[None, None].to(self.device)

    def attend(
        self, module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
    ) -> tuple[torch.Tensor, None]:
        self.used = True
        query, key, value = _in_one_dtype(query, key, value)
        if not flash_takes(query.device, query.dtype, query.shape[-1]):
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
