"""What one completion is worth, and why."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from setwise.answers import AnswerSet, Malformed, Match, Reason, Rule
from setwise.records.files import Record

_VERSION_1_TERMS = ("format", "correctness", "calibration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The reward of one completion with its breakdown.

    Labels and answers stand even where a rule zeroed the terms; a malformed completion has empty lists.
    """

    reward: float | None
    """The total. None where the machinery failed (`error`), so that an engine leaves the completion out."""
    terms: Mapping[str, float] = field(default_factory=dict)
    """By name, each term of the reward before its weight."""
    answers: list[str] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    confidences: list[float | None] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    """The evidence behind each label."""
    forms: list[Hashable] = field(default_factory=list, compare=False, repr=False)
    """One per answer; equal forms are the same answer. Not kept on disk."""
    distinct: int = 0
    """How many different answers there are."""
    malformed: Malformed | None = None
    repairs: tuple[Reason, ...] = ()
    """What a lenient parse overlooked; a repaired completion carries labels but earns nothing."""
    violated: Rule | None = None
    """The rule that cost it some or all of its reward."""
    error: str | None = None
    broken_problem: bool = False
    """The error is about the problem, which is left out."""
    parsed: AnswerSet | None = field(default=None, compare=False, repr=False)
    """What was read, with the span of every part. Not kept on disk."""

    @property
    def strictly_valid(self) -> bool:
        return self.malformed is None and not self.repairs and self.error is None

    @property
    def verdict(self) -> str:
        """In a word: what went wrong, or `valid`."""
        if self.error:
            return self.error
        return str(self.malformed.reason if self.malformed else self.violated or "valid")

    def to_record(self) -> Record:
        """Plain data; the evidence of each label included."""
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
