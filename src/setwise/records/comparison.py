"""Several runs side by side, as `setwise compare` reports them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from setwise.records.attempt import Construction
from setwise.records.files import Record
from setwise.records.measured import Estimate, Metrics

ALPHA = 0.05
"""The probability of any false survivor in a table."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One run, on the problems that all runs share."""

    name: str
    method: str
    model: str
    k: int
    construction: Construction
    confidence: str
    estimates: Mapping[str, Estimate]
    counts: Mapping[str, int] = field(default_factory=dict)
    matcher: str = ""
    """What judged it, with its options; empty if not on record."""
    setwise: str = ""
    """The version that judged it."""

    @property
    def metrics(self) -> Metrics:
        return Metrics(self.estimates, self.counts, str(self.construction))


@dataclass(frozen=True, slots=True)
class Difference:
    """`second` minus `first` in one metric, paired by problem."""

    first: str
    second: str
    metric: str
    value: Estimate
    p: float
    p_holm: float
    least_p: float = 0.0
    """The smallest p that this many problems, or resamples, can give."""
    problems: int = 0
    """Number of problems that contribute."""
    exact: bool = False
    """Whether p counts every exchange of the two runs' problems; otherwise it comes from the bootstrap."""

    @property
    def survives(self) -> bool:
        return self.p_holm <= ALPHA


@dataclass(frozen=True, slots=True)
class Flips:
    """Problems that one run solves and the other does not."""

    first: str
    second: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    task: str
    problems: int
    left_out: dict[str, int]
    """Per run, problems that not every other run has."""
    runs: tuple[Compared, ...]
    differences: tuple[Difference, ...]
    flips: tuple[Flips, ...]

    def to_record(self) -> Record:
        record = asdict(self)
        for each, difference in zip(record["differences"], self.differences, strict=True):
            each["survives"] = difference.survives
        return record
