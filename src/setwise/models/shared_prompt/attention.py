"""Lets a model attend in a custom way when a call asks for it.

`install` adds an attention that looks for a `Sight` among its arguments and passes every other call to the original.
The sight has to travel with the call, because gradient checkpointing runs layers again during the backward pass.
"""

from typing import Any, Protocol

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from setwise.models.shared_prompt.support import ATTENTION


class Sight(Protocol):
    """Which tokens see which in one call."""

    def attend(
        self, module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
    ) -> tuple[torch.Tensor, None]:
        """With the signature that transformers uses for attention functions."""
        ...


def install(model: Any) -> None:
    """Let a model that runs on `sdpa` also attend by sight."""
    # A sight is held in tensors that change from call to call, so there is nothing to compile.
    AttentionInterface.register(ATTENTION, torch.compiler.disable(attend))
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.config._attn_implementation = ATTENTION


def attention_arguments(sight: Sight, device: torch.device) -> dict[str, Any]:
    """The arguments that pass a sight to the model.

    A four-dimensional mask is used as it is. Without one, the model would build its own for all pairs of tokens.
    """
    return {"attention_mask": torch.ones(1, 1, 1, 1, dtype=torch.bool, device=device), "sight": sight}


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
    if sight is None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, **options)
    return sight.attend(module, query, key, value, **options)
