"""Labelled answer sets of a run, ranked, with the problem each belongs to."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from setwise.errors import InputError
from setwise.metrics.claims import pooled_confidences
from setwise.records.attempt import Attempt, Construction

LONGEST = 10
"""Answers of a ranked set that a profile uses. Several completions together have more, of little use."""


@dataclass(frozen=True, slots=True)
class LabelledRanking:
    """The answers of one set, most confident first."""

    problem: str
    key: str
    """Identifies this set within the run and breaks ties between equal sets."""
    stated: tuple[float, ...]
    right: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One answer of one completion."""

    form: str | None
    stated: float
    right: bool


def labelled_sets(attempts: Iterable[Attempt], samples: int | None = None) -> list[LabelledRanking]:
    """The sets of a run: as it made them, or merged from this many completions each; the remainder is dropped."""
    sets = []
    for problem, group in groupby(attempts, key=lambda attempt: attempt.problem):
        drawn = [completions_of(attempt) for attempt in group]
        if samples is not None:
            flat = [completion for made in drawn for completion in made]
            drawn = [flat[start : start + samples] for start in range(0, len(flat) - samples + 1, samples)]
        sets += [merged(made, problem, f"{problem}/{number}") for number, made in enumerate(drawn)]
    return sets


def completions_of(attempt: Attempt) -> list[list[Said]]:
    """The answers of each completion in an attempt. A vote counts as one completion, since it is one set."""
    forms: Sequence[str | None] = attempt.forms or [str(place) for place in range(len(attempt.correct))]
    stated = attempt.confidences or [1.0] * len(attempt.correct)
    said = [
        Said(form, 0.0 if q is None else q, right)
        for form, q, right in zip(forms, stated, attempt.correct, strict=True)
    ]
    if attempt.construction is Construction.SAMPLED:
        unread: list[list[Said]] = [[] for _ in range(attempt.completions - len(said))]
        return [[each] for each in said] + unread
    return [said]


def merged(completions: Sequence[Sequence[Said]], problem: str = "", key: str = "") -> LabelledRanking:
    """One ranked set: equal answers merged, each with its mean confidence, counting 0 for completions without it.

    >>> merged([[Said("gout", 0.8, True), Said("flu", 0.2, False)], [Said("flu", 0.9, False)]]).stated
    (0.55, 0.4)
    """
    stated: dict[Hashable, list[float]] = {}
    right: dict[Hashable, bool] = {}
    for number, completion in enumerate(completions):
        best: dict[Hashable, float] = {}
        for place, said in enumerate(completion):
            # An answer without a form equals no other.
            name = (number, place) if said.form is None else said.form
            best[name] = max(best.get(name, 0.0), said.stated)
            right[name] = right.get(name, False) or said.right
        for name, confidence in best.items():
            stated.setdefault(name, []).append(confidence)
    ranked = pooled_confidences(stated, len(completions))[:LONGEST]
    return LabelledRanking(problem, key, tuple(q for _, q in ranked), tuple(right[name] for name, _ in ranked))


def by_problem(sets: Iterable[LabelledRanking]) -> Mapping[str, list[LabelledRanking]]:
    """The sets of each problem, in the order of first occurrence."""
    found: dict[str, list[LabelledRanking]] = {}
    for each in sets:
        found.setdefault(each.problem, []).append(each)
    return found


def tells_apart(attempts: Iterable[Attempt]) -> bool:
    """Whether the record shows which answers are the same; otherwise completions cannot be merged."""
    return all(attempt.forms or not attempt.correct for attempt in attempts)


def require_confidences(attempts: Sequence[Attempt], samples: int | None, place: object) -> None:
    """A run without confidences can still be voted on if a set has several completions."""
    several = samples is not None and samples > 1
    sampled = any(each.construction is Construction.SAMPLED and each.k > 1 for each in attempts)
    if (several or sampled) and not tells_apart(attempts):
        raise InputError("the records do not tell which answers are the same, so none can be joined", place=place)
    if several or sampled or any(q is not None for each in attempts for q in each.confidences):
        return
    remedy = "evaluate a method that states them, or join several completions with --samples"
    raise InputError("the run states no confidences", place=place, remedy=remedy)
