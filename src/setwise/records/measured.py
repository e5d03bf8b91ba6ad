"""The metrics of a run: `metrics.json`."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.records.files import Record, read_json, write_json

FLAT = "[no spread]"
"""Shown instead of an interval without width."""
NO_SPREAD = "no resample of the problems gives another value, so they cannot show how sure it is"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; no interval if the data cannot give one (a single problem)."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def span(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def has_spread(self) -> bool:
        """False if every resample gives the same value, so that the interval does not show the uncertainty."""
        return self.span is None or self.span[1] - self.span[0] > 1e-9 * max(1.0, abs(self.value))

    @property
    def top(self) -> float:
        """The top of its drawing."""
        return self.value if self.high is None else max(self.value, self.high)

    def shown(self, digits: int) -> tuple[str, str]:
        """The value and its interval as text."""
        interval = "" if self.span is None else "{:.{d}f} to {:.{d}f}".format(*self.span, d=digits)
        return f"{self.value:.{digits}f}", interval

    def __float__(self) -> float:
        return self.value

    def __neg__(self) -> "Estimate":
        return Estimate(-self.value, *((-self.span[1], -self.span[0]) if self.span else ()))

    def __str__(self) -> str:
        return self.text()

    def text(self, digits: int = 3, *, sign: bool = False) -> str:
        """The value and its interval, for plain text.

        >>> Estimate(0.5, 0.25, 0.75).text(), Estimate(3.0, 3.0, 3.0).text(1, sign=True)
        ('0.500 [0.250, 0.750]', '+3.0 [no spread]')
        """
        value = f"{self.value:{'+' if sign else ''}.{digits}f}"
        if self.span is None:
            return value
        return "{} [{:.{d}f}, {:.{d}f}]".format(value, *self.span, d=digits) if self.has_spread else f"{value} {FLAT}"


@dataclass(frozen=True, slots=True)
class Metrics:
    """Every metric of one run, by name: `metrics["coverage"].value`. Metrics that do not apply are not in it."""

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, int] = field(default_factory=dict)
    """Problems, attempts, completions, what was excluded, and why completions could not be parsed."""
    construction: str = ""

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]

    def __contains__(self, name: object) -> bool:
        return name in self.estimates

    def get(self, name: str) -> Estimate | None:
        return self.estimates.get(name)

    @property
    def doubts(self) -> list[str]:
        """What the intervals do not cover, in sentences."""
        doubts = ["One problem gives no intervals."] if self.counts.get("problems") == 1 else []
        if not all(each.has_spread for each in self.estimates.values()):
            doubts.append(f"No spread: {NO_SPREAD}.")
        return doubts

    def stated(self, metric: str) -> tuple[int, int]:
        """How many answers a calibration metric covers, and how many it leaves out for lack of a confidence."""
        family = metric.partition("/")[0]
        return self.counts.get(f"{family}/n", 0), self.counts.get(f"{family}/n_excluded", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMetrics:
    """`metrics.json`: a summary of what was run, and all of its metrics."""

    task: str
    model: str
    method: str
    k: int
    confidence: str
    """Where confidences come from: none, written, prompt or continue."""
    regime: str
    sampling: Mapping[str, Any] = field(default_factory=dict)
    matcher: str = ""
    """What judged the run, with its options; empty if not on record."""
    setwise: str = ""
    """The version that judged it, since matching rules may change with it."""
    resamples: int = 0
    metrics: Metrics
    analyses: Mapping[str, Any] = field(default_factory=dict)

    @property
    def construction(self) -> str:
        return self.metrics.construction

    def write(self, path: Path) -> None:
        described = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "metrics"}
        analyses = described.pop("analyses")
        numbers = {name: asdict(each) for name, each in self.metrics.estimates.items()}
        measured = {"construction": self.construction, "counts": dict(self.metrics.counts), "metrics": numbers}
        write_json(path, {**described, **measured, "analyses": analyses})

    @classmethod
    def read(cls, path: Path, remedy: str = "") -> "RunMetrics":
        """Read the file and check that every part is there and of its type."""
        record = read_json(path)
        unusable = [name for name, kind in _KINDS.items() if not isinstance(record.get(name), kind)]
        if not unusable and "budget" not in record["analyses"]:
            unusable = ["analyses"]
        if unusable:
            raise InputError("the file lacks what setwise eval writes", place=path, value=unusable, remedy=remedy)
        estimates = {name: Estimate(**number) for name, number in record["metrics"].items()}
        known: Record = {each.name: record[each.name] for each in fields(cls) if each.name in record}
        return cls(**{**known, "metrics": Metrics(estimates, record["counts"], record["construction"])})


_KINDS = {
    **dict.fromkeys(("task", "regime", "model", "method", "construction", "confidence"), str),
    "k": int,
    **dict.fromkeys(("metrics", "counts", "analyses"), dict),
}
"""The parts of the file that readers rely on."""
