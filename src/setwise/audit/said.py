"""One completion as an audit sees it: what was asked, what was read in it, and how it was judged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from setwise.objectives import Objective
from setwise.questions import Gold


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what counts as right, as far as that is on record."""

    id: str
    question: str = ""
    golds: tuple[Gold, ...] | None = None
    """None where they are not on record, and for code."""
    tests: tuple[str, ...] = ()
    reference: str = ""
    n_golds: int | None = None
    """How many answers are right, where that alone is on record."""
    right_forms: frozenset[str] = frozenset()
    """Answers that somebody gave and that were right, where golds are not on record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedCompletion:
    """What a model said to it, once."""

    sample: int
    text: str = ""
    thinking: str = ""
    answers: Sequence[str] = ()
    """Empty where the completion could not be read."""
    confidences: Sequence[float | None] = ()
    correct: Sequence[bool] = ()
    """One per answer; empty where nobody judged them."""
    credited: Sequence[bool] = ()
    forms: Sequence[str | None] = ()
    """One per answer; equal forms are the same answer."""
    canonical_forms: Sequence[str | None] = ()
    tokens: int | None = None
    valid: bool = True
    step: int | None = None
    """Of the training, where it was said there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is known of a run beside its completions."""

    name: str
    objective: Objective
    prompt: str = ""
    """The system prompt, word for word."""
    listed: tuple[str, ...] = ()
    """Every answer there can be, where the task has a list."""
    matcher: str = ""
    training_rows: tuple[str, ...] = ()
    """The padded wording of every question that was trained on; empty where they are not at hand."""
    broken: tuple[tuple[str, str], ...] = ()
    """Problems no answer can satisfy, each with the reason."""
    checked_golds: bool = False
    """Whether somebody looked for such problems."""

    @property
    def is_code(self) -> bool:
        return self.matcher.partition(":")[0] == "code"


class AuditSource(Protocol):
    """A run that can be read as often as needed, one question after another."""

    @property
    def context(self) -> Context: ...

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        """What is right for each question, where that is on record."""
        ...

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]: ...
