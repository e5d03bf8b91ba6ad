"""Groups of training runs side by side, as `setwise compare --group` reports them."""

from dataclasses import asdict, dataclass

from setwise.records.comparison import ALPHA
from setwise.records.files import Record
from setwise.records.measured import Estimate


@dataclass(frozen=True, slots=True)
class SeedGroup:
    """Runs of one method that differ in their training seed."""

    name: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeedDifference:
    """The mean of `second` minus the mean of `first` in one metric."""

    first: str
    second: str
    metric: str
    first_values: tuple[float, ...]
    second_values: tuple[float, ...]
    value: Estimate
    """With an interval over seeds and problems."""
    freedom: float
    """Degrees of freedom of that interval."""
    p: float
    p_holm: float

    @property
    def survives(self) -> bool:
        return self.p_holm <= ALPHA


@dataclass(frozen=True, slots=True)
class SeedComparison:
    task: str
    problems: int
    groups: tuple[SeedGroup, ...]
    differences: tuple[SeedDifference, ...]

    def to_record(self) -> Record:
        record = asdict(self)
        for each, difference in zip(record["differences"], self.differences, strict=True):
            each["survives"] = difference.survives
        return record
