"""Reads a stream of another server as it passes. At the end, its content is one completion."""

import json
from dataclasses import dataclass, field
from typing import Any

from setwise.contract import rejoined
from setwise.models import Completion
from setwise.serving.refusals import broken_upstream


@dataclass(slots=True)
class Heard:
    """The content so far."""

    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    envelope: dict[str, Any] = field(default_factory=dict)
    """Id, object, time and model of the latest chunk, for our own chunks."""

    def hear(self, data: bytes) -> dict[str, Any]:
        """Add the chunk of one event. A chunk that is an error ends the stream."""
        try:
            chunk = json.loads(data)
            if not isinstance(chunk, dict):
                raise TypeError
            self._take(chunk)
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise broken_upstream("an event of its stream is no chunk") from None
        if chunk.get("error"):
            raise broken_upstream("its stream ended with an error")
        return chunk

    @property
    def completion(self) -> Completion:
        return Completion(rejoined("".join(self.reasoning), "".join(self.content)), self.finish_reason)

    def _take(self, chunk: dict[str, Any]) -> None:
        self.envelope = {name: chunk.get(name) for name in ("id", "object", "created", "model")}
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta") or {}
            self.content.append(_text(delta.get("content")))
            self.reasoning.append(_text(delta.get("reasoning_content") or delta.get("reasoning")))
            self.finish_reason = choice.get("finish_reason") or self.finish_reason


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError
    return value
