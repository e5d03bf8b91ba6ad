"""Attention over packed sequences by flash kernels: each token's own stretch, the shared prompt, and the two joined.

A completion's token sees its prompt and its own completion up to itself. Neither part needs a mask: the own stretches
are causal sequences side by side, and all completions of a prompt read it as one long block of queries. A softmax over
both is the two results weighted by their log-sum-exps. The backward pass of a flash kernel needs only the final output
and the final log-sum-exp, so it runs on each part with those of the whole, and the gradients add up.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from setwise.training.shared_prompt_packing import Segments

HALF = (torch.bfloat16, torch.float16)
LARGEST_HEAD = 256


def flash_takes(device: torch.device, dtype: torch.dtype, head_size: int) -> bool:
    """Whether there are kernels for this: half precision, Ampere or newer, heads of a usual size."""
    if device.type != "cuda" or dtype not in HALF or head_size % 8 or head_size > LARGEST_HEAD:
        return False
    return torch.cuda.get_device_capability(device) >= (8, 0)


@dataclass(frozen=True, slots=True)
class Spans:
    """Sequences laid end to end, in the words of the kernels: where queries and keys begin, and the longest of each."""

    queries: torch.Tensor
    keys: torch.Tensor
    longest_query: int
    longest_key: int
    causal: bool

    @property
    def arguments(self) -> tuple[torch.Tensor, torch.Tensor, int, int, float, bool]:
        """In the order of both kernels, with no dropout."""
        return self.queries, self.keys, self.longest_query, self.longest_key, 0.0, self.causal


@dataclass(frozen=True, slots=True)
class Stretches:
    """One packed sequence as the kernels take it."""

    own: Spans
    shared: Spans | None
    """None where no completion has a prompt before it."""
    asking: torch.Tensor
    """The tokens that see a shared stretch, ..."""
    prompts: torch.Tensor
    """... and the tokens of those stretches."""


def read_stretches(segments: Segments, device: torch.device) -> Stretches:
    """Made on the CPU and sent over once per sequence."""
    lengths = segments.end - segments.start
    asks = segments.shared_end > segments.shared_start
    shared_start, place, bundle = np.unique(segments.shared_start[asks], return_index=True, return_inverse=True)
    shared_end = segments.shared_end[asks][place]

    def sent(values: NDArray[Any], dtype: torch.dtype) -> torch.Tensor:
        return torch.from_numpy(values).to(device, dtype, non_blocking=True)

    def spans(queries: NDArray[Any], keys: NDArray[Any], causal: bool) -> Spans:
        bounds = [sent(np.cumsum([0, *side]), torch.int32) for side in (queries, keys)]
        return Spans(bounds[0], bounds[1], int(queries.max()), int(keys.max()), causal)

    own = spans(lengths, lengths, causal=True)
    asking = sent(np.flatnonzero(np.repeat(asks, lengths)), torch.int64)
    if not len(place):
        return Stretches(own, None, asking, asking)
    asked = np.bincount(bundle, weights=lengths[asks]).astype(np.int64)
    prompts = np.concatenate([np.arange(start, end) for start, end in zip(shared_start, shared_end, strict=True)])
    return Stretches(own, spans(asked, shared_end - shared_start, causal=False), asking, sent(prompts, torch.int64))


def attend_by_flash(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, stretches: Stretches, scale: float | None
) -> torch.Tensor:
    """`[tokens, heads, size]` each, in half precision; keys and values may have fewer heads."""
    output: Any = _SharedPromptAttention.apply(query, key, value, stretches, scale)
    return output


class _SharedPromptAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, stretches: Stretches, scale: float | None
    ) -> torch.Tensor:
        output, weight = flash_forward(query, key, value, stretches.own, scale)
        if stretches.shared is not None:
            queries, keys, values = query[stretches.asking], key[stretches.prompts], value[stretches.prompts]
            other, other_weight = flash_forward(queries, keys, values, stretches.shared, scale)
            own_weight = weight[:, stretches.asking]
            joined = torch.logaddexp(own_weight, other_weight)
            share = (other_weight - joined).exp().T[:, :, None]
            own = output[stretches.asking]
            output.index_copy_(0, stretches.asking, torch.lerp(own.to(share), other.to(share), share).to(own))
            weight.index_copy_(1, stretches.asking, joined)
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
            asking, prompts = stretches.asking, stretches.prompts
            others = flash_backward(
                gradient[asking],
                query[asking],
                key[prompts],
                value[prompts],
                output[asking],
                weight[:, asking].contiguous(),
                stretches.shared,
                scale,
            )
            for whole, part, tokens in zip(found, others, (asking, prompts, prompts), strict=True):
                whole.index_copy_(0, tokens, whole[tokens] + part)
        return *found, None, None


def flash_forward(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, spans: Spans, scale: float | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output, and log-sum-exp as `[heads, tokens]`."""
    output, weight, *_ = torch.ops.aten._flash_attention_forward(
        query, key, value, *spans.arguments, False, scale=scale
    )
    return output, weight


def flash_backward(
    gradient: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    output: torch.Tensor,
    weight: torch.Tensor,
    spans: Spans,
    scale: float | None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of query, key and value."""
    no_dropout = torch.zeros(2, dtype=torch.uint64, device=query.device)
    return torch.ops.aten._flash_attention_backward(
        gradient,
        query,
        key,
        value,
        output,
        weight,
        *spans.arguments,
        no_dropout,
        torch.empty(0, dtype=torch.uint64, device=query.device),
        scale=scale,
    )
