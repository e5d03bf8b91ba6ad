"""What is asked, and what counts as right for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from setwise.errors import InputError


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked. It needs an id only where its answers are kept."""

    text: str
    id: str = ""

    def __post_init__(self) -> None:
        for name, value in (("text", self.text), ("id", self.id)):
            if not isinstance(value, str):
                raise InputError(f'the "{name}" of a question must be a string', value=value)


@dataclass(frozen=True, slots=True)
class Gold:
    """One right answer. Its aliases are the same answer under other names."""

    text: str
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in (self.text, *self.aliases):
            if not isinstance(name, str) or not name.strip():
                raise InputError("a gold answer and its aliases must be non-empty strings", value=name)


@dataclass(frozen=True, slots=True, init=False)
class Problem:
    """One question with its gold set, or (a code problem) with its tests.

    `golds` takes strings or `Gold`s. A code problem has `golds=None`, since no list of right programs
    exists, and is judged by `tests`.

    >>> problem = Problem("1", "Fever and a cough?", ["Pneumonia"])
    >>> problem.question
    Question(text='Fever and a cough?', id='1')
    """

    question: Question
    golds: tuple[Gold, ...] | None
    tests: tuple[str, ...]
    setup: str
    """Code that must run before the tests; it may use what the program defines."""
    reference: str
    """A program known to pass; its own running time sets the limit for others."""
    meta: Mapping[str, Any] = field(compare=False)
    """What a task wants to remember about the row; never used for scoring."""

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
        return self.question.id

    @property
    def n_golds(self) -> int | None:
        """N of the paper; None where it is unknown (code)."""
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
