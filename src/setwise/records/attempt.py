"""One attempt at one problem: a labelled set of K candidates. Every metric is computed from attempts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from itertools import compress
from math import isfinite
from typing import Any, TypeVar, cast

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.records.files import Record


class Construction(StrEnum):
    """How a set was made. Pooled and set-level calibration mean different things for each."""

    WRITTEN = "written"
    """One completion wrote all K candidates."""
    SAMPLED = "sampled"
    """K completions with one answer each, including repeats."""
    VOTED = "voted"
    """The K most frequent answers of many completions, with their frequencies as confidences."""

    def parts(self, completions: int, k: int) -> list[slice]:
        """Which completions of a problem make up each of its sets."""
        size = {Construction.WRITTEN: 1, Construction.SAMPLED: k}.get(self, completions)
        return [slice(start, start + size) for start in range(0, completions, size)]


@dataclass(frozen=True, slots=True)
class Attempt:
    """The labelled candidates of one set, in order, with the cost of producing it."""

    problem: str
    correct: tuple[bool, ...]
    """One label per candidate written, each on its own; fewer than `k` if the set is cut short or malformed."""
    k: int
    credited: tuple[bool, ...] = ()
    """Labels of the set as a whole, so that a repeated right answer counts once; by default, `correct`."""
    confidences: tuple[float | None, ...] = ()
    """One per candidate; None if it is missing or unusable. Empty if none were asked for."""
    forms: tuple[str | None, ...] = ()
    """One per candidate; equal forms are the same answer. None if there is no answer (a program that does not
    parse)."""
    canonical_forms: tuple[str | None, ...] = ()
    """Programs only: forms that do not change with names, docstrings and annotations."""
    passed: tuple[int, ...] = ()
    """Programs only: the number of tests that each candidate passes, and next, how many there are."""
    tests: int | None = None
    n_golds: int | None = None
    regime: Regime = Regime.INCLUSIVE
    construction: Construction = Construction.WRITTEN
    tokens: int | None = None
    """Completion tokens, including the thinking, over all completions of the set."""
    completions: int = 1
    strictly_valid: int | None = None
    """How many of its completions follow the format exactly and, next, how many were cut off; None if unknown."""
    truncated: int | None = None
    malformed: Mapping[str, int] = field(default_factory=dict)
    """How many of its completions could not be parsed, by reason."""
    reasoning_overlap: float | None = None
    """Share of its reasoning's n-grams that also occur in another completion for the same problem."""

    def __post_init__(self) -> None:
        if not self.credited:
            object.__setattr__(self, "credited", self.correct)

    @property
    def distinct(self) -> set[str]:
        """The distinct answers."""
        return _distinct(self.forms)

    @property
    def distinct_correct(self) -> set[str]:
        """The distinct right answers."""
        return _distinct(self.forms, self.correct)

    @property
    def distinct_canonical(self) -> set[str]:
        """The distinct programs, ignoring renamings."""
        return _distinct(self.canonical_forms)

    @property
    def distinct_correct_canonical(self) -> set[str]:
        return _distinct(self.canonical_forms, self.correct)

    def to_record(self) -> Record:
        """Plain fields, without those that reading would restore anyway."""
        named = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: _plain(value) for name, value in named if name in _ALWAYS or value != _DEFAULTS[name]}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], place: str = "") -> "Attempt":
        """Read an attempt from a plain record. `problem` and `correct` are required, the rest is optional.

        What a record leaves out is unknown. Only records of our own runs, which have a schema, may leave out
        `strictly_valid` if it is all of the completions, and `truncated` if it is none of them.

        >>> Attempt.from_record({"problem": "1", "correct": [True, False]}).k
        2
        """
        unknown = record.keys() - _DEFAULTS.keys() - set(_NEEDED) - {"schema"}
        if unknown:
            known = ", ".join((*_NEEDED, *_DEFAULTS))
            raise InputError(f"an attempt has the fields {known}", place=place, value=sorted(unknown))
        problem, correct = record.get("problem"), record.get("correct")
        if isinstance(problem, bool) or not isinstance(problem, str | int) or problem == "":
            raise InputError('"problem" must be a non-empty id', place=place, value=problem)
        labels = _labels(correct, "correct", place)
        tests = _optional_count(record, "tests", place, least=1)
        completions = _count(record, "completions", 1, place)
        ours = "schema" in record
        return cls(
            problem=str(problem),
            correct=labels,
            k=_count(record, "k", len(labels), place, least=max(1, len(labels))),
            credited=_labels(record.get("credited", labels), "credited", place, len(labels)),
            confidences=_confidences(record.get("confidences", ()), len(labels), place),
            forms=_forms(record, "forms", len(labels), place),
            canonical_forms=_forms(record, "canonical_forms", len(labels), place),
            passed=_passed(record.get("passed", ()), tests or 0, len(labels), place),
            tests=tests,
            n_golds=_optional_count(record, "n_golds", place, least=1),
            regime=_choice(Regime, record.get("regime", Regime.INCLUSIVE), place),
            construction=_choice(Construction, record.get("construction", Construction.WRITTEN), place),
            tokens=_optional_count(record, "tokens", place),
            completions=completions,
            strictly_valid=_optional_count(
                record, "strictly_valid", place, most=completions, missing=completions if ours else None
            ),
            truncated=_optional_count(record, "truncated", place, most=completions, missing=0 if ours else None),
            malformed=record.get("malformed", {}),
            reasoning_overlap=record.get("reasoning_overlap"),
        )


def _distinct(forms: Sequence[str | None], counted: Sequence[bool] | None = None) -> set[str]:
    found = set(forms if counted is None or not forms else compress(forms, counted))
    found.discard(None)
    return cast(set[str], found)


Choice = TypeVar("Choice", bound=StrEnum)

_NEEDED = ("problem", "correct", "k")
_ALWAYS = (*_NEEDED, "strictly_valid", "truncated")
_DEFAULTS = {
    each.name: {} if each.name == "malformed" else each.default for each in fields(Attempt) if each.name not in _NEEDED
}


def _labels(value: Any, name: str, place: str, length: int | None = None) -> tuple[bool, ...]:
    if not _is_list(value) or not all(isinstance(c, bool) or c in (0, 1) for c in value):
        raise InputError(f'"{name}" must be a list of true and false', place=place, value=value)
    if length is not None and len(value) != length:
        raise InputError(f'"{name}" must have one entry per candidate, {length}', place=place, value=value)
    return tuple(map(bool, value))


def _confidences(value: Any, length: int, place: str) -> tuple[float | None, ...]:
    if not _is_list(value) or len(value) not in (0, length):
        raise InputError(f'"confidences" must have one entry per candidate, {length}', place=place, value=value)
    for q in value:
        number = not isinstance(q, bool) and isinstance(q, int | float)
        if q is not None and not (number and isfinite(q) and 0 <= q <= 1):
            raise InputError("a confidence is a number from 0 to 1, or null", place=place, value=q)
    return tuple(None if q is None else float(q) for q in value)


def _forms(record: Mapping[str, Any], name: str, length: int, place: str) -> tuple[str | None, ...]:
    value = record.get(name, ())
    if not _is_list(value) or not all(form is None or isinstance(form, str) for form in value):
        raise InputError(f'"{name}" must be a list of strings', place=place, value=value)
    if len(value) not in (0, length):
        raise InputError(f'"{name}" must have one entry per candidate, {length}', place=place, value=value)
    return tuple(value)


def _passed(value: Any, most: int, length: int, place: str) -> tuple[int, ...]:
    if not _is_list(value) or len(value) not in ((length,) if most else (0, length)):
        raise InputError(f'"passed" must have one entry per candidate, {length}', place=place, value=value)
    if not all(isinstance(each, int) and not isinstance(each, bool) and 0 <= each <= most for each in value):
        raise InputError(f'"passed" must be numbers of tests, of which there are {most}', place=place, value=value)
    return tuple(value)


def _count(
    record: Mapping[str, Any], name: str, default: int, place: str, least: int = 0, most: int | None = None
) -> int:
    value = record.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f'"{name}" must be a whole number of at least {least}', place=place, value=value)
    if most is not None and value > most:
        raise InputError(f'"{name}" must be at most the number of completions, {most}', place=place, value=value)
    return value


def _optional_count(
    record: Mapping[str, Any],
    name: str,
    place: str,
    least: int = 0,
    most: int | None = None,
    missing: int | None = None,
) -> int | None:
    value = record.get(name, missing)
    return None if value is None else _count({name: value}, name, 0, place, least, most)


def _choice(kind: type[Choice], value: Any, place: str) -> Choice:
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"{kind.__name__.lower()} is one of {', '.join(kind)}", place=place, value=value) from None


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, StrEnum) else dict(value) if isinstance(value, Mapping) else value
