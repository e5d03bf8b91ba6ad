"""What a model is given to attend by: its own attention, unless a call brings another.

`install` gives it one that looks for a `Sight` among its arguments and hands every other call to where it went before.
The sight has to travel with the call: gradient checkpointing runs layers a second time during the backward pass.
"""

from typing import Any, Protocol

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from setwise.models.shared_prompt.support import ATTENTION


class Sight(Protocol):
    """Who sees whom in one call."""

    def attend(
        self, module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
    ) -> tuple[torch.Tensor, None]:
        """In the form in which transformers calls an attention."""
        ...


def install(model: Any) -> None:
    """Let a model that runs on `sdpa` attend by sight as well."""
    # What a sight is told lies in tensors that change from call to call: nothing to compile.
    AttentionInterface.register(ATTENTION, torch.compiler.disable(attend))
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.config._attn_implementation = ATTENTION


def attention_arguments(sight: Sight, device: torch.device) -> dict[str, Any]:
    """How a model is told of it.

    A mask of four dimensions is taken as it is; without one, the model would build its own for all pairs of tokens.
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
