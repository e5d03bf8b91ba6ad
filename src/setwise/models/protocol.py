"""What a model is: requests in, completions out, in the order they finish."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from setwise.errors import InputError, ModelError
from setwise.questions import Question

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How completions are sampled."""

    temperature: float = 0.7
    top_p: float = 1.0
    max_tokens: int = 1536
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < float("inf"):
            raise InputError("temperature must be a number >= 0", value=self.temperature)
        if not 0 < self.top_p <= 1:
            raise InputError("top_p must be above 0 and at most 1", value=self.top_p)
        if isinstance(self.max_tokens, bool) or not isinstance(self.max_tokens, int) or self.max_tokens < 1:
            raise InputError("max_tokens must be a whole number >= 1", value=self.max_tokens)


@dataclass(frozen=True, slots=True)
class Request:
    """One completion to ask for. A reply comes with its request object, so that the caller knows which one it
    answers."""

    messages: Sequence[Message]
    sampling: Sampling = Sampling()
    seed: int | None = None
    question: Question | None = None
    """What is asked, for scripted models."""
    sample: int = 0
    """The number of this completion among those for the question."""
    prefix: str = ""
    """How the reply begins. The model continues from there, and the completion is only what it adds."""
    number: bool = False
    """Whether a number from 0 to 1 is wanted. `vllm:` lets the model write nothing else, `hf:` forces the first token
    to begin a number, and a server is only asked for it."""
    template_options: Mapping[str, Any] | None = None
    """Options for the chat template. By default, those the model was trained with, if it has a manifest."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and its cost in tokens of its own tokenizer."""

    text: str
    finish_reason: str | None = None
    """`stop`, `length` if it was cut off at `max_tokens`, or a server's own word."""
    tokens: int | None = None
    prompt_tokens: int | None = None
    own_text: str | None = None
    """What the model wrote by itself, if something was inserted into `text` afterwards."""


Reply = tuple[Request, Completion | ModelError]


class Model(Protocol):
    """Answers requests. An error of one request is its result; an error that concerns all requests is raised."""

    @property
    def name(self) -> str: ...

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One reply per request, in any order. Requests are consumed only as fast as they are processed."""
        ...
