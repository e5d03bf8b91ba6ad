"""`audit.json`: what an audit found in a run, stored in its folder."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.records.files import Record, read_json, write_json

AUDIT = "audit.json"
SHOWN_CHANGE = 0.01
"""What tables show: a smaller change reads the same."""
SURE = 2.0
"""Standard errors."""


class Severity(StrEnum):
    NOTE = "note"
    """Worth knowing; it earns nothing."""
    WARNING = "warning"
    """A way around the reward, or a metric that does not mean what it says."""
    SERIOUS = "serious"
    """The same, and a headline metric changes without it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A headline metric as it is, and without what was found."""

    metric: str
    before: float
    after: float | None
    """None if nothing is left."""
    error: float | None = 0.0
    """Standard error of `after`, if it is computed from other completions; None if there are too few to know it."""

    @property
    def without(self) -> str:
        """`after` as tables show it."""
        if self.after is None:
            return "nothing left"
        return "too few left" if self.error is None else f"{self.after:.3f}"

    @property
    def matters(self) -> bool:
        """Whether it would read differently, beyond chance."""
        if self.after is None:
            return True
        return self.error is not None and abs(self.after - self.before) >= max(SHOWN_CHANGE, SURE * self.error)


@dataclass(frozen=True, slots=True)
class Instance:
    """One completion that shows it."""

    problem: str
    sample: int
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRecord:
    """One finding in one run."""

    name: str
    label: str
    severity: Severity
    definition: str
    message: str
    """What was found, in a sentence with its numbers."""
    count: int
    of: int
    """Completions that show it, and completions examined."""
    problems: int
    """Number of different problems among them."""
    facts: Mapping[str, float] = field(default_factory=dict)
    change: Change | None = None
    examples: Sequence[Instance] = ()

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def is_alarm(self) -> bool:
        return self.severity is not Severity.NOTE

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "FindingRecord":
        change = record.get("change")
        return cls(
            **{
                **record,
                "severity": Severity(record["severity"]),
                "change": change and Change(**change),
                "examples": [Instance(**each) for each in record.get("examples", ())],
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """Everything an audit found in one run."""

    run: str
    problems: int
    completions: int
    findings: Sequence[FindingRecord] = ()
    looked_for: Sequence[str] = ()
    """Names of the findings that were looked for."""
    not_looked_for: Mapping[str, str] = field(default_factory=dict)
    """The others, each with what is missing from the records."""
    facts: Mapping[str, float] = field(default_factory=dict)
    """Distinct sets, the share of the most frequent one, the coverage, and the coverage of the best fixed set."""
    curves: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)
    """Over a training run: by sign, the share of completions that show it at each logged step."""

    @property
    def alarms(self) -> list[FindingRecord]:
        return [each for each in self.findings if each.is_alarm]

    def finding(self, name: str) -> FindingRecord | None:
        return next((each for each in self.findings if each.name == name), None)

    def to_record(self) -> Record:
        return asdict(self)

    def write(self, path: Path) -> None:
        write_json(path, self.to_record())

    @classmethod
    def read(cls, path: Path) -> "AuditRecord":
        record = read_json(path)
        record.pop("schema", None)
        try:
            findings = [FindingRecord.from_record(each) for each in record.pop("findings")]
            curves = {name: [(int(s), float(v)) for s, v in points] for name, points in record.pop("curves").items()}
            return cls(**record, findings=findings, curves=curves)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                f"the file lacks what setwise audit writes ({error})", place=path, remedy="run setwise audit again"
            ) from None
