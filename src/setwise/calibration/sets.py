"""Labelled answer sets of a run, ranked, with the problem each belongs to."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from setwise.errors import InputError
from setwise.metrics.claims import pooled_confidences
from setwise.records.attempt import Attempt, Construction

LONGEST = 10
"""Answers of a ranked set that a profile looks at; several completions together hold more, of little use."""


@dataclass(frozen=True, slots=True)
class LabelledRanking:
    """The answers of one set, the most confident first."""

    problem: str
    key: str
    """Names this set among all of the run: ties between equal sets are broken by it."""
    stated: tuple[float, ...]
    right: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One answer of one completion."""

    form: str | None
    stated: float
    right: bool


def labelled_sets(attempts: Iterable[Attempt], samples: int | None = None) -> list[LabelledRanking]:
    """The sets of a run: as it made them, or of so many completions each, what is left over left out."""
    sets = []
    for problem, group in groupby(attempts, key=lambda attempt: attempt.problem):
        drawn = [completions_of(attempt) for attempt in group]
        if samples is not None:
            flat = [completion for made in drawn for completion in made]
            drawn = [flat[start : start + samples] for start in range(0, len(flat) - samples + 1, samples)]
        sets += [merged(made, problem, f"{problem}/{number}") for number, made in enumerate(drawn)]
    return sets


def completions_of(attempt: Attempt) -> list[list[Said]]:
    """What each completion of an attempt said. A vote counts as one completion, since it is one set."""
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
    """One ranked set: the same answers joined, each with its mean confidence, 0 where a completion lacks it.

    >>> merged([[Said("gout", 0.8, True), Said("flu", 0.2, False)], [Said("flu", 0.9, False)]]).stated
    (0.55, 0.4)
    """
    stated: dict[Hashable, list[float]] = {}
    right: dict[Hashable, bool] = {}
    for number, completion in enumerate(completions):
        best: dict[Hashable, float] = {}
        for place, said in enumerate(completion):
            # An answer without a form is like no other.
            name = (number, place) if said.form is None else said.form
            best[name] = max(best.get(name, 0.0), said.stated)
            right[name] = right.get(name, False) or said.right
        for name, confidence in best.items():
            stated.setdefault(name, []).append(confidence)
    ranked = pooled_confidences(stated, len(completions))[:LONGEST]
    return LabelledRanking(problem, key, tuple(q for _, q in ranked), tuple(right[name] for name, _ in ranked))


def by_problem(sets: Iterable[LabelledRanking]) -> Mapping[str, list[LabelledRanking]]:
    """The sets of each problem, in the order the problems first come."""
    found: dict[str, list[LabelledRanking]] = {}
    for each in sets:
        found.setdefault(each.problem, []).append(each)
    return found


def tells_apart(attempts: Iterable[Attempt]) -> bool:
    """Whether it is on record which answers are the same, without which completions cannot be joined."""
    return all(attempt.forms or not attempt.correct for attempt in attempts)


def require_confidences(attempts: Sequence[Attempt], samples: int | None, place: object) -> None:
    """A run that states nothing can still be voted on, where a set has several completions."""
    several = samples is not None and samples > 1
    sampled = any(each.construction is Construction.SAMPLED and each.k > 1 for each in attempts)
    if (several or sampled) and not tells_apart(attempts):
        raise InputError("the records do not tell which answers are the same, so none can be joined", place=place)
    if several or sampled or any(q is not None for each in attempts for q in each.confidences):
        return
    remedy = "evaluate a method that states them, or join several completions with --samples"
    raise InputError("the run states no confidences", place=place, remedy=remedy)
