"""Any server with OpenAI's chat completions: a hosted one, vLLM, SGLang, llama.cpp, `transformers serve`."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from setwise.contract import rejoined
from setwise.errors import InputError, ModelError
from setwise.models.http_exchange import TIMEOUT_SECONDS, Bounds, Refused, Unanswered, post_json
from setwise.models.patience import Gate, Hopeless, Patience, ask_patiently
from setwise.models.protocol import Completion, Reply, Request
from setwise.models.silence import Silence
from setwise.models.workers import concurrently
from setwise.urls import require_base_url

DEFAULT_BASE_URL = "https://api.openai.com/v1"
BAD_REQUEST = 400
NEWER_LIMIT = "max_completion_tokens"
"""The name that newer hosted models use for the token limit."""


@dataclass(slots=True)
class OpenAIModel:
    """A model behind an OpenAI-compatible server."""

    model: str
    base_url: str = DEFAULT_BASE_URL
    key: str = field(default="", repr=False)
    concurrency: int = 16
    bounds: Bounds = field(default_factory=Bounds)
    patience: Patience = field(default_factory=Patience)
    token_limit_field: str = "max_tokens"
    """Newer hosted models require `max_completion_tokens`. They say so when they refuse the other name, and it is used
    from then on."""
    gate: Gate = field(default_factory=Gate, repr=False)
    silence: Silence = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.silence = Silence(self.base_url, self.bounds.timeout_seconds)

    @property
    def name(self) -> str:
        return f"openai:{self.model}@{self.base_url}"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        with self.silence.watched():
            yield from concurrently(self._reply, requests, self.concurrency)

    def _reply(self, request: Request) -> Reply:
        try:
            return request, ask_patiently(lambda: self._ask(request), self.patience, self.gate, self.base_url)
        except Hopeless as error:
            raise ModelError(f"{self.name}: {error}") from None
        except ModelError as error:
            return request, error

    def _ask(self, request: Request) -> Completion:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        url = f"{self.base_url}/chat/completions"
        body = self._body(request)
        try:
            with self.silence.waited_for():
                return read_completion(post_json(url, body, headers, self.bounds))
        except Refused as error:
            # What this request sent counts: another one may have learnt the name in the meantime.
            if error.status == BAD_REQUEST and NEWER_LIMIT in str(error) and NEWER_LIMIT not in body:
                self.token_limit_field = NEWER_LIMIT
                return self._ask(request)
            raise

    def _body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(request.messages),
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            self.token_limit_field: sampling.max_tokens,
        }
        if sampling.stop:
            body["stop"] = list(sampling.stop)
        if request.seed is not None:
            body["seed"] = request.seed
        if request.template_options:
            body["chat_template_kwargs"] = dict(request.template_options)
        if request.prefix:
            body["messages"] = [*request.messages, {"role": "assistant", "content": request.prefix}]
            body |= {"add_generation_prompt": False, "continue_final_message": True}
        return body


def openai_model(spec: str, *, concurrency: int = 16, timeout_seconds: float = TIMEOUT_SECONDS) -> OpenAIModel:
    """`MODEL` or `MODEL@http://host:port/v1`; without a URL, OPENAI_BASE_URL. The key, if any, is OPENAI_API_KEY.

    >>> openai_model("qwen@http://localhost:8000/v1/").name
    'openai:qwen@http://localhost:8000/v1'
    """
    model, url = split_spec(spec)
    if "@" in spec and url is None:
        raise InputError(
            "what follows the @ must begin with http:// or https://",
            value=f"openai:{spec}",
            remedy="a model whose name holds an @ needs its @URL too",
        )
    if not model:
        raise InputError("a model name must follow openai:", value=spec)
    told = os.environ.get("OPENAI_BASE_URL", "")
    base_url = url or told or DEFAULT_BASE_URL
    require_base_url(base_url, "OPENAI_BASE_URL" if told and not url else f"openai:{model}")
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key.isascii() or any(c.isspace() for c in key):
        raise InputError("OPENAI_API_KEY must be plain ASCII without blanks")
    return OpenAIModel(model, base_url.rstrip("/"), key, concurrency, Bounds(timeout_seconds))


def split_spec(spec: str) -> tuple[str, str | None]:
    """The name and the URL of `NAME@URL`. A name may itself contain an @.

    >>> split_spec("m@4bit@http://localhost:8000/v1")
    ('m@4bit', 'http://localhost:8000/v1')
    """
    model, *url = re.split("@(?=https?://)", spec, maxsplit=1)
    return model, url[0] if url else None


def read_completion(answer: dict[str, Any]) -> Completion:
    """The one choice in an answer. An answer without a choice is none; an empty text is one."""
    try:
        choice = answer["choices"][0]
        message = choice["message"]
        content = message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise Unanswered("the answer holds no choice with a message") from None
    if content is not None and not isinstance(content, str):
        raise Unanswered("the content of the answer is not text")
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    reason = choice.get("finish_reason")
    return Completion(
        rejoined(_reasoning(message), content or ""),
        reason if isinstance(reason, str) else None,
        _count(usage.get("completion_tokens")),
        _count(usage.get("prompt_tokens")),
    )


def _reasoning(message: dict[str, Any]) -> str | None:
    """The thinking, which some servers remove from the text."""
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    return reasoning if isinstance(reasoning, str) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
