"""A question, or a problem with its right answers, as a record.

{"id": "7", "question": "...", "golds": ["Gout", {"text": "Flu", "aliases": ["influenza"]}]}, or "tests" for code

Aliases may also be a separate field, {"Flu": ["influenza"]}, as `setwise data export` writes them.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from setwise.errors import InputError
from setwise.questions import Gold, Problem, Question
from setwise.records.files import Record

NEAR = 0.8
"""How similar a misspelt field and the one meant must be: `answer` and `answers` are 0.92, `text` and `tests` 0.67."""


def asked_from_record(record: Any, place: str = "") -> Problem | Question:
    """A problem if the record has right answers, otherwise a question. An id by itself is a question too."""
    if isinstance(record, str | int) and not isinstance(record, bool) and record != "":
        return Question("", str(record))
    if not isinstance(record, dict):
        raise InputError('"problem" must be a problem or the id of one', place=place, value=record)
    if record.get("golds") is None and not record.get("tests"):
        _refuse_answers(record, place)
        if remedy := renaming(record, "golds", "tests", "answers").replace('to "answers"', 'to "golds"'):
            rule = 'what is right is called "golds" or "tests"'
            raise InputError(rule, place=place, value=sorted(record), remedy=remedy)
        return Question(_text(record, "question", place, ""), _text(record, "id", place, ""))
    return problem_from_record(record, place)


def asked_to_record(asked: Problem | Question) -> Record:
    """The record that `asked_from_record` reads, without empty fields."""
    if isinstance(asked, Problem):
        return problem_to_record(asked)
    return {"id": asked.id, "question": asked.text} if asked.text else {"id": asked.id}


def problem_from_record(record: Mapping[str, Any], place: str = "") -> Problem:
    """A problem from a record with `question` and `golds`, or with `tests`."""
    try:
        return Problem(
            id=_text(record, "id"),
            question=_text(record, "question"),
            golds=_golds(record),
            tests=record.get("tests", ()),
            setup=record.get("setup", ""),
            reference=record.get("reference", ""),
            meta=record.get("meta"),
        )
    except InputError as error:
        raise (error.at(place) if place else error) from None


def problem_to_record(problem: Problem) -> Record:
    """The record that `problem_from_record` reads, without empty fields."""
    record: Record = {"id": problem.id, "question": problem.question.text}
    if problem.golds is not None:
        record["golds"] = [
            {"text": gold.text, "aliases": list(gold.aliases)} if gold.aliases else gold.text for gold in problem.golds
        ]
    for name in ("tests", "setup", "reference", "meta"):
        if value := getattr(problem, name):
            record[name] = list(value) if name == "tests" else value
    return record


def _golds(record: Mapping[str, Any]) -> list[Gold | str] | None:
    if record.get("tests"):
        return None
    _refuse_answers(record)
    if remedy := renaming(record, "aliases"):
        raise InputError("other names of a gold are its aliases", remedy=remedy)
    golds, aliases = record.get("golds"), record.get("aliases") or {}
    if not isinstance(golds, list) or not golds:
        remedy = renaming(record, "golds")
        raise InputError('"golds" must be a non-empty list of strings', value=golds, remedy=remedy)
    if not isinstance(aliases, dict):
        raise InputError('"aliases" must map a gold to a list of other names', value=aliases)
    return [_gold(gold, aliases) for gold in golds]


def _gold(gold: Any, aliases: Mapping[str, Any]) -> Gold:
    text = gold.get("text") if isinstance(gold, dict) else gold
    if not isinstance(text, str) or not text.strip():
        raise InputError('"golds" must be a non-empty list of strings', value=gold)
    others = gold.get("aliases", ()) if isinstance(gold, dict) else aliases.get(text, ())
    if not isinstance(others, list | tuple) or not all(isinstance(other, str) for other in others):
        raise InputError(f'the aliases of "{text}" must be a list of strings', value=others)
    return Gold(text, tuple(others))


def _refuse_answers(record: Mapping[str, Any], place: str = "") -> None:
    if "answers" in record and "golds" not in record:
        rule = 'what is right is called "golds"; "answers" are what a model said'
        raise InputError(rule, place=place, value=record["answers"], remedy='rename "answers" to "golds"')


def renaming(record: Mapping[str, Any], *names: str) -> str:
    """If none of the fields exists, which similarly named field to rename to one of them; otherwise an empty string.

    >>> renaming({"question": "?", "answer": ["x"]}, "golds", "answers")
    'rename "answer" to "answers"'
    """
    if any(name in record for name in names):
        return ""
    for name in names:
        if near := get_close_matches(name, [str(key).lower() for key in record], n=1, cutoff=NEAR):
            written = next(key for key in record if str(key).lower() == near[0])
            return f'rename "{written}" to "{name}"'
    return ""


def _text(record: Mapping[str, Any], name: str, place: str = "", default: str | None = None) -> str:
    value = record.get(name, default)
    if value is None:
        remedy = renaming(record, name)
        raise InputError(f'a problem needs "{name}"', place=place, value=sorted(record), remedy=remedy)
    if name == "id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise InputError(f'"{name}" must be a string', place=place, value=value)
    return value
