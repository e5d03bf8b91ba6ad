"""The body of `/v1/chat/completions` -> `Chat`. Checked by hand, so that every refusal is one clear line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from setwise.errors import InputError
from setwise.models import Message, Sampling
from setwise.serving.asking import Asking
from setwise.serving.fields import flag, include_usage, messages_of, number, object_of, shown, stop_words, whole
from setwise.serving.limits import Limits
from setwise.serving.refusals import Refusal, bad_request

OWN_FIELD = "setwise"
_LARGEST_SEED = 2**63 - 1
_LIMITS_OF_TOKENS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One request: what is asked, how it is sampled, and what is wanted back."""

    question: str
    """The content of the user's last message."""
    messages: tuple[Message, ...]
    """The messages to the model, with the trained prompt if the client sent none."""
    as_taught: bool
    """Whether messages, temperature and top_p are the model's own, and so those its profile was learned with."""
    sampling: Sampling
    seed: int | None = None
    stream: bool = False
    include_usage: bool = False
    samples: int = 1
    alpha: float | None = None
    body: Mapping[str, Any]
    """What the client sent, for an upstream server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReader:
    """Reads requests to one served model."""

    model: str
    """The name it is served under."""
    asking: Asking
    limits: Limits
    alpha: float | None = None
    """The default alpha of a request; None without a profile."""
    samples: int = 1
    """The default number of completions in a set."""
    has_profile: bool = False

    def read(self, body: bytes) -> Chat:
        record = object_of(body)
        self._require_model(record.get("model"))
        question, messages, as_taught = self._as_asked(messages_of(record.get("messages")))
        samples, alpha = self._own(record.get(OWN_FIELD))
        sampling = self._sampling(record)
        if record.get("n") not in (None, 1):
            raise bad_request('"n" must be 1; for several samples in one set, send {"setwise": {"samples": 5}}', "n")
        return Chat(
            question=question,
            messages=messages,
            as_taught=as_taught and self._drawn_alike(sampling),
            sampling=sampling,
            seed=whole(record, "seed", -_LARGEST_SEED - 1, _LARGEST_SEED),
            stream=flag(record, "stream"),
            include_usage=include_usage(record.get("stream_options")),
            samples=samples,
            alpha=alpha,
            body=record,
        )

    def _require_model(self, name: Any) -> None:
        if name is not None and not isinstance(name, str):
            raise bad_request('"model" must be a string', "model")
        if name and name != self.model:
            message = f"the model {shown(name)} is not served here, only {self.model}"
            raise Refusal(404, message, param="model", code="model_not_found")

    def _as_asked(self, given: Sequence[Message]) -> tuple[str, tuple[Message, ...], bool]:
        """The question, the messages to the model, and whether they are those of training.

        A single question is asked as in training. A conversation gets the trained prompt. A client's own prompt stays.
        """
        said, instruction = given[-1]["content"], self.asking.instruction
        if len(given) == 1:
            return said, tuple(self.asking.messages(said)), True
        if not any(each["role"] in ("system", "developer") for each in given):
            return said, ({"role": "system", "content": self.asking.system_prompt}, *given), False
        question = said.removeprefix(f"{instruction}\n\n") if instruction else said
        return question, tuple(given), list(given) == self.asking.messages(question)

    def _own(self, own: Any) -> tuple[int, float | None]:
        if own is None:
            return self.samples, self.alpha
        if not isinstance(own, dict) or not own.keys() <= {"samples", "alpha"}:
            raise bad_request('"setwise" must be an object with "samples", "alpha" or both', OWN_FIELD)
        samples = whole(own, "samples", 1, self._most_samples()) or self.samples
        alpha = number(own, "alpha")
        if alpha is None:
            return samples, self.alpha
        if not self.has_profile:
            raise bad_request('"alpha" needs a profile, and this server has none (setwise serve --profile)', "alpha")
        if not 0 < alpha < 1:
            raise bad_request('"alpha" must be above 0 and below 1', "alpha")
        return samples, alpha

    def _most_samples(self) -> int:
        return min(self.limits.queue, max(self.limits.samples, self.samples))

    def _drawn_alike(self, sampling: Sampling) -> bool:
        ours = self.asking.sampling
        return (sampling.temperature, sampling.top_p) == (ours.temperature, ours.top_p)

    def _sampling(self, record: Mapping[str, Any]) -> Sampling:
        most = [whole(record, name, 1, 1 << 20) for name in _LIMITS_OF_TOKENS]
        given = {
            "temperature": number(record, "temperature"),
            "top_p": number(record, "top_p"),
            "max_tokens": next((each for each in most if each is not None), None),
            "stop": stop_words(record.get("stop")),
        }
        try:
            return replace(self.asking.sampling, **{name: value for name, value in given.items() if value is not None})
        except InputError as error:
            raise bad_request(str(error)) from None
