"""What a model said, once its text is parsed, and what was found of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

PARSE = "parse/"
"""Stands before a reason in the names of metrics."""


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


class Rule(StrEnum):
    """A rule that cost a completion some or all of its reward. The values are metric keys (`rule/duplicates`)."""

    FORMAT = "format"
    DUPLICATES = "duplicates"
    SUM_ABOVE_ONE = "sum_above_one"


Span = tuple[int, int]
"""Where a part stands in the completion, between its tags: the first character, and the first one behind it."""


class Spans(NamedTuple):
    """Where the parts of a set stand; one entry per candidate for answers and, if asked for, confidences."""

    thinking: Span | None = None
    answers: Sequence[Span] = ()
    confidences: Sequence[Span | None] = ()
    analysis: Span | None = None


class Candidate(NamedTuple):
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
    where: Callable[[], Spans] = field(default=Spans, compare=False, repr=False)
    """Finds `spans`, which most readers never ask for."""

    def __reduce__(self) -> tuple[type["AnswerSet"], tuple[Any, ...]]:
        found = partial(Spans, *self.spans)
        return AnswerSet, (self.candidates, self.thinking, self.analysis, self.repairs, found)

    @property
    def spans(self) -> Spans:
        """Where each part stands in the completion."""
        return self.where()

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


class Match(NamedTuple):
    """The label of one candidate and what it rests on."""

    correct: bool
    gold: int | None = None
    """Index of the gold this candidate earned; None where it earned none, or where there is no list (code)."""
    evidence: str = ""
    """The gold or alias it equals, the failed assert, the judge's words."""
    passed: int = 0
    """Which tests it passed, the first as the lowest bit; nothing where there are golds."""
