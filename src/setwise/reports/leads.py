"""Which run leads in a metric, which it beats and which it cannot be separated from, by the tests that make a number
bold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from setwise.metrics import find_metric
from setwise.records.comparison import ALPHA
from setwise.records.measured import Estimate
from setwise.reports.best import best_run, compared_pairs, corrected_pairs, groups_of, shared_test
from setwise.reports.inputs import DatasetSection, Run


@dataclass(frozen=True, slots=True)
class Gap:
    """How far the leader is from another run, in the metric's own units and direction."""

    other: Run
    difference: Estimate
    """Leader minus other."""
    p: float
    """After Holm's correction."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The best value of a scope, and what the tests show."""

    metric: str
    best: Run
    beaten: Sequence[Gap]
    """Closest first."""
    level: Sequence[Gap]
    """Those that cannot be separated from the leader, closest first."""
    comparisons: int
    """The number of comparisons that Holm's correction covers."""


def leads(
    section: DatasetSection, runs: Sequence[Run], columns: Sequence[str], metric: str, scope: Callable[[Run], str]
) -> list[Lead]:
    """The lead of every scope in which the metric was tested between at least two runs.

    `columns` are those of the metric's table, and the correction covers all of them.
    """
    corrected = corrected_pairs(section.differences, runs, columns, scope)
    tested = compared_pairs(section.differences, runs, columns, scope)
    test, sign = shared_test(metric), -1 if find_metric(metric).better == "lower" else 1
    found = []
    for group in groups_of(runs, metric, scope):
        best = best_run(group, metric)
        gaps = []
        for other in group:
            key = (test, frozenset((best.name, other.name)))
            if other is not best and key in tested:
                difference = tested[key].value if tested[key].second == best.name else -tested[key].value
                gaps.append(Gap(other, difference, corrected[key]))
        gaps.sort(key=lambda gap: abs(gap.difference.value))
        # Values are on each run's own problems, differences on the shared ones, so the two may disagree.
        beaten = [gap for gap in gaps if gap.p <= ALPHA and sign * gap.difference.value > 0]
        if gaps:
            found.append(Lead(metric, best, beaten, [gap for gap in gaps if gap not in beaten], len(corrected)))
    return found
