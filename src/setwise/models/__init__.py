"""Models that answer prompts: `openai:`, `hf:`, `vllm:` or `scripted:`, all with the same small protocol."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from setwise.errors import InputError
from setwise.home import at_home
from setwise.models.protocol import Completion, Message, Model, Reply, Request, Sampling

__all__ = [
    "KINDS",
    "Completion",
    "Message",
    "Model",
    "Reply",
    "Request",
    "Sampling",
    "ask_function",
    "folder_of",
    "is_served",
    "open_model",
]

GREEDY = Sampling(temperature=0.0)
KINDS = ("openai", "hf", "vllm", "scripted")


def open_model(
    spec: str, *, at_once: int | None = None, cache_gb: float | None = None, timeout_seconds: float | None = None
) -> Model:
    """A model by its spec: `openai:MODEL[@URL]`, `hf:PATH`, `vllm:PATH` or `scripted:FILE`.

    `at_once` is the number of completions asked for together: requests in flight, or the batch size. `cache_gb` bounds
    the cache of `vllm:` on a GPU that other programs use too. `timeout_seconds` is a server's time limit for one
    completion.

    >>> open_model("openai:qwen@http://localhost:8000/v1").name
    'openai:qwen@http://localhost:8000/v1'
    """
    kind, _, rest = spec.partition(":")
    if kind not in KINDS or not rest:
        raise InputError(
            f"a model is one of {', '.join(f'{each}:...' for each in KINDS)}",
            value=spec,
            remedy="for example openai:MODEL@http://localhost:8000/v1 or hf:PATH",
        )
    if at_once is not None and at_once < 1:
        raise InputError("at least 1 completion must be asked for at once", value=at_once)
    if cache_gb is not None and (kind != "vllm" or not cache_gb > 0):
        raise InputError("the size of the cache is for vllm: models, in GB and above 0", value=cache_gb)
    if timeout_seconds is not None and not is_served(spec):
        raise InputError("a timeout is for openai: models", place=spec, value=timeout_seconds)
    return _OPENERS[kind](rest, _Choices(at_once, cache_gb, timeout_seconds))


def is_served(spec: str) -> bool:
    """Whether a model is behind a server, rather than in this process."""
    return spec.startswith("openai:")


def folder_of(spec: str) -> str:
    """Where a model's manifest would be: its path, or the name a server gives it, which for vLLM is the folder by
    default.

    >>> folder_of("hf:runs/a/model"), folder_of("openai:runs/a/model@http://localhost:8000/v1")
    ('runs/a/model', 'runs/a/model')
    """
    from setwise.models.openai import split_spec

    rest = spec.partition(":")[2]
    return str(Path(at_home(split_spec(rest)[0] if is_served(spec) else rest))) if rest else ""


def ask_function(model: Model, sampling: Sampling = GREEDY) -> Callable[[list[Message]], str]:
    """A plain `ask(messages) -> text` function, as a judge takes."""

    def ask(messages: list[Message]) -> str:
        [(_, answer)] = model.complete([Request(messages, sampling)])
        if isinstance(answer, Completion):
            return answer.text
        raise answer

    return ask


@dataclass(frozen=True, slots=True)
class _Choices:
    """What may be chosen about a model; None keeps the default."""

    at_once: int | None
    cache_gb: float | None
    timeout_seconds: float | None


def _openai(rest: str, chosen: _Choices) -> Model:
    from setwise.models.http_exchange import TIMEOUT_SECONDS
    from setwise.models.openai import openai_model

    seconds = TIMEOUT_SECONDS if chosen.timeout_seconds is None else chosen.timeout_seconds
    return openai_model(rest, concurrency=chosen.at_once or 16, timeout_seconds=seconds)


def _hf(rest: str, chosen: _Choices) -> Model:
    from setwise.models.huggingface import HuggingFaceModel

    return HuggingFaceModel(_found(rest, "hf"), at_once=chosen.at_once)


def _vllm(rest: str, chosen: _Choices) -> Model:
    from setwise.models.vllm import VLLMModel

    return VLLMModel(_found(rest, "vllm"), batch_size=chosen.at_once or 2048, cache_gb=chosen.cache_gb)


def _scripted(rest: str, chosen: _Choices) -> Model:
    from setwise.models.scripted import read_script

    return read_script(at_home(rest))


def _found(path: str, kind: str) -> str:
    from setwise.models.model_path import require_model

    require_model(path, f"{kind}:{path}")
    return at_home(path)


_OPENERS = {"openai": _openai, "hf": _hf, "vllm": _vllm, "scripted": _scripted}
