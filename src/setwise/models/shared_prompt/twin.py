"""The model that decodes: the trained one, with the inputs of matrix products already in half precision.

Under autocast, float32 weights are rounded for every product, which in decoding means for every token. The twin stores
them rounded and shares everything else with the model: norms, buffers in half precision, and so the arithmetic.
"""

from copy import deepcopy
from typing import Any

import torch

from setwise.models.shared_prompt.attention import install
from setwise.models.shared_prompt.flash import autocast_dtype

ROUNDED = (torch.nn.Linear, torch.nn.Embedding)


class Twin:
    """The twin of a model under the autocast that is on when it is made."""

    def __init__(self, model: Any) -> None:
        dtype = autocast_dtype(model.device, otherwise=model.dtype)
        layers = [layer for layer in model.modules() if isinstance(layer, ROUNDED)]
        wide = {id(own): own for layer in layers for own in layer.parameters(recurse=False) if own.dtype != dtype}
        rounded = {key: torch.nn.Parameter(own.detach().to(dtype), requires_grad=False) for key, own in wide.items()}
        self._from, self._to = [own.detach() for own in wide.values()], [own.detach() for own in rounded.values()]
        shared: dict[int, Any] = {id(own): own for own in model.parameters()}
        self.model: Any = deepcopy(model, shared | rounded).eval()
        # A trainer may have wrapped it to return logits in float32.
        vars(self.model).pop("forward", None)
        if id(model.get_input_embeddings().weight) in wide:
            # As in training, the residual stream through the layers is in float32.
            self.model.get_input_embeddings().register_forward_hook(lambda _module, _ids, output: output.float())
        install(self.model)

    def refresh(self) -> None:
        """Round the current weights."""
        for rounded, wide in zip(self._to, self._from, strict=True):
            rounded.copy_(wide)
