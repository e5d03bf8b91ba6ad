"""One new token per sample reads its prompt. All samples of a prompt, with the heads that share a key, form one matrix.

Few prompts would leave most of a GPU idle, so each is read in several parts, which are joined where the sample's own
tokens are read.
"""

from typing import Any

import torch
import triton  # pyright: ignore[reportMissingImports]
import triton.language as tl  # pyright: ignore[reportMissingImports]

ROWS, KEYS = 64, 64
"""Of one program, and of one of its products."""
ENOUGH = 264
"""Programs that keep a large GPU busy."""
MOST_PARTS = 8
FEWEST_DIMENSIONS = 16
"""Of a matrix product."""


@triton.jit
def _read(
    query, keys, values, asking, ends, output, weight, scale,
    query_sample, query_head, key_token, samples,
    heads: tl.constexpr, shared_by: tl.constexpr, size: tl.constexpr, padded_size: tl.constexpr,
    rows: tl.constexpr, block: tl.constexpr, parts: tl.constexpr,
):  # fmt: skip
    prompt, head, part = tl.program_id(1) // heads, tl.program_id(1) % heads, tl.program_id(2)
    first = tl.load(asking + prompt)
    count = (tl.load(asking + prompt + 1) - first) * shared_by
    row = tl.program_id(0) * rows + tl.arange(0, rows)
    if tl.program_id(0) * rows < count:
        place = tl.arange(0, padded_size)
        is_row, is_place = row < count, place < size
        sample, asked = (first + row // shared_by).to(tl.int64), head * shared_by + row % shared_by
        both = is_row[:, None] & is_place[None, :]
        q = tl.load(
            query + sample[:, None] * query_sample + asked[:, None] * query_head + place[None, :], mask=both, other=0.0
        ).to(keys.dtype.element_ty)
        start, end = tl.load(ends + prompt), tl.load(ends + prompt + 1)
        length = tl.cdiv(tl.cdiv(end - start, parts), block) * block
        low = start + part * length
        high = tl.minimum(low + length, end)
        top = tl.full((rows,), float("-inf"), tl.float32)
        total = tl.zeros((rows,), tl.float32)
        found = tl.zeros((rows, padded_size), tl.float32)
        for begin in range(low, high, block):
            token = begin + tl.arange(0, block)
            there = (token < high)[:, None] & is_place[None, :]
            at = token.to(tl.int64)[:, None] * key_token + head * size + place[None, :]
            k = tl.load(keys + at, mask=there, other=0.0)
            v = tl.load(values + at, mask=there, other=0.0)
            seen = tl.where((token < high)[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
            higher = tl.maximum(top, tl.max(seen, 1))
            share, fade = tl.exp(seen - higher[:, None]), tl.exp(top - higher)
            total = total * fade + tl.sum(share, 1)
            found = found * fade[:, None] + tl.dot(share.to(v.dtype), v)
            top = higher
        out = (part * samples + sample) * heads * shared_by + asked
        # A part without tokens weighs nothing.
        found = found / tl.where(total > 0, total, 1.0)[:, None]
        tl.store(output + out[:, None] * size + place[None, :], found, mask=both)
        tl.store(weight + out, top + tl.log(total), mask=is_row)


def read_prompts(
    query: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    bounds: tuple[torch.Tensor, torch.Tensor, int],
    scale: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """What each token reads in each part of its prompt, `[parts, samples, heads, size]`, and its log-sum-exp.

    `query` is `[samples, heads, size]`, keys and values `[tokens, key heads, size]`. `bounds` says where each prompt's
    samples and tokens begin, and how many samples of one prompt there may be.
    """
    samples, heads, size = query.shape
    asking, ends, longest = bounds
    key_heads = keys.shape[1]
    tiles = triton.cdiv(longest * heads // key_heads, ROWS)
    blocks = (len(ends) - 1) * key_heads
    parts = min(MOST_PARTS, triton.next_power_of_2(triton.cdiv(ENOUGH, tiles * blocks)))
    output = torch.empty(parts, samples, heads, size, device=query.device)
    weight = torch.empty(parts, samples, heads, device=query.device)
    kernel: Any = _read
    kernel[tiles, blocks, parts](
        query, keys, values, asking, ends, output, weight, scale,
        query.stride(0), query.stride(1), keys.stride(0), samples,
        heads=key_heads, shared_by=heads // key_heads, size=size,
        padded_size=max(FEWEST_DIMENSIONS, triton.next_power_of_2(size)), rows=ROWS, block=KEYS, parts=parts,
    )  # fmt: skip
    return output, weight
