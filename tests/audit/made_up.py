"""Runs made up for single findings: what is asked and said is given, and nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from setwise.audit.said import Asked, AuditedCompletion, Context
from setwise.matching.normalize import normalize
from setwise.objectives import Objective
from setwise.questions import Gold


@dataclass(frozen=True)
class MadeUpSource:
    """Groups as they are."""

    given: Sequence[tuple[Asked, list[AuditedCompletion]]]
    context: Context = field(default_factory=lambda: Context(name="made up", objective=Objective("rlvr-multi", 1)))

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        return (asked.golds for asked, _ in self.given if asked.golds)

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]:
        return iter(self.given)


def said(answers: Sequence[str], golds: Sequence[str], sample: int = 0, **fields: object) -> AuditedCompletion:
    """A completion judged by its normal forms."""
    forms = [normalize(answer) for answer in answers]
    right = {normalize(gold) for gold in golds}
    known = {"thinking": f"because of {sample}", "correct": [form in right for form in forms], "forms": forms}
    return AuditedCompletion(sample=sample, answers=answers, **{**known, **fields})  # pyright: ignore[reportArgumentType]


def asked(number: int, golds: Sequence[str], question: str = "") -> Asked:
    return Asked(f"p{number}", question or f"question number {number}", tuple(map(Gold, golds)))
