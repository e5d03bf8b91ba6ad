"""Ask a running server from Python, with the standard library alone.

from setwise.serving import AnswerSetClient

client = AnswerSetClient("http://127.0.0.1:8000")
answered = client.ask("Fever and a productive cough?", alpha=0.1)
print("pass it on" if answered.abstained else [answer.text for answer in answered.kept])
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from setwise.errors import ModelError
from setwise.models.http_exchange import Bounds, post_json
from setwise.models.patience import Gate, Patience, ask_patiently
from setwise.serving.answers import Answer, Answered
from setwise.urls import require_base_url

KEY = "SETWISE_API_KEY"


@dataclass(frozen=True, slots=True)
class AnswerSetClient:
    """Asks one server. It retries if that can help, waits as long as the server says, and then gives up."""

    url: str = "http://127.0.0.1:8000"
    """The server's address, with or without `/v1`."""
    key: str | None = field(default=None, repr=False)
    """The key to send; by default, `SETWISE_API_KEY`."""
    timeout_seconds: float = 300.0
    """Time limit for one try."""
    tries: int = 4
    """How often to ask before giving up."""

    def __post_init__(self) -> None:
        require_base_url(self.url)

    def ask(self, question: str, *, samples: int | None = None, alpha: float | None = None) -> Answered:
        """The ranked answers to one question. Where `samples` or `alpha` is None, the server's default applies.

        Raises `ModelError` if the server gave no answer.
        """
        own = {"samples": samples, "alpha": alpha}
        body = {"messages": [{"role": "user", "content": question}], "setwise": own}
        key = os.environ.get(KEY, "").strip() if self.key is None else self.key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        address = self.url.rstrip("/").removesuffix("/v1") + "/v1/chat/completions"
        patience = Patience(tries=self.tries, rate_limit_seconds=self.timeout_seconds, connect_seconds=5.0)
        said = ask_patiently(
            lambda: post_json(address, body, headers, Bounds(self.timeout_seconds)), patience, Gate(), self.url
        )
        return answered_of(said)


def answered_of(said: Mapping[str, Any]) -> Answered:
    """The answers in a completion from the server, fetched by any client."""
    try:
        record = said["setwise"]
        return Answered(
            question=record["question"],
            answers=tuple(
                Answer(each["answer"], each["stated"], each["calibrated"], each["kept"]) for each in record["answers"]
            ),
            stated_set=record["set"]["stated"],
            set_confidence=record["set"]["calibrated"],
            decision=_decision(record["decision"]),
            reach=tuple(inf if each is None else each for each in record["reach"]),
            thinking=record["thinking"],
            text=said["choices"][0]["message"]["content"] or "",
            samples=record["samples"],
            malformed=record["malformed"],
            note=record.get("note"),
        )
    except (KeyError, IndexError, TypeError) as error:
        raise ModelError(f"the server's answer is not one of setwise serve ({error!r} is missing)") from None


def _decision(record: Mapping[str, Any] | None) -> Any:
    if record is None:
        return None
    from setwise.calibration import Decision

    return Decision(**record)
