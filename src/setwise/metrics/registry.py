"""The table of metrics: each one's name, direction, format and meaning.

A metric is a function of one `Attempt`. setwise averages it over problems and adds an interval. To add your own, write

    @metric("short", label="Short answers", better="higher", highest=1.0)
    def short(attempt):
        \"\"\"Share of sets whose first answer has at most ten characters.\"\"\"
        return float(bool(attempt.forms) and len(attempt.forms[0] or "") <= 10)

and `setwise eval --metric my_metrics:short`. Metrics of stated confidences are in `metrics.stated`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from setwise.errors import InputError
from setwise.plugins import Registry, suggestion
from setwise.records.attempt import Attempt

Better = Literal["higher", "lower", ""]
OfAttempt = Callable[[Attempt], float | None]

_ARROWS = {"higher": "\N{NO-BREAK SPACE}↑", "lower": "\N{NO-BREAK SPACE}↓", "": ""}


def _always(attempt: Attempt) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One number of an evaluation."""

    key: str
    """Its name in records, such as `pass_at_1`."""
    label: str
    """Its name in tables."""
    definition: str
    """What it means, in a sentence or two."""
    better: Better = ""
    """`higher`, `lower`, or empty if neither is better."""
    digits: int = 2
    """Decimals shown."""
    lowest: float = -inf
    """The smallest possible value."""
    highest: float = inf
    """The largest possible value."""
    of: OfAttempt | None = None
    """Its value for one attempt, or None if it does not apply. The field is None for metrics computed from many
    attempts at once."""
    evidence: Callable[[Attempt], bool | None] = _always
    """Whether an attempt has what the metric needs; None if it cannot tell. The metric is shown if some attempt has it
    or none lacks it. Otherwise a 0 could mean "unknown"."""
    tested: bool = False
    """Whether comparisons of runs test it."""
    tested_as: str = ""
    """Another metric whose test is the same if K is the same."""
    beside: tuple[str, str] | None = None
    """The metric needed to read this one, and its short name: the floor of an ECE, the base rate of a Brier score."""
    set_level: bool = False
    """Whether it would mean something else for sets made of repeated samples, and is left blank there."""
    logged: bool = True
    """Whether training logs it."""
    reported: bool = True
    """Whether reports list it among the details if no table shows it."""

    def __call__(self, attempt: Attempt) -> float | None:
        assert self.of is not None, f"{self.key} is not a function of one attempt"
        return self.of(attempt)

    @property
    def arrow(self) -> str:
        return _ARROWS[self.better]

    def shown(self, value: float) -> str:
        """The value at the precision of its column: `1,191` tokens, a coverage of `0.62`."""
        return f"{value:,.{self.digits}f}"


METRICS: Registry[Metric] = Registry(Metric, "a metric", "setwise.metrics")


def metric(key: str, *, label: str, **fields: Any) -> Callable[[OfAttempt], Metric]:
    """Register a function of an attempt as a metric. Its docstring is the definition."""

    def named(of: OfAttempt) -> Metric:
        definition = " ".join((of.__doc__ or "").split())
        return METRICS.add(key, Metric(key=key, label=label, definition=definition, of=of, **fields))

    return named


def attempt_metrics() -> list[Metric]:
    """Every metric of one attempt, in the order of the table, ours first."""
    return [each for each in METRICS.all() if each.of is not None]


def find_metric(key: str) -> Metric:
    """The metric of a key. `distinct@30` is `distinct@B` for a budget of 30.

    Unknown keys are errors and never import anything, since keys come from files.
    """
    if not is_known(key):
        remedy = suggestion(key, METRICS.names()) or "one of your own is loaded with --metric MODULE:NAME"
        raise InputError("no metric has this name", value=key, remedy=remedy)
    return METRICS.find(_entry(key))


def is_known(key: str) -> bool:
    """Whether `find_metric` finds it."""
    return _entry(key) in METRICS


def _entry(key: str) -> str:
    name, at, budget = key.partition("@")
    return f"{name}@B" if at and budget.isdigit() else key
