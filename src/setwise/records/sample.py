"""One stored completion, written by `setwise eval`, `setwise score` or a script.

{"problem": {"id": "7", "question": "...", "golds": ["Gout"]}, "text": "<think>...", "sample": 0, ...}

Only `problem` (or its id) and `text` are needed. A scored completion also has its `score`, which readers of completions
ignore.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from setwise.contract import CUT_OFF
from setwise.errors import InputError
from setwise.questions import Problem, Question
from setwise.records.files import Record
from setwise.records.problem import asked_from_record, asked_to_record

MOST_SAMPLES = 1_000_000
_OTHER_NAMES = ("completion", "response", "output")
"""Names for the text elsewhere. A line with one of them is refused, with the right name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What was asked, and what the model wrote."""

    asked: Problem | Question
    """Only a question if no right answers are on record."""
    text: str
    index: int | None = None
    """The number of this completion among those for the question, from 0; None if the file does not give it."""
    finish_reason: str | None = None
    tokens: int | None = None
    prompt_tokens: int | None = None
    own_text: str | None = None
    """What the model wrote by itself, if something was inserted into `text` afterwards."""
    seed: int | None = None

    @property
    def id(self) -> str:
        """The id of the question."""
        return self.asked.id

    @property
    def question(self) -> Question:
        return self.asked.question if isinstance(self.asked, Problem) else self.asked

    @property
    def cut_off(self) -> bool | None:
        """Whether the token limit ended it; None if no finish reason is on record."""
        return None if self.finish_reason is None else self.finish_reason == CUT_OFF

    @property
    def problem(self) -> Problem:
        """What was asked, with its right answers. An error if only the question is on record."""
        if isinstance(self.asked, Problem):
            return self.asked
        raise InputError(
            "nothing says which answers are right",
            place=f"question {self.id}",
            remedy='put "golds" or "tests" into its "problem", or give the problems in a file of their own',
        )

    def to_record(self) -> Record:
        """The line that `from_record` reads, without what is unknown."""
        record: Record = {"problem": asked_to_record(self.asked), "sample": self.index, "text": self.text}
        for name in ("finish_reason", "tokens", "prompt_tokens", "own_text", "seed"):
            record[name] = getattr(self, name)
        return {name: value for name, value in record.items() if value is not None}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], place: str = "", *, like: "Sample | None" = None) -> "Sample":
        """A completion from a line. `like` is one already read for the same problem."""
        if "problem" not in record:
            rule = 'a completion needs its "problem", or the id of one'
            raise InputError(rule, place=place, value=sorted(record), remedy=_remedy(record, "problem"))
        if not isinstance(record.get("text"), str):
            rule = 'a completion needs "text", what the model wrote'
            raise InputError(rule, place=place, value=record.get("text"), remedy=_remedy(record, "text"))
        asked = like.asked if like else asked_from_record(_with_id(record["problem"], place), place)
        finish_reason, own_text = (_text(record, name, place) for name in ("finish_reason", "own_text"))
        return cls(
            asked=asked,
            text=record["text"],
            index=_count(record, "sample", place, below=MOST_SAMPLES),
            finish_reason=finish_reason,
            tokens=_count(record, "tokens", place),
            prompt_tokens=_count(record, "prompt_tokens", place),
            own_text=own_text,
            seed=_count(record, "seed", place),
        )


def sample_key(record: Mapping[str, Any], place: str) -> tuple[str, int | None]:
    """The id of the question and the sample number, if given, without reading the rest."""
    problem = record.get("problem")
    name = problem.get("id") if isinstance(problem, dict) else problem
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        raise InputError('"problem" must be a problem with its "id"', place=place, value=problem)
    return str(name), _count(record, "sample", place, below=MOST_SAMPLES)


def _with_id(problem: Any, place: str) -> Any:
    """A problem inside its line needs no id; the place will do."""
    return {"id": place, **problem} if isinstance(problem, dict) and place else problem


def _remedy(record: Mapping[str, Any], wanted: str) -> str:
    if wanted == "text":
        found = next((name for name in _OTHER_NAMES if name in record), None)
        return f'rename "{found}" to "text"' if found else ""
    return 'put "question" and "golds" into it' if "golds" in record or "question" in record else ""


def _text(record: Mapping[str, Any], name: str, place: str) -> str | None:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f'"{name}" must be a string', place=place, value=value)
    return value


def _count(record: Mapping[str, Any], name: str, place: str, below: int | None = None) -> int | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0 or (below is not None and value >= below):
        raise InputError(f'"{name}" must be a whole number >= 0', place=place, value=value)
    return value
