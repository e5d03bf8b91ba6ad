"""The table of metrics: what each is called, which way is better, how it is shown, and what it means.

A metric is a function of one `Attempt`; its mean over problems, with an interval, follows by itself. One of your own:

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
    label: str
    definition: str
    better: Better = ""
    digits: int = 2
    lowest: float = -inf
    highest: float = inf
    of: OfAttempt | None = None
    """Its value for one attempt, None where it does not apply; None for what is made of many attempts at once."""
    evidence: Callable[[Attempt], bool | None] = _always
    """The metric is there if some attempt of the run gives this, or none lacks it; without it a 0 would stand for
    "nobody knows". None: the attempt says nothing either way."""
    tested: bool = False
    """Whether runs are compared by it."""
    tested_as: str = ""
    """Another metric whose test is the same at one K."""
    beside: tuple[str, str] | None = None
    """The metric without which this one misleads, and what that is called: an ECE's floor, a Brier's base rate."""
    set_level: bool = False
    """Whether it means something else over sets made of repeated samples, and is blank there."""
    logged: bool = True
    """Whether training logs it."""
    reported: bool = True
    """Whether a report shows it among the details if no table has a place for it."""

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
    """Makes a function of an attempt a metric; its docstring is the definition."""

    def named(of: OfAttempt) -> Metric:
        definition = " ".join((of.__doc__ or "").split())
        return METRICS.add(key, Metric(key=key, label=label, definition=definition, of=of, **fields))

    return named


def attempt_metrics() -> list[Metric]:
    """Every metric of one attempt, ours first, in the order of the table."""
    return [each for each in METRICS.all() if each.of is not None]


def find_metric(key: str) -> Metric:
    """The entry of a key. `distinct@30` is `distinct@B` for a budget of 30.

    A key without an entry is an error, and nothing is imported for it: keys come from files.
    """
    name, at, budget = key.partition("@")
    entry = f"{name}@B" if at and budget.isdigit() else key
    if entry not in METRICS:
        remedy = suggestion(key, METRICS.names()) or "one of your own is loaded with --metric MODULE:NAME"
        raise InputError("no metric has this name", value=key, remedy=remedy)
    return METRICS.find(entry)
