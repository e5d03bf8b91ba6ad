"""What an application gets: the ranked answers to one question, and how far to rely on them."""

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from setwise.calibration import Decision


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a ranked set."""

    text: str
    stated: float | None = None
    """The model's own confidence, or the mean over its samples; None if it states none."""
    calibrated: float | None = None
    """How often such answers were right; None without a profile."""
    kept: bool = True
    """Whether the decision keeps it. Without a decision, every answer is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question with its answers, most confident first."""

    question: str
    answers: tuple[Answer, ...] = ()
    stated_set: float | None = None
    """What the stated confidences together claim about "one of these is right"; None if there are none."""
    set_confidence: float | None = None
    """Calibrated probability that at least one answer is right; None without a profile."""
    decision: "Decision | None" = None
    reach: tuple[float, ...] = ()
    """For each number of kept answers, the smallest alpha at which they suffice; infinite if they never do."""
    thinking: str = ""
    text: str = ""
    """The completion; with several samples, the merged set in the model's format."""
    samples: int = 1
    malformed: str | None = None
    """Why no answer could be read, or what had to be overlooked; None if everything was well formed."""
    note: str | None = None
    """Why there are no calibrated confidences although the model has a profile."""

    @property
    def kept(self) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.kept)

    @property
    def abstained(self) -> bool:
        return self.decision is not None and self.decision.abstained

    def to_record(self) -> dict[str, Any]:
        """As JSON: what `--json` prints, and what a server sends as `setwise`."""
        answers = [
            {"answer": each.text, "stated": each.stated, "calibrated": each.calibrated, "kept": each.kept}
            for each in self.answers
        ]
        return {
            "question": self.question,
            "answers": answers,
            "set": {"stated": self.stated_set, "calibrated": self.set_confidence},
            "decision": self.decision and self.decision.to_record(),
            "reach": [alpha if isfinite(alpha) else None for alpha in self.reach],
            "thinking": self.thinking,
            "samples": self.samples,
            "malformed": self.malformed,
            "note": self.note,
        }
