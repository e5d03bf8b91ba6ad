"""How evaluations differ. Several tables show the same pairs and groups, so each is measured once."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from setwise.evaluation.compare import compare, difference_in
from setwise.evaluation.over_seeds import compare_over_seeds
from setwise.evaluation.side_by_side import MeasuredRun, load_runs, side_by_side
from setwise.records.comparison import Comparison
from setwise.records.measured import Estimate
from setwise.records.seed_comparison import SeedComparison, SeedDifference
from setwise.statistics import RESAMPLES


@cache
def compared(*runs: Path) -> Comparison:
    """All tested metrics, corrected for their number."""
    return compare(list(runs))


def difference(metric: str, first: Path, second: Path) -> Estimate:
    """Of the second run from the first, in any metric."""
    return difference_in(metric, *_measured(first, second)).value


@cache
def _measured(*runs: Path) -> list[MeasuredRun]:
    return side_by_side(load_runs(runs), resamples=RESAMPLES, seed=0).runs


def over_seeds(metric: str, *groups: Iterable[Path]) -> SeedDifference:
    """Of the second group of runs, which differ in their seeds, from the first."""
    [found] = (each for each in _over_seeds(*map(tuple, groups)).differences if each.metric == metric)
    return found


@cache
def _over_seeds(*groups: tuple[Path, ...]) -> SeedComparison:
    return compare_over_seeds(groups)
