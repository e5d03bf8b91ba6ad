"""What a report is made of: plain values, already measured. Nothing here knows a model, a task or a folder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SAMPLED = "sampled"
"""The construction of sets made of K completions of one answer each."""


@dataclass(frozen=True, slots=True)
class Number:
    """A measured value with its 95 % interval, where there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def top(self) -> float:
        """Where a drawing of it ends."""
        return self.value if self.high is None else max(self.value, self.high)

    @property
    def span(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)

    def shown(self, digits: int) -> tuple[str, str]:
        """The value and its interval as text."""
        interval = "" if self.span is None else "{:.{d}f} to {:.{d}f}".format(*self.span, d=digits)
        return f"{self.value:.{digits}f}", interval


@dataclass(frozen=True, slots=True)
class Pairs:
    """Stated confidences and whether each was right."""

    confidence: Sequence[float] = ()
    correct: Sequence[bool] = ()


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
    numbers: Mapping[str, Number]
    counts: Mapping[str, int] = field(default_factory=dict)
    analyses: Mapping[str, Any] = field(default_factory=dict)
    top1: Pairs = Pairs()
    pooled: Pairs = Pairs()
    sums: Sequence[tuple[float, int]] = ()
    """Per written set with all its confidences: their sum, and how many answers were right."""
    overlaps: Mapping[int, float] = field(default_factory=dict)
    """Mean share of a chain's n-grams that another chain for the same problem repeats, by n."""
    best_possible: Mapping[str, float] = field(default_factory=dict)
    """What the best possible model scores, where the truth is known."""

    @property
    def is_sampled(self) -> bool:
        return self.construction == SAMPLED

    @property
    def budget(self) -> int:
        """Answers drawn per problem, over all completions."""
        return max((point["answers"] for point in self.analyses.get("budget", ())), default=0)


@dataclass(frozen=True, slots=True)
class Difference:
    """`second` minus `first` in one metric, paired by problem, with its uncorrected p."""

    metric: str
    first: str
    second: str
    value: float
    p: float


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
class Section:
    """All runs on one task."""

    task: str
    regime: str
    runs: Sequence[Run]
    differences: Sequence[Difference] = ()
    overlap: Sequence[OverlapExhibit] = ()
    clouds: CloudExhibit | None = None
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """The log of one training run: one mapping of metrics per logged step."""

    name: str
    objective: str
    k: int
    steps: Sequence[Mapping[str, float]]
    alarms: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """One candidate as the reader shows it. `right` is None where there is no verdict."""

    text: str
    confidence: float | None = None
    right: bool | None = None
    repeated: bool = False
    """Right, but a gold that an earlier answer of the set has already earned."""


@dataclass(frozen=True, slots=True)
class ShownSet:
    """One attempt: its answers, why parts of it could not be read, and the completions it came from."""

    answers: Sequence[Answer]
    reasons: Sequence[str] = ()
    tokens: int | None = None
    reasoning: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ShownRun:
    """What one run said to one problem."""

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

    sections: Sequence[Section]
    training: Sequence[TrainingRun] = ()
    problems: Iterable[ShownProblem] = ()
    title: str = "Answer sets and their confidences"

    @property
    def runs(self) -> list[Run]:
        return [run for section in self.sections for run in section.runs]
