"""Flash kernels over sequences that lie end to end."""

from dataclasses import dataclass

import torch

HALF = (torch.bfloat16, torch.float16)
LARGEST_HEAD = 256


def flash_takes(device: torch.device, dtype: torch.dtype, head_size: int) -> bool:
    """Whether there are kernels for this: half precision, Ampere or newer, heads of a usual size."""
    if device.type != "cuda" or dtype not in HALF or head_size % 8 or head_size > LARGEST_HEAD:
        return False
    return torch.cuda.get_device_capability(device) >= (8, 0)


@dataclass(frozen=True, slots=True)
class SequenceBounds:
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


def flash_forward(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, bounds: SequenceBounds, scale: float | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output, and log-sum-exp as `[heads, tokens]`."""
    output, weight, *_ = torch.ops.aten._flash_attention_forward(
        query, key, value, *bounds.arguments, False, scale=scale
    )
    return output, weight


def join(output: torch.Tensor, weight: torch.Tensor, other: torch.Tensor, other_weight: torch.Tensor) -> None:
    """Into the first two: the softmax over what either saw. Rounded once, at the end."""
    joined = torch.logaddexp(weight, other_weight)
    share, rest = ((each - joined).exp().T.unsqueeze(-1) for each in (other_weight, weight))
    torch.addcmul(other * share, output, rest, out=output)
    weight.copy_(joined)


def in_one_dtype(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """What autocast does for the built-in attention alone: rotary embeddings leave float32."""
    dtype = autocast_dtype(tensors[0].device, otherwise=tensors[-1].dtype)
    return tuple(tensor.to(dtype) for tensor in tensors)


def autocast_dtype(device: torch.device, otherwise: torch.dtype) -> torch.dtype:
    """What matrix products run in here."""
    return torch.get_autocast_dtype(device.type) if torch.is_autocast_enabled(device.type) else otherwise
