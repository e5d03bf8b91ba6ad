"""Attention over packed sequences with flash kernels: each token's own segment, the shared prompt, and the two joined.

A completion's token sees its prompt and its own completion up to itself. Neither part needs a mask: the own segments
are causal sequences side by side, and the completions of a prompt read it as blocks of queries. A softmax over both is
the two results weighted by their log-sum-exps. The backward pass of a flash kernel needs only the final output and the
final log-sum-exp, so it runs on each part with those of the whole, and the gradients add up.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from setwise.models.shared_prompt.flash import SequenceBounds, flash_forward
from setwise.training.shared_prompt.packs import Segments

LARGEST_PIECE = 2_048
"""Queries that read a prompt at once. The backward kernel runs blocks of keys in parallel and goes through all of their
queries one by one: a short prompt with a long block of queries would leave most of a GPU idle."""
MOST_READ = 16_384
"""Tokens of one prompt, over all pieces that read it. A long prompt has enough blocks by itself."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """One packed sequence in the form that the kernels take."""

    own: SequenceBounds
    shared: SequenceBounds | None
    """None if no completion has a prompt before it."""
    prompts: int
    """Tokens before this one belong to prompts."""
    asking: int
    """Tokens from this one on read a prompt."""
    read: torch.Tensor
    """What they read: the tokens of a prompt, once for each piece of the block that reads it."""


def read_stretches(segments: Segments, device: torch.device) -> Stretches:
    """Built on the CPU and sent to the GPU once per sequence."""
    lengths = segments.end - segments.start
    asks = segments.shared_end > segments.shared_start
    starts, first, bundle = np.unique(segments.shared_start[asks], return_index=True, return_inverse=True)
    ends = segments.shared_end[asks][first]

    def sent(values: NDArray[Any], dtype: torch.dtype) -> torch.Tensor:
        return torch.from_numpy(values).to(device, dtype, non_blocking=True)

    def bounds(queries: NDArray[Any], keys: NDArray[Any], causal: bool) -> SequenceBounds:
        ends = [sent(np.cumsum([0, *side]), torch.int32) for side in (queries, keys)]
        return SequenceBounds(ends[0], ends[1], int(queries.max()), int(keys.max()), causal)

    own = bounds(lengths, lengths, causal=True)
    if not len(starts):
        return Stretches(own, None, 0, segments.tokens, sent(starts, torch.int64))
    blocks = np.bincount(bundle, weights=lengths[asks]).astype(np.int64)
    pieces = np.minimum(-(-blocks // LARGEST_PIECE), np.maximum(1, MOST_READ // (ends - starts)))
    prompt_of_piece = np.repeat(np.arange(len(blocks)), pieces)
    asked = np.concatenate([_even_parts(block, count) for block, count in zip(blocks, pieces, strict=True)])
    read = np.concatenate([np.arange(starts[prompt], ends[prompt]) for prompt in prompt_of_piece])
    shared = bounds(asked, (ends - starts)[prompt_of_piece], causal=False)
    return Stretches(own, shared, int(ends[-1]), int(segments.start[asks][0]), sent(read, torch.int64))


def _even_parts(total: int, count: int) -> NDArray[np.int64]:
    return np.diff(total * np.arange(count + 1) // count)


def attend_by_flash(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, stretches: Stretches, scale: float | None
) -> torch.Tensor:
    """`[tokens, heads, size]` each, in half precision. Keys and values may have fewer heads."""
    output: Any = _SharedPromptAttention.apply(query, key, value, stretches, scale)
    return output


class _SharedPromptAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, stretches: Stretches, scale: float | None
    ) -> torch.Tensor:
        output, weight = flash_forward(query, key, value, stretches.own, scale)
        if stretches.shared is not None:
            asking, read = slice(stretches.asking, None), stretches.read
            other, other_weight = flash_forward(query[asking], key[read], value[read], stretches.shared, scale)
            _join(output[asking], weight[:, asking], other, other_weight)
        ctx.save_for_backward(query, key, value, output, weight)
        ctx.stretches, ctx.scale = stretches, scale
        return output

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        query, key, value, output, weight = ctx.saved_tensors
        stretches, scale = ctx.stretches, ctx.scale
        gradient = gradients[0].contiguous()
        found = flash_backward(gradient, query, key, value, output, weight, stretches.own, scale)
        if stretches.shared is not None:
            asking, read = slice(stretches.asking, None), stretches.read
            others = flash_backward(
                gradient[asking],
                query[asking],
                key[read],
                value[read],
                output[asking],
                weight[:, asking].contiguous(),
                stretches.shared,
                scale,
            )
            found[0][asking] += others[0]
            for whole, part in zip(found[1:], others[1:], strict=True):
                _add(whole[: stretches.prompts], read, part)
        return *found, None, None


def _join(output: torch.Tensor, weight: torch.Tensor, other: torch.Tensor, other_weight: torch.Tensor) -> None:
    """Write the softmax over both parts into the first two arguments. Rounded once, at the end."""
    joined = torch.logaddexp(weight, other_weight)
    share, rest = ((each - joined).exp().T.unsqueeze(-1) for each in (other_weight, weight))
    torch.addcmul(other * share, output, rest, out=output)
    weight.copy_(joined)


def _add(whole: torch.Tensor, tokens: torch.Tensor, part: torch.Tensor) -> None:
    """Add `part` to the tokens it belongs to, in float32, because a prompt's token may occur many times."""
    precise = torch.promote_types(part.dtype, torch.float32)
    sums = torch.zeros(whole.shape, dtype=precise, device=whole.device)
    whole += sums.index_add_(0, tokens, part.to(precise))


def flash_backward(
    gradient: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    output: torch.Tensor,
    weight: torch.Tensor,
    bounds: SequenceBounds,
    scale: float | None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Gradients of query, key and value."""
    no_dropout = torch.zeros(2, dtype=torch.uint64, device=query.device)
    return torch.ops.aten._flash_attention_backward(
        gradient,
        query,
        key,
        value,
        output,
        weight,
        *bounds.arguments,
        no_dropout,
        torch.empty(0, dtype=torch.uint64, device=query.device),
        scale=scale,
    )
