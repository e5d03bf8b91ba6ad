"""Questions, and what counts as a right answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from setwise.errors import InputError


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked. The id is needed only if answers are stored."""

    text: str
    """What the model is asked."""
    id: str = ""
    """Identifies the question among stored answers."""

    def __post_init__(self) -> None:
        for name, value in (("text", self.text), ("id", self.id)):
            if not isinstance(value, str):
                raise InputError(f'the "{name}" of a question must be a string', value=value)


@dataclass(frozen=True, slots=True)
class Gold:
    """One right answer. Aliases are other names for the same answer."""

    text: str
    """The answer."""
    aliases: tuple[str, ...] = ()
    """Other names of the answer."""

    def __post_init__(self) -> None:
        for name in (self.text, *self.aliases):
            if not isinstance(name, str) or not name.strip():
                raise InputError("a gold answer and its aliases must be non-empty strings", value=name)


@dataclass(frozen=True, slots=True, init=False)
class Problem:
    """One question with its golds or, for code, its tests.

    `golds` takes strings or `Gold`s. A code problem is judged by `tests` and has `golds=None`, since there is no list
    of right programs.

    >>> problem = Problem("1", "Fever and a cough?", ["Pneumonia"])
    >>> problem.question
    Question(text='Fever and a cough?', id='1')
    """

    question: Question
    """What is asked, with the problem's id."""
    golds: tuple[Gold, ...] | None
    """The right answers; None for code."""
    tests: tuple[str, ...]
    """Asserts that a right program passes; empty if there are golds."""
    setup: str
    """Code that runs before the tests. It may use what the program defines."""
    reference: str
    """A program known to pass. Its running time sets the time limit for others."""
    meta: Mapping[str, Any] = field(compare=False)
    """What the task records about the row; never used for scoring."""

    def __init__(
        self,
        id: str,
        question: str,
        golds: Sequence[Gold | str] | None = None,
        *,
        tests: Sequence[str] = (),
        setup: str = "",
        reference: str = "",
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(id, str) or not id:
            raise InputError("a problem's id must be a non-empty string", value=id)
        for name, text in (("question", question), ("setup", setup), ("reference", reference)):
            if not isinstance(text, str):
                raise InputError(f'"{name}" must be a string', value=text, place=f"problem {id}")
        assign = object.__setattr__
        assign(self, "question", Question(question, id))
        assign(self, "golds", _checked_golds(golds, id))
        assign(self, "tests", _checked_tests(tests, id))
        assign(self, "setup", setup)
        assign(self, "reference", reference)
        assign(self, "meta", meta or {})
        if self.golds is None and not self.tests:
            raise InputError("a problem needs golds, or tests if it is about code", place=f"problem {id}")

    @property
    def id(self) -> str:
        """The id of its question."""
        return self.question.id

    @property
    def n_golds(self) -> int | None:
        """N in the paper; None for code, where it is unknown."""
        return None if self.golds is None else len(self.golds)


def _checked_golds(golds: Any, id: str) -> tuple[Gold, ...] | None:
    if golds is None:
        return None
    if isinstance(golds, str) or not isinstance(golds, Sequence) or not golds:
        raise InputError('"golds" must be a non-empty list of strings', value=golds, place=f"problem {id}")
    try:
        return tuple(gold if isinstance(gold, Gold) else Gold(gold) for gold in golds)
    except InputError as error:
        raise error.at(f"problem {id}") from None


def _checked_tests(tests: Any, id: str) -> tuple[str, ...]:
    if isinstance(tests, str) or not isinstance(tests, Sequence) or not all(isinstance(t, str) for t in tests):
        raise InputError('"tests" must be a list of strings', value=tests, place=f"problem {id}")
    return tuple(tests)
