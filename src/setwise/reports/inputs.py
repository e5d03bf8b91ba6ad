"""What a report is made from: plain values, already measured. Nothing here knows a model, a task or a folder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from setwise.records.attempt import Construction
from setwise.records.audit import AuditRecord
from setwise.records.comparison import Difference
from setwise.records.measured import Estimate
from setwise.records.training_log import Alarm, Step


@dataclass(frozen=True, slots=True)
class StatedPairs:
    """Stated confidences and whether each was right."""

    confidence: Sequence[float] = ()
    correct: Sequence[bool] = ()


class SetSum(NamedTuple):
    """What the confidences of a set sum to, beside its right answers."""

    total: float
    right: int
    shares_out_one: bool
    """Whether they divide 1 among them, up to rounding."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A tenth of the confidence scale: the count, the mean confidence and the share right."""

    n: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Promise:
    """What a profile does at one alpha: the share answered and, among those, the mean size and the share right."""

    alpha: float
    answered: float
    kept: float
    right: float


@dataclass(frozen=True, slots=True)
class ProfileCurves:
    """What `setwise calibrate` learned from a run."""

    before: Mapping[str, Sequence[CurvePoint]]
    """For `answers` and for `sets`."""
    after: Mapping[str, Sequence[CurvePoint]]
    promises: Sequence[Promise]
    """The promises that can be made."""


@dataclass(frozen=True, slots=True)
class Run:
    """One method on one task."""

    name: str
    task: str
    regime: str
    model: str
    method: str
    k: int
    construction: str
    confidence: str
    """Where confidences come from: none, written, prompt or continue."""
    numbers: Mapping[str, Estimate]
    counts: Mapping[str, int] = field(default_factory=dict)
    analyses: Mapping[str, Any] = field(default_factory=dict)
    top1: StatedPairs = StatedPairs()
    pooled: StatedPairs = StatedPairs()
    sums: Sequence[SetSum] = ()
    """For each written set with all its confidences."""
    overlaps: Mapping[int, float] = field(default_factory=dict)
    """By n, the mean share of a chain's n-grams that another chain for the same problem repeats."""
    unknown: Sequence[str] = ()
    """Metrics on record that are left out, since nothing says what they mean: one's own that was not loaded."""
    best_possible: Mapping[str, float] = field(default_factory=dict)
    """The scores of the best possible model, if the truth is known."""
    matcher: str = ""
    """What judged it, with its options; empty if not on record."""
    setwise: str = ""
    """The version that judged it."""
    profile: ProfileCurves | None = None
    audit: AuditRecord | None = None
    """What `setwise audit` found in it."""
    base_model: str = ""
    """The model that was trained, or asked without training; empty if unknown."""

    @property
    def is_sampled(self) -> bool:
        return self.construction == Construction.SAMPLED

    @property
    def budget(self) -> int:
        """Answers per problem, over all completions."""
        return max((point["answers"] for point in self.analyses.get("budget", ())), default=0)


@dataclass(frozen=True, slots=True)
class Chain:
    """One completion of the overlap exhibit."""

    text: str
    answers: Sequence[str]


@dataclass(frozen=True, slots=True)
class OverlapExhibit:
    """Two completions of one run for one problem."""

    run: str
    problem: str
    chains: tuple[Chain, Chain]


@dataclass(frozen=True, slots=True)
class CloudWord:
    text: str
    times: int
    right: bool


@dataclass(frozen=True, slots=True)
class Cloud:
    """Everything one run answered to one problem."""

    run: str
    words: Sequence[CloudWord]


@dataclass(frozen=True, slots=True)
class CloudExhibit:
    problem: str
    clouds: Sequence[Cloud]


@dataclass(frozen=True, slots=True)
class ProblemText:
    id: str
    question: str
    """Empty if the records do not have it."""
    golds: Sequence[str]
    """For code: its tests."""


@dataclass(frozen=True, slots=True)
class TellingProblem:
    """The problem on which the leader of a table is furthest ahead of a run it beats, and how typical that is."""

    text: ProblemText
    said: Mapping[str, "ShownSet"]
    """By run: the first set of the one that is beaten, then of the leader."""
    ahead: int
    """Problems on which the leader has more right answers in a set, on average."""
    behind: int
    problems: int


@dataclass(frozen=True, slots=True)
class DatasetSection:
    """All runs on the same data of one task."""

    task: str
    regime: str
    runs: Sequence[Run]
    differences: Sequence[Difference] = ()
    overlap: Sequence[OverlapExhibit] = ()
    clouds: CloudExhibit | None = None
    notes: Sequence[str] = ()
    data: str = ""
    """What distinguishes it from another section of the same task: a file, a split."""
    telling: TellingProblem | None = None

    @property
    def title(self) -> str:
        return f"{self.task} ({self.data})" if self.data else self.task


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """The log of one training run: one mapping of metrics per logged step."""

    name: str
    objective: str
    k: int
    steps: Sequence[Step]
    alarms: Sequence[Alarm] = ()
    base_model: str = ""
    """What was trained, as the recipe names it."""


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One candidate as the reader shows it. `right` is None if there is no verdict."""

    text: str
    confidence: float | None = None
    right: bool | None = None
    repeated: bool = False
    """Right, but an earlier answer of the set has already earned its gold."""


@dataclass(frozen=True, slots=True)
class ShownSet:
    """One attempt: its answers, why parts of it could not be read, and the completions it came from."""

    answers: Sequence[ShownAnswer]
    reasons: Sequence[str] = ()
    tokens: int | None = None
    reasoning: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ShownRun:
    """What one run answered to one problem."""

    run: int
    """Its place in `Report.runs`."""
    solved: bool
    sets: Sequence[ShownSet]


@dataclass(frozen=True, slots=True)
class ShownProblem:
    task: str
    id: str
    question: str
    golds: Sequence[str]
    """For code: its tests."""
    runs: Sequence[ShownRun]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one report shows. `problems` is read once and may be a generator."""

    sections: Sequence[DatasetSection]
    training: Sequence[TrainingRun] = ()
    problems: Iterable[ShownProblem] = ()
    title: str = "Answer sets and their confidences"

    @property
    def runs(self) -> list[Run]:
        return [run for section in self.sections for run in section.runs]
