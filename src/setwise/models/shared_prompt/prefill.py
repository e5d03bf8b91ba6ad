"""Runs prompts once: their keys and values, and the logits of what comes next."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from transformers import DynamicCache

TOKENS_AT_ONCE = 16_384
"""Tokens of prompts that run together."""


class ReadPrompts(NamedTuple):
    layers: list[tuple[torch.Tensor, torch.Tensor]]
    """Keys and values of each layer: (prompts, heads, tokens, size), with shorter prompts padded on the left."""
    seen: torch.Tensor
    """The tokens that are not padding."""
    logits: torch.Tensor
    """Logits of the token after each prompt."""


def read_prompts(model: Any, prompts: Sequence[Sequence[int]]) -> ReadPrompts:
    width = max(map(len, prompts))
    at_once = max(1, TOKENS_AT_ONCE // width)
    parts = [_read(model, prompts[start : start + at_once], width) for start in range(0, len(prompts), at_once)]
    layers = [
        (torch.cat([key for key, _ in same]), torch.cat([value for _, value in same]))
        for same in zip(*(part.layers for part in parts), strict=True)
    ]
    return ReadPrompts(layers, torch.cat([part.seen for part in parts]), torch.cat([part.logits for part in parts]))


def _read(model: Any, prompts: Sequence[Sequence[int]], width: int) -> ReadPrompts:
    padding = [width - len(prompt) for prompt in prompts]
    ids = torch.tensor([[0] * missing + list(prompt) for missing, prompt in zip(padding, prompts, strict=True)])
    positions = torch.arange(width) - torch.tensor(padding)[:, None]
    seen = (positions >= 0).to(model.device)
    cache: Any = DynamicCache()
    output = model(
        input_ids=ids.to(model.device),
        attention_mask=seen.long(),
        position_ids=positions.clamp(min=0).to(model.device),
        past_key_values=cache,
        use_cache=True,
        logits_to_keep=1,
    )
    return ReadPrompts([(layer.keys, layer.values) for layer in cache.layers], seen, output.logits[:, -1])
