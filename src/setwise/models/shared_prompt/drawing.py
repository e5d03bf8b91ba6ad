"""Draws one token from each row of logits."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class TokenDrawing:
    """The same meaning as in transformers and vLLM: temperature first, then `top_k`, then `top_p`."""

    temperature: float = 1.0
    """0 takes the likeliest token."""
    top_p: float = 1.0
    top_k: int = 0
    """0 keeps every token."""

    def __call__(self, logits: torch.Tensor, seed: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """The tokens, and the log-probability of each at this temperature, before any cut-off.

        This is what a trainer computes for the same tokens. With a `seed` on a GPU and no cut-off, our own kernel
        draws.
        """
        if seed is not None and logits.is_cuda and self.temperature and self.top_p == 1 and not self.top_k:
            from setwise.models.shared_prompt.kernels.draw import draw

            return draw(logits, self.temperature, seed)
        logits = logits.float() if self.temperature in (0, 1) else logits.float() / self.temperature
        tokens = self._likeliest(logits) if self.temperature == 0 else self._drawn(logits)
        return tokens, logits.gather(1, tokens[:, None])[:, 0] - logits.logsumexp(-1)

    def _likeliest(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.argmax(-1)

    def _drawn(self, logits: torch.Tensor) -> torch.Tensor:
        if 0 < self.top_k < logits.shape[-1]:
            least = logits.topk(self.top_k, -1).values[:, -1:]
            logits = logits.masked_fill(logits < least, float("-inf"))
        if self.top_p < 1:
            logits = _within(logits, self.top_p)
        # The largest of logits plus Gumbel noise is a draw from their softmax, without a sum that may round to 0 or 1.
        return (logits - torch.empty_like(logits).exponential_().log_()).argmax(-1)


def _within(logits: torch.Tensor, share: float) -> torch.Tensor:
    """The likeliest tokens that together have at least this share. The likeliest one always stays."""
    ascending, order = logits.sort(-1)
    cut = ascending.softmax(-1).cumsum(-1) <= 1 - share
    cut[:, -1] = False
    return logits.masked_fill(cut.scatter(1, order, cut), float("-inf"))
