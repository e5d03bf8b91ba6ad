"""What a decoder is asked for, and what it gives."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One completion: its tokens, the one that ended it included, and their log-probabilities."""

    ids: list[int]
    log_probs: list[float]


@dataclass(frozen=True, slots=True)
class SampleLimits:
    """Where completions end, beside their end tokens, and how they may begin."""

    max_tokens: int
    ended: Callable[[Integers], NDArray[np.bool_]] | None = None
    """Whether each of some completions has ended, by its tokens so far."""
    first: torch.Tensor | None = None
    """Which tokens a completion may begin with."""
