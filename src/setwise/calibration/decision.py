"""What to do with one ranked set, and why."""

from dataclasses import dataclass

from setwise.records.files import Record


@dataclass(frozen=True, slots=True)
class Decision:
    """How many of the ranked answers to keep at an alpha; none if the model abstains."""

    kept: int
    abstained: bool
    reason: str
    alpha: float

    def to_record(self) -> Record:
        return {"alpha": self.alpha, "kept": self.kept, "abstained": self.abstained, "reason": self.reason}
