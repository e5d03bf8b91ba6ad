"""What a model said, once its text is parsed."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a completion is not a valid answer set. The values are metric keys (`parse/out_of_order`)."""

    MISSING_THINK = "missing_think"
    MISSING_ANSWER = "missing_answer"
    MISSING_CONFIDENCE = "missing_confidence"
    MISSING_ANALYSIS = "missing_analysis"
    EXTRA_TEXT = "extra_text"
    OUT_OF_ORDER = "out_of_order"
    REPEATED_TAG = "repeated_tag"
    NESTED_TAG = "nested_tag"
    EMPTY_ANSWER = "empty_answer"
    BAD_CONFIDENCE = "bad_confidence"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer the model wrote."""

    text: str
    confidence: float | None = None
    """In [0, 1]; None where none was asked for, or where what was written is not a probability."""
    raw_confidence: str | None = None
    repair: str | None = None
    """How a lenient parse got `confidence` out of `raw_confidence`; None where it was well written."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The candidates of one completion, in the order written."""

    candidates: tuple[Candidate, ...]
    thinking: str = ""
    analysis: str = ""
    repairs: tuple[Reason, ...] = ()
    """What a lenient parse had to overlook; empty exactly when the text is strictly valid."""

    @property
    def answers(self) -> list[str]:
        return [candidate.text for candidate in self.candidates]

    @property
    def confidences(self) -> list[float | None]:
        return [candidate.confidence for candidate in self.candidates]


@dataclass(frozen=True, slots=True)
class Malformed:
    """A completion that is no answer set, and why. A value, not an exception: it is scored and counted."""

    reason: Reason
    detail: str = ""
