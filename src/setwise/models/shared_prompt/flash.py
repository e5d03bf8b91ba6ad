"""Flash kernels over sequences laid end to end."""

from dataclasses import dataclass

import torch

HALF = (torch.bfloat16, torch.float16)
LARGEST_HEAD = 256


def flash_takes(device: torch.device, dtype: torch.dtype, head_size: int) -> bool:
    """Whether there are kernels for this: half precision, Ampere or newer, a common head size."""
    if device.type != "cuda" or dtype not in HALF or head_size % 8 or head_size > LARGEST_HEAD:
        return False
    return torch.cuda.get_device_capability(device) >= (8, 0)


@dataclass(frozen=True, slots=True)
class SequenceBounds:
    """Sequences laid end to end, as the kernels take them: where queries and keys begin, and the longest of each."""

    queries: torch.Tensor
    keys: torch.Tensor
    longest_query: int
    longest_key: int
    causal: bool

    @property
    def arguments(self) -> tuple[torch.Tensor, torch.Tensor, int, int, float, bool]:
        """In the order that both kernels take, without dropout."""
        return self.queries, self.keys, self.longest_query, self.longest_key, 0.0, self.causal


def flash_forward(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, bounds: SequenceBounds, scale: float | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """The output, and the log-sum-exp as `[heads, tokens]`."""
    output, weight, *_ = torch.ops.aten._flash_attention_forward(
        query, key, value, *bounds.arguments, False, scale=scale
    )
    return output, weight


def autocast_dtype(device: torch.device, otherwise: torch.dtype) -> torch.dtype:
    """The dtype that matrix products run in here."""
    return torch.get_autocast_dtype(device.type) if torch.is_autocast_enabled(device.type) else otherwise
