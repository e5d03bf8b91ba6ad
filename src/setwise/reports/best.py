"""Which cells of a table count as best."""

from collections.abc import Callable, Sequence
from itertools import combinations

from setwise.metrics import find_metric
from setwise.records.comparison import ALPHA, Difference
from setwise.reports.inputs import Run
from setwise.statistics import holm


def winners(
    differences: Sequence[Difference], runs: Sequence[Run], columns: Sequence[str], scope: Callable[[Run], str]
) -> set[tuple[str, str]]:
    """(run, metric) pairs that beat every other run of their scope, with each difference surviving Holm's correction.

    The correction covers every pair of rows within a scope and every tested column: the comparisons that a reader of
    the table makes. A column without a tested difference has no winner.
    """
    corrected = corrected_pairs(differences, runs, columns, scope)
    found = set()
    for metric in columns:
        for group in groups_of(runs, metric, scope):
            best = best_run(group, metric)
            others = [run for run in group if run is not best]
            test = shared_test(metric)
            if others and all(corrected.get((test, frozenset((best.name, o.name))), 1.0) <= ALPHA for o in others):
                found.add((best.name, metric))
    return found


def corrected_pairs(
    differences: Sequence[Difference], runs: Sequence[Run], columns: Sequence[str], scope: Callable[[Run], str]
) -> dict[tuple[str, frozenset[str]], float]:
    """The p of every difference in `compared_pairs`, after Holm's correction over all of them."""
    family = compared_pairs(differences, runs, columns, scope)
    return dict(zip(family, holm([each.p for each in family.values()]), strict=True))


def compared_pairs(
    differences: Sequence[Difference], runs: Sequence[Run], columns: Sequence[str], scope: Callable[[Run], str]
) -> dict[tuple[str, frozenset[str]], Difference]:
    """Every tested difference between two rows of one scope, by metric and pair, each once."""
    tested = {(each.metric, frozenset((each.first, each.second))): each for each in differences}
    found = {}
    for first, second in combinations(runs, 2):
        if scope(first) == scope(second):
            pair = frozenset((first.name, second.name))
            for metric in dict.fromkeys(map(shared_test, columns)):
                if (metric, pair) in tested:
                    found[metric, pair] = tested[metric, pair]
    return found


def shared_test(metric: str) -> str:
    """The metric whose test a column shares. At one K the two tests are the same, so it is made once."""
    return find_metric(metric).tested_as or metric


def groups_of(runs: Sequence[Run], metric: str, scope: Callable[[Run], str]) -> list[list[Run]]:
    """The runs of each scope that have the metric."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        if metric in run.numbers:
            groups.setdefault(scope(run), []).append(run)
    return list(groups.values())


def best_run(runs: Sequence[Run], metric: str) -> Run:
    """The run with the best value, whether or not a test separates it from the others."""
    sign = -1 if find_metric(metric).better == "lower" else 1
    return max(runs, key=lambda run: sign * run.numbers[metric].value)
