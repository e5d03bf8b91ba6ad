"""The reward of one completion, and why."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from setwise.answers import AnswerSet, Malformed, Match, Reason, Rule
from setwise.records.files import Record

_VERSION_1_TERMS = ("format", "correctness", "calibration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The reward of one completion with its breakdown.

    Labels and answers are kept even if a rule zeroed the terms. A malformed completion has empty lists.
    """

    reward: float | None
    """The total. None if the machinery failed (`error`), so that a trainer leaves the completion out."""
    terms: Mapping[str, float] = field(default_factory=dict)
    """Each reward term by name, before its weight."""
    answers: list[str] = field(default_factory=list)
    """The answers, in the order written."""
    labels: list[bool] = field(default_factory=list)
    """Whether each answer is right."""
    confidences: list[float | None] = field(default_factory=list)
    """The confidence of each answer, or None."""
    matches: list[Match] = field(default_factory=list)
    """The evidence behind each label."""
    forms: list[Hashable] = field(default_factory=list, compare=False, repr=False)
    """One per answer; equal forms are the same answer. Not stored on disk."""
    distinct: int = 0
    """Number of different answers."""
    malformed: Malformed | None = None
    """Why the completion could not be parsed, if so."""
    repairs: tuple[Reason, ...] = ()
    """What a lenient parse overlooked. A repaired completion has labels but earns nothing."""
    violated: Rule | None = None
    """The rule that cost it some or all of its reward."""
    error: str | None = None
    """Why the machinery could not score it, if so."""
    broken_problem: bool = False
    """Whether the error is about the problem, which is left out."""
    parsed: AnswerSet | None = field(default=None, compare=False, repr=False)
    """What was read, with the span of every part. Not stored on disk."""

    @property
    def strictly_valid(self) -> bool:
        """Whether the completion was scored and follows the format exactly."""
        return self.malformed is None and not self.repairs and self.error is None

    @property
    def verdict(self) -> str:
        """In a word: what went wrong, or `valid`."""
        if self.error:
            return self.error
        return str(self.malformed.reason if self.malformed else self.violated or "valid")

    def to_record(self) -> Record:
        """Plain data, including the evidence of each label."""
        malformed = self.malformed and {"reason": self.malformed.reason, "detail": self.malformed.detail}
        return {
            "reward": self.reward,
            "terms": dict(self.terms),
            "answers": list(self.answers),
            "labels": list(self.labels),
            "confidences": list(self.confidences),
            "matches": [match._asdict() for match in self.matches],
            "distinct": self.distinct,
            "malformed": malformed,
            "repairs": self.repairs,
            "violated": self.violated,
            "error": self.error,
            "broken_problem": self.broken_problem,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Score":
        """A score as `to_record`, or version 1, wrote it."""
        malformed, violated = record.get("malformed"), record.get("violated", record.get("broken"))
        old = {name: record[name] for name in _VERSION_1_TERMS if name in record}
        return cls(
            reward=record["reward"],
            terms=record.get("terms", old),
            answers=record["answers"],
            labels=record["labels"],
            confidences=record["confidences"],
            matches=[Match(**match) for match in record["matches"]],
            distinct=record["distinct"],
            malformed=malformed and Malformed(Reason(malformed["reason"]), malformed["detail"]),
            repairs=tuple(map(Reason, record["repairs"])),
            violated=violated and Rule(violated),
            error=record.get("error"),
            broken_problem=record.get("broken_problem", False),
        )
