"""What answers a prompt: `openai:`, `hf:`, `vllm:` or `scripted:`, each behind the same small protocol."""

from collections.abc import Callable

from setwise.errors import InputError
from setwise.models.protocol import Completion, Message, Model, Reply, Request, Sampling

__all__ = ["KINDS", "Completion", "Message", "Model", "Reply", "Request", "Sampling", "ask_function", "open_model"]

GREEDY = Sampling(temperature=0.0)
KINDS = ("openai", "hf", "vllm", "scripted")


def open_model(spec: str, *, at_once: int | None = None, cache_gb: float | None = None) -> Model:
    """A model by what a user wrote: `openai:MODEL[@URL]`, `hf:PATH`, `vllm:PATH` or `scripted:FILE`.

    `at_once` is how many completions are asked for together: requests in flight, or the size of a batch.
    `cache_gb` bounds the cache of `vllm:` on a GPU that is not its own.

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
    if cache_gb is None:
        return _OPENERS[kind](rest, at_once)
    if kind != "vllm" or not cache_gb > 0:
        raise InputError("the size of the cache is for vllm: models, in GB and above 0", value=cache_gb)
    return _vllm(rest, at_once, cache_gb)


def ask_function(model: Model, sampling: Sampling = GREEDY) -> Callable[[list[Message]], str]:
    """A plain `ask(messages) -> text`, which is what a judge is handed."""

    def ask(messages: list[Message]) -> str:
        [(_, answer)] = model.complete([Request(messages, sampling)])
        if isinstance(answer, Completion):
            return answer.text
        raise answer

    return ask


def _openai(rest: str, at_once: int | None) -> Model:
    from setwise.models.openai import openai_model

    return openai_model(rest, concurrency=at_once or 16)


def _hf(rest: str, at_once: int | None) -> Model:
    from setwise.models.huggingface import HuggingFaceModel

    return HuggingFaceModel(rest, batch_size=at_once or 16)


def _vllm(rest: str, at_once: int | None, cache_gb: float | None = None) -> Model:
    from setwise.models.vllm import VLLMModel

    return VLLMModel(rest, batch_size=at_once or 2048, cache_gb=cache_gb)


def _scripted(rest: str, at_once: int | None) -> Model:
    from setwise.models.scripted import read_script

    return read_script(rest)


_OPENERS = {"openai": _openai, "hf": _hf, "vllm": _vllm, "scripted": _scripted}
