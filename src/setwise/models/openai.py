"""Any server that speaks OpenAI's chat completions: a hosted one, vLLM, SGLang, llama.cpp, `transformers serve`."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from setwise.contract import rejoined
from setwise.errors import InputError, ModelError
from setwise.models.http_exchange import Bounds, Refused, Unanswered, post_json
from setwise.models.patience import Gate, Hopeless, Patience, ask_patiently
from setwise.models.protocol import Completion, Reply, Request
from setwise.models.workers import concurrently

DEFAULT_BASE_URL = "https://api.openai.com/v1"
BAD_REQUEST = 400


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
    """Newer hosted models want `max_completion_tokens`; their refusal of the other one says so, and is heeded."""
    gate: Gate = field(default_factory=Gate, repr=False)

    @property
    def name(self) -> str:
        return f"openai:{self.model}@{self.base_url}"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        return concurrently(self._reply, requests, self.concurrency)

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
        try:
            return _completion(post_json(url, self._body(request), headers, self.bounds))
        except Refused as error:
            other = "max_completion_tokens"
            if error.status == BAD_REQUEST and other in str(error) and self.token_limit_field != other:
                self.token_limit_field = other
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
        if request.prefix:
            body["messages"] = [*request.messages, {"role": "assistant", "content": request.prefix}]
            body |= {"add_generation_prompt": False, "continue_final_message": True}
        return body


def openai_model(spec: str, *, concurrency: int = 16) -> OpenAIModel:
    """`MODEL` or `MODEL@http://host:port/v1`; else OPENAI_BASE_URL. The key, if any, is OPENAI_API_KEY.

    >>> openai_model("qwen@http://localhost:8000/v1/").name
    'openai:qwen@http://localhost:8000/v1'
    """
    model, *url = re.split("@(?=https?://)", spec, maxsplit=1)
    if "@" in spec and not url:
        raise InputError(
            "what follows the @ must begin with http:// or https://",
            value=f"openai:{spec}",
            remedy="a model whose name holds an @ needs its @URL too",
        )
    base_url = url[0] if url else os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
    parts = urlsplit(base_url)
    if not model:
        raise InputError("a model name must follow openai:", value=spec)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("a base URL is http(s)://host[:port]/path", value=base_url)
    if parts.username or parts.password:
        raise InputError("a base URL must not hold a password", remedy="put the key into OPENAI_API_KEY")
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key.isascii() or any(c.isspace() for c in key):
        raise InputError("OPENAI_API_KEY must be plain ASCII without blanks")
    return OpenAIModel(model, base_url.rstrip("/"), key, concurrency)


def _completion(answer: dict[str, Any]) -> Completion:
    """The one choice of an answer. An answer without one is no answer; an empty text is one."""
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
    """The thinking that some servers take out of the text."""
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    return reasoning if isinstance(reasoning, str) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
