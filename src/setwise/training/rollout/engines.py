"""Translates the backend settings into TRL's arguments."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from setwise.errors import InputError, MissingDependency
from setwise.settings import Backend, GenerationSettings
from setwise.training.rollout.colocated_vllm import SAMPLING


def check_backend(backend: Backend) -> None:
    """Both vLLM modes need the package, since it contains the server's client."""
    if backend.startswith("vllm") and find_spec("vllm") is None:
        raise MissingDependency(f'generation.backend "{backend}"', package="vllm", extra="vllm")


@contextmanager
def loading_engine(backend: Backend) -> Iterator[None]:
    """TRL loads vLLM wherever it is installed, which takes longer than everything else. Load it only where it is
    used."""
    from trl import import_utils

    loaded = sys.modules.get("trl.generation.vllm_generation")
    if backend.startswith("vllm"):
        if loaded is not None and not hasattr(loaded, "LLM"):
            raise InputError(
                "this process has begun to train without vLLM",
                place="generation.backend",
                value=backend,
                remedy="train in another process",
            )
        yield
        return
    asked = import_utils.is_vllm_available
    import_utils.is_vllm_available = lambda min_version=None: False
    try:
        yield
    finally:
        import_utils.is_vllm_available = asked


def backend_arguments(generation: GenerationSettings) -> dict[str, Any]:
    if generation.backend in ("auto", "shared", "transformers"):
        return {"use_vllm": False}
    if generation.backend == "vllm-server":
        return {"use_vllm": True, "vllm_mode": "server", "vllm_server_base_url": generation.server_url}
    return {
        "use_vllm": True,
        "vllm_mode": "colocate",
        "vllm_gpu_memory_utilization": generation.vllm_memory_share,
        "vllm_tensor_parallel_size": generation.vllm_tensor_parallel,
        "vllm_enable_sleep_mode": generation.vllm_sleeps,
        "generation_kwargs": dict(SAMPLING),
    }
