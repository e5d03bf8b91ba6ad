"""One new token per sample: stores its key and value, reads what its sample wrote, and joins in what it read of the
prompt.
"""

from typing import Any

import torch
import triton  # pyright: ignore[reportMissingImports]
import triton.language as tl  # pyright: ignore[reportMissingImports]

BLOCK = 64
"""Own tokens read at a time."""
FEWEST_ROWS = 16
"""Fewest rows of a matrix product."""


@triton.jit
def _attend(
    query, key, value, own_key, own_value, shared, weight, output, length, scale,
    query_sample, query_head, key_sample, key_head, value_sample, value_head, own_sample, own_token, samples,
    heads: tl.constexpr, rows: tl.constexpr, padded_rows: tl.constexpr, size: tl.constexpr,
    padded_size: tl.constexpr, block: tl.constexpr, parts: tl.constexpr,
):  # fmt: skip
    sample, head = tl.program_id(0).to(tl.int64), tl.program_id(1)
    row, place = tl.arange(0, padded_rows), tl.arange(0, padded_size)
    is_row, is_place = row < rows, place < size
    both = is_row[:, None] & is_place[None, :]
    kind = own_key.dtype.element_ty
    asked = head * rows + row
    q = tl.load(query + sample * query_sample + asked[:, None] * query_head + place[None, :], mask=both, other=0.0)
    q = q.to(kind)
    new_key = tl.load(key + sample * key_sample + head * key_head + place, mask=is_place, other=0.0).to(kind)
    new_value = tl.load(value + sample * value_sample + head * value_head + place, mask=is_place, other=0.0).to(kind)
    written = tl.load(length).to(tl.int32)
    own_key += sample * own_sample + head * size
    own_value += sample * own_sample + head * size
    tl.store(own_key + written * own_token + place, new_key, mask=is_place)
    tl.store(own_value + written * own_token + place, new_value, mask=is_place)

    # The token itself, then what was written before it.
    top = tl.sum(q.to(tl.float32) * new_key.to(tl.float32)[None, :], 1) * scale
    total = tl.full((padded_rows,), 1.0, tl.float32)
    found = tl.zeros((padded_rows, padded_size), tl.float32) + new_value.to(tl.float32)[None, :]
    for start in range(0, written, block):
        token = start + tl.arange(0, block)
        there = (token < written)[:, None] & is_place[None, :]
        keys = tl.load(own_key + token[:, None] * own_token + place[None, :], mask=there, other=0.0)
        values = tl.load(own_value + token[:, None] * own_token + place[None, :], mask=there, other=0.0)
        seen = tl.dot(q, tl.trans(keys)) * scale
        seen = tl.where((token < written)[None, :], seen, float("-inf"))
        higher = tl.maximum(top, tl.max(seen, 1))
        share = tl.exp(seen - higher[:, None])
        fade = tl.exp(top - higher)
        total = total * fade + tl.sum(share, 1)
        found = found * fade[:, None] + tl.dot(share.to(kind), values)
        top = higher

    out = sample * heads * rows + asked
    for part in tl.static_range(parts):
        of_prompt = part * samples * heads * rows + out
        prompt = tl.load(shared + of_prompt[:, None] * size + place[None, :], mask=both, other=0.0)
        prompt_weight = tl.load(weight + of_prompt, mask=is_row, other=0.0)
        higher = tl.maximum(top, prompt_weight)
        fade, share = tl.exp(top - higher), tl.exp(prompt_weight - higher)
        found = found * fade[:, None] + prompt * share[:, None]
        total = total * fade + share
        top = higher
    found = found / total[:, None]
    tl.store(output + out[:, None] * size + place[None, :], found.to(kind), mask=both)


def attend_own(
    query: torch.Tensor,
    new: tuple[torch.Tensor, torch.Tensor],
    own: torch.Tensor,
    length: torch.Tensor,
    prompt: tuple[torch.Tensor, torch.Tensor],
    scale: float,
) -> torch.Tensor:
    """`[samples, heads, size]`: everything that a token reads.

    `query` has the same shape. `new` has the token's key and value, `[samples, key heads, size]`. `own` is `[2,
    samples, room, key heads, size]` and receives them at `length`. `prompt` is what the query read of each part of the
    prompt, with the log-sum-exp of each.
    """
    samples, heads, size = query.shape
    key, value = new
    shared, weight = prompt
    key_heads = key.shape[1]
    rows = heads // key_heads
    output = torch.empty(samples, heads, size, dtype=own.dtype, device=own.device)
    kernel: Any = _attend
    kernel[samples, key_heads](
        query, key, value, own[0], own[1], shared, weight, output, length, scale,
        query.stride(0), query.stride(1), key.stride(0), key.stride(1), value.stride(0), value.stride(1),
        own.stride(1), own.stride(2), samples,
        heads=key_heads, rows=rows, padded_rows=max(FEWEST_ROWS, triton.next_power_of_2(rows)),
        size=size, padded_size=max(FEWEST_ROWS, triton.next_power_of_2(size)), block=BLOCK, parts=len(shared),
        num_warps=2,
    )  # fmt: skip
    return output
