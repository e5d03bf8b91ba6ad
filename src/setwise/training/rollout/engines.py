"""Where completions come from, in the engine's own words."""

from importlib.util import find_spec
from typing import Any

from setwise.errors import MissingDependency
from setwise.settings import Backend, GenerationSettings
from setwise.training.rollout.colocated_vllm import SAMPLING


def check_backend(backend: Backend) -> None:
    """Both vLLM modes need the package: the server's client is part of it."""
    if backend.startswith("vllm") and find_spec("vllm") is None:
        raise MissingDependency(f'generation.backend "{backend}"', package="vllm", extra="vllm")


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
