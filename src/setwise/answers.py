"""What a model wrote, once its text is parsed, and how it was judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

PARSE = "parse/"
"""Prefix of a `Reason` in metric names."""


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
"""Position of a part's content in the completion: its first character and the one after its last, without the tags."""


class Spans(NamedTuple):
    """Positions of the parts of a set. `answers` and `confidences` have one entry per candidate."""

    thinking: Span | None = None
    answers: Sequence[Span] = ()
    confidences: Sequence[Span | None] = ()
    analysis: Span | None = None


class Candidate(NamedTuple):
    """One answer the model wrote."""

    text: str
    """The answer, without its tags."""
    confidence: float | None = None
    """In [0, 1]. None if no confidence was asked for, or if the text is not a probability."""
    raw_confidence: str | None = None
    """The confidence as written."""
    repair: str | None = None
    """How a lenient parse read `confidence` from `raw_confidence`; None if it was well formed."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The candidates of one completion, in the order written."""

    candidates: tuple[Candidate, ...]
    """The answers with their confidences, in the order written."""
    thinking: str = ""
    """The text between the think tags."""
    analysis: str = ""
    """The text between the analysis tags; empty if the objective has none."""
    repairs: tuple[Reason, ...] = ()
    """What a lenient parse had to overlook; empty if and only if the text is strictly valid."""
    where: Callable[[], Spans] = field(default=Spans, compare=False, repr=False)
    """Computes `spans`, which most callers never need."""

    def __reduce__(self) -> tuple[type["AnswerSet"], tuple[Any, ...]]:
        found = partial(Spans, *self.spans)
        return AnswerSet, (self.candidates, self.thinking, self.analysis, self.repairs, found)

    @property
    def spans(self) -> Spans:
        """The position of each part in the completion."""
        return self.where()

    @property
    def answers(self) -> list[str]:
        """The text of each candidate."""
        return [candidate.text for candidate in self.candidates]

    @property
    def confidences(self) -> list[float | None]:
        """The confidence of each candidate."""
        return [candidate.confidence for candidate in self.candidates]


@dataclass(frozen=True, slots=True)
class Malformed:
    """A completion that is not an answer set, and why. It is a value, not an exception: it is scored and counted."""

    reason: Reason
    """The rule that the completion breaks."""
    detail: str = ""
    """What exactly was wrong, in a few words."""


class Match(NamedTuple):
    """The label of one candidate, and the evidence for it."""

    correct: bool
    """Whether the candidate is right."""
    gold: int | None = None
    """Index of the gold this candidate earned; None if it earned none, or if the problem has no golds (code)."""
    evidence: str = ""
    """The gold or alias it equals, the assert that failed, or the judge's reply."""
    passed: int = 0
    """The tests it passed, as bits, the first test lowest; 0 for problems with golds."""
