"""The input and the output of a decoder."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One completion: its tokens, including the one that ended it, and their log-probabilities."""

    ids: list[int]
    log_probs: list[float]


@dataclass(frozen=True, slots=True)
class SampleLimits:
    """When completions end, besides at their end tokens, and how they may begin."""

    max_tokens: int
    ended: Callable[[Integers], NDArray[np.bool_]] | None = None
    """Whether each of some completions has ended, given its tokens so far."""
    first: torch.Tensor | None = None
    """The tokens that a completion may begin with."""
