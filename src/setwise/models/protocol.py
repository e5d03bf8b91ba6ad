"""What every model is: requests in, completions out, in whatever order they finish."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from setwise.errors import InputError, ModelError
from setwise.questions import Question

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How completions are drawn."""

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
    """One completion that is wanted. A reply comes with the very request, so that whoever asked knows which it is."""

    messages: Sequence[Message]
    sampling: Sampling = Sampling()
    seed: int | None = None
    question: Question | None = None
    """What is asked, for a model that answers from a script."""
    sample: int = 0
    """Which of the completions for this question it is."""
    prefix: str = ""
    """How the reply begins; the model goes on from there, and the completion is only what it adds."""
    number: bool = False
    """Whether a number from 0 to 1 is wanted. `vllm:` lets the model write nothing else, `hf:` makes it begin like one;
    a server is only asked."""
    template_options: Mapping[str, Any] | None = None
    """For the chat template; None: those that the model was trained with, where it has a manifest."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said, and what it cost by the count of its own tokenizer."""

    text: str
    finish_reason: str | None = None
    """`stop`, `length` where it was cut off at `max_tokens`, or a server's own word."""
    tokens: int | None = None
    prompt_tokens: int | None = None
    own_text: str | None = None
    """What the model wrote by itself, where something was forced into `text` afterwards."""


Reply = tuple[Request, Completion | ModelError]


class Model(Protocol):
    """Answers requests. An error of one request is its result; one that concerns all of them is raised."""

    @property
    def name(self) -> str: ...

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One reply per request, in any order. Requests are taken only as fast as they are worked on."""
        ...
