"""Attention over packed sequences: FlexAttention where there is a GPU, an exact dense mask elsewhere.

The model keeps its own attention for everything else. `install` gives it one that looks at the mask: a block mask
goes to FlexAttention, anything else to where it went before, so that generation and evaluation are untouched. The
choice has to travel with the mask, because gradient checkpointing runs layers a second time during the backward pass.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch
from torch.nn.attention.flex_attention import BlockMask, flex_attention
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import repeat_kv, sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from setwise.training.shared_prompt_masks import Booleans, block_sight, dense_sight, token_sight
from setwise.training.shared_prompt_packing import Segments
from setwise.training.shared_prompt_support import ATTENTION

BLOCK = 128


def install(model: Any) -> None:
    """Let a model that runs on `sdpa` take block masks as well."""
    AttentionInterface.register(ATTENTION, attend)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.config._attn_implementation = ATTENTION


def build_mask(segments: Segments, device: torch.device) -> torch.Tensor | BlockMask:
    """The mask of one packed sequence, for the attention that `device` has."""
    if device.type == "cuda":
        return build_block_mask(segments, device)
    return torch.from_numpy(dense_sight(segments))[None, None].to(device)


def block_multiple(device: torch.device) -> int:
    """What the length of a sequence must be a multiple of."""
    return BLOCK if device.type == "cuda" else 1


def build_block_mask(segments: Segments, device: torch.device) -> BlockMask:
    """FlexAttention's tables, made on the CPU and sent over once per sequence."""
    sight = block_sight(segments, BLOCK)
    tokens = token_sight(segments)
    own_start, shared_start, shared_end = (
        torch.from_numpy(column.astype(np.int32)).to(device, non_blocking=True)
        for column in (tokens.own_start, tokens.shared_start, tokens.shared_end)
    )

    def sees(batch: torch.Tensor, head: torch.Tensor, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        shared = (key >= shared_start[query]) & (key < shared_end[query])
        return (key <= query) & ((key >= own_start[query]) | shared)

    partial_count, partial_index = _compressed(sight.partial, device)
    full_count, full_index = _compressed(sight.full, device)
    return BlockMask.from_kv_blocks(
        partial_count, partial_index, full_count, full_index, BLOCK_SIZE=BLOCK, mask_mod=sees
    )


def _compressed(table: Booleans, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """How many columns of each row are set, and their indices first."""
    counts = table.sum(axis=1, dtype=np.int32)
    indices = np.argsort(~table, axis=1, kind="stable").astype(np.int32)
    return torch.from_numpy(counts)[None, None].to(device), torch.from_numpy(indices)[None, None].to(device)


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | BlockMask | None,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """In the form in which transformers calls an attention."""
    if not isinstance(attention_mask, BlockMask):
        return sdpa_attention_forward(module, query, key, value, attention_mask, **options)
    # Keys of a prompt are read by a whole group. With heads shared as well, one thread block would walk over all of
    # them in the backward pass while the others wait.
    heads_per_key = query.shape[1] // key.shape[1]
    key, value = repeat_kv(key, heads_per_key), repeat_kv(value, heads_per_key)
    query, key, value = _in_one_dtype(query, key, value)
    output = _compiled_flex()(query, key, value, attention_mask, options.get("scaling"))
    return output.transpose(1, 2).contiguous(), None


def _in_one_dtype(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """What autocast does for the built-in attention and not for FlexAttention: rotary embeddings leave float32."""
    kind = tensors[0].device.type
    dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else tensors[-1].dtype
    return tuple(tensor.to(dtype) for tensor in tensors)


@cache
def _compiled_flex() -> Callable[..., torch.Tensor]:
    # A whole graph or an error: uncompiled, FlexAttention would write out every score of a long sequence. Lengths,
    # dtypes, and passes with and without gradients each count as a version of it, and the default limit is 8.
    torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, 64)
    return torch.compile(_flex, fullgraph=True)


def _flex(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: BlockMask, scale: float | None
) -> torch.Tensor:
    output = flex_attention(query, key, value, block_mask=mask, scale=scale)
    assert isinstance(output, torch.Tensor)
    return output
