"""One completion as an audit sees it: what was asked, what was read, and how it was judged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from setwise.objectives import Objective
from setwise.questions import Gold


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its right answers, as far as they are on record."""

    id: str
    question: str = ""
    golds: tuple[Gold, ...] | None = None
    """None if they are not on record, and for code."""
    tests: tuple[str, ...] = ()
    reference: str = ""
    n_golds: int | None = None
    """The number of right answers, if only that is on record."""
    right_forms: frozenset[str] = frozenset()
    """Given answers that were right, if golds are not on record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedCompletion:
    """One answer of a model to it."""

    sample: int
    text: str = ""
    thinking: str = ""
    answers: Sequence[str] = ()
    """Empty if the completion could not be read."""
    confidences: Sequence[float | None] = ()
    correct: Sequence[bool] = ()
    """One per answer; empty if they were not judged."""
    credited: Sequence[bool] = ()
    forms: Sequence[str | None] = ()
    """One per answer; equal forms are the same answer."""
    canonical_forms: Sequence[str | None] = ()
    tokens: int | None = None
    valid: bool = True
    step: int | None = None
    """The training step, if it was sampled in training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is known about a run besides its completions."""

    name: str
    objective: Objective
    prompt: str = ""
    """The system prompt, word for word."""
    listed: tuple[str, ...] = ()
    """Every possible answer, if the task has a list."""
    matcher: str = ""
    training_rows: tuple[str, ...] = ()
    """The padded wording of every training question; empty if they are not available."""
    broken: tuple[tuple[str, str], ...] = ()
    """Problems that no answer can satisfy, each with the reason."""
    checked_golds: bool = False
    """Whether such problems were looked for."""

    @property
    def is_code(self) -> bool:
        return self.matcher.partition(":")[0] == "code"


class AuditSource(Protocol):
    """A run that can be read repeatedly, one question at a time."""

    @property
    def context(self) -> Context: ...

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        """The right answers to each question, if on record."""
        ...

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]: ...
