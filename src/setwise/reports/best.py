"""Which cells of a table may be called the best."""

from collections.abc import Callable, Sequence
from itertools import combinations

from setwise.metrics import find_metric
from setwise.records.comparison import ALPHA, Difference
from setwise.reports.inputs import Run
from setwise.statistics import holm


def winners(
    differences: Sequence[Difference], runs: Sequence[Run], columns: Sequence[str], scope: Callable[[Run], str]
) -> set[tuple[str, str]]:
    """(run, metric) pairs that beat every other run of their scope, each difference surviving Holm's correction.

    The correction is over every pair of rows within a scope and every column tested: the comparisons that a reader
    of the table makes. A column without a tested difference has no winner.
    """
    family = compared_pairs(differences, runs, columns, scope)
    corrected = dict(zip(family, holm([each.p for each in family.values()]), strict=True))
    found = set()
    for metric in columns:
        for group in _groups(runs, metric, scope):
            best = _best(group, metric)
            others = [run for run in group if run is not best]
            test = _test_of(metric)
            if others and all(corrected.get((test, frozenset((best.name, o.name))), 1.0) <= ALPHA for o in others):
                found.add((best.name, metric))
    return found


def compared_pairs(
    differences: Sequence[Difference], runs: Sequence[Run], columns: Sequence[str], scope: Callable[[Run], str]
) -> dict[tuple[str, frozenset[str]], Difference]:
    """Every tested difference between two rows of one scope, by metric and pair, each once."""
    tested = {(each.metric, frozenset((each.first, each.second))): each for each in differences}
    found = {}
    for first, second in combinations(runs, 2):
        if scope(first) == scope(second):
            pair = frozenset((first.name, second.name))
            for metric in dict.fromkeys(map(_test_of, columns)):
                if (metric, pair) in tested:
                    found[metric, pair] = tested[metric, pair]
    return found


def _test_of(metric: str) -> str:
    """The metric whose test a column shares: at one K the two are the same, and it is made once."""
    return find_metric(metric).tested_as or metric


def _groups(runs: Sequence[Run], metric: str, scope: Callable[[Run], str]) -> list[list[Run]]:
    groups: dict[str, list[Run]] = {}
    for run in runs:
        if metric in run.numbers:
            groups.setdefault(scope(run), []).append(run)
    return list(groups.values())


def _best(runs: Sequence[Run], metric: str) -> Run:
    sign = -1 if find_metric(metric).better == "lower" else 1
    return max(runs, key=lambda run: sign * run.numbers[metric].value)
