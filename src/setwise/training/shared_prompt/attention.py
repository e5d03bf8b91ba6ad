"""What a model is given to attend over a packed sequence: flash kernels where there are any, an exact mask elsewhere.

The model keeps its own attention for everything else. `install` gives it one that looks for a `Sight` among its
arguments and hands every other call to where it went before, so that generation and evaluation are untouched. The sight
has to travel with the call, because gradient checkpointing runs layers a second time during the backward pass.
"""

from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from setwise.training.shared_prompt.flash import Stretches, attend_by_flash, flash_takes, read_stretches
from setwise.training.shared_prompt.packs import Segments
from setwise.training.shared_prompt.support import ATTENTION


class Sight:
    """Who sees whom in one packed sequence, in the form that the attention at hand asks for."""

    def __init__(self, segments: Segments, device: torch.device) -> None:
        self.segments, self.device = segments, device
        self.used = False
        """Whether an attention asked: a model that ignores it would let every token see every other one."""

    @cached_property
    def stretches(self) -> Stretches:
        return read_stretches(self.segments, self.device)

    @cached_property
    def mask(self) -> torch.Tensor:
        return torch.from_numpy(dense_sight(self.segments))[None, None].to(self.device)


def install(model: Any) -> None:
    """Let a model that runs on `sdpa` attend by sight as well."""
    AttentionInterface.register(ATTENTION, attend)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.config._attn_implementation = ATTENTION


def attention_arguments(sight: Sight) -> dict[str, Any]:
    """How a model is told of it.

    A mask of four dimensions is taken as it is; without one, the model would build its own for all pairs of tokens.
    """
    return {"attention_mask": torch.ones(1, 1, 1, 1, dtype=torch.bool, device=sight.device), "sight": sight}


def dense_sight(segments: Segments) -> NDArray[np.bool_]:
    """`[query, key]`, for a whole sequence."""
    lengths = segments.end - segments.start
    own_start, shared_start, shared_end = (
        np.repeat(column, lengths)[:, None] for column in (segments.start, segments.shared_start, segments.shared_end)
    )
    query, key = np.ogrid[: segments.tokens, : segments.tokens]
    return (key <= query) & ((key >= own_start) | ((key >= shared_start) & (key < shared_end)))


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    sight: Sight | None = None,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """In the form in which transformers calls an attention."""
    if sight is None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, **options)
    sight.used = True
    query, key, value = _in_one_dtype(query, key, value)
    if not flash_takes(query.device, query.dtype, query.shape[-1]):
        return sdpa_attention_forward(module, query, key, value, sight.mask, **options)
    query, key, value = (tensor[0].transpose(0, 1) for tensor in (query, key, value))
    return attend_by_flash(query, key, value, sight.stretches, options.get("scaling"))[None], None


def _in_one_dtype(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """What autocast does for the built-in attention alone: rotary embeddings leave float32."""
    dtype = autocast_dtype(tensors[0].device, otherwise=tensors[-1].dtype)
    return tuple(tensor.to(dtype) for tensor in tensors)


def autocast_dtype(device: torch.device, otherwise: torch.dtype) -> torch.dtype:
    """What matrix products run in here."""
    return torch.get_autocast_dtype(device.type) if torch.is_autocast_enabled(device.type) else otherwise
