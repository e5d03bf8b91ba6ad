"""Which optional packages a choice of one word needs, checked before anything is loaded."""

from importlib.util import find_spec
from typing import Any

from setwise.errors import MissingDependency
from setwise.training.rollout_settings import SAMPLING
from setwise.training.settings import Backend, GenerationSettings, Tracker

TRAINING_PACKAGES = ("torch", "transformers", "trl", "accelerate", "datasets")


def check_training_packages() -> None:
    for package in TRAINING_PACKAGES:
        if find_spec(package) is None:
            raise MissingDependency("training", package=package, extra="train")


def check_backend(backend: Backend) -> None:
    """Both vLLM modes need the package: the server's client is part of it."""
    if backend != "transformers" and find_spec("vllm") is None:
        raise MissingDependency(f'generation.backend "{backend}"', package="vllm", extra="vllm")


def check_tracker(tracker: Tracker) -> None:
    if tracker != "none" and find_spec(tracker) is None:
        raise MissingDependency(f'run.tracker "{tracker}"', package=tracker, extra="track")


def backend_arguments(generation: GenerationSettings) -> dict[str, Any]:
    """The engine's own words for where completions come from."""
    if generation.backend == "transformers":
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
