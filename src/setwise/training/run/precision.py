"""Whether this machine can compute in the number format of a recipe."""

from importlib.util import find_spec

from setwise.errors import InputError


def require_precision(dtype: str) -> None:
    """Refuse a format that no GPU here supports. TRL would fail with a traceback or, for float16, silently."""
    if not can_compute_in(dtype):
        raise InputError(
            f"no GPU of this machine computes in {dtype}", place="model.dtype", remedy="set model.dtype=float32"
        )


def can_compute_in(dtype: str) -> bool:
    """Asks torch, which takes seconds to load and so is not asked about float32. True if torch is not installed."""
    if dtype == "float32" or find_spec("torch") is None or find_spec("transformers") is None:
        return True
    if dtype == "float16":
        import torch

        return torch.accelerator.is_available()
    from transformers.utils.import_utils import is_torch_bf16_gpu_available, is_torch_xla_available

    return is_torch_bf16_gpu_available() or is_torch_xla_available()
