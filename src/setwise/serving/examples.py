"""Example questions for the page, with the exact probability of every answer if it is known.

`examples.json` is next to a model's weights: `{"examples": [{"title", "question", "posterior"}]}`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.records.files import Record, read_json, write_json

EXAMPLES = "examples.json"


@dataclass(frozen=True, slots=True)
class PageExample:
    """A question to try."""

    title: str
    question: str
    posterior: tuple[tuple[str, float], ...] = ()
    """Answers with the probability that each is right, likeliest first; empty if unknown."""

    def to_record(self) -> Record:
        known = [{"answer": answer, "probability": probability} for answer, probability in self.posterior]
        return {"title": self.title, "question": self.question, "posterior": known or None}

    @classmethod
    def from_record(cls, record: Any, place: object = "") -> "PageExample":
        if not isinstance(record, Mapping):
            raise InputError("an example must be a JSON object", place=place, value=record)
        for name in ("title", "question"):
            if not isinstance(record.get(name), str) or not record[name].strip():
                raise InputError(f'the "{name}" of an example must be a non-empty string', place=place, value=record)
        beliefs = record.get("posterior") or []
        if not isinstance(beliefs, list):
            raise InputError('"posterior" must be a list or null', place=place, value=beliefs)
        known = [_belief(belief, place) for belief in beliefs]
        return cls(record["title"], record["question"], tuple(sorted(known, key=lambda pair: -pair[1])))


def read_examples(path: str | Path) -> tuple[PageExample, ...]:
    """The examples in a file. For a folder, its `examples.json`; without that file, none."""
    place = Path(path)
    if place.is_dir():
        place = place / EXAMPLES
        if not place.is_file():
            return ()
    records = read_json(place).get("examples")
    if not isinstance(records, list):
        raise InputError('"examples" must be a list', place=place, value=records)
    return tuple(PageExample.from_record(record, place) for record in records)


def write_examples(path: str | Path, examples: Sequence[PageExample]) -> None:
    write_json(path, {"examples": [example.to_record() for example in examples]})


def _belief(record: Any, place: object) -> tuple[str, float]:
    named: Mapping[str, Any] = record if isinstance(record, Mapping) else {}
    answer, probability = named.get("answer"), named.get("probability")
    if isinstance(answer, str) and isinstance(probability, int | float) and 0 <= probability <= 1:
        return answer, float(probability)
    raise InputError('a belief has an "answer" and a "probability" from 0 to 1', place=place, value=record)
