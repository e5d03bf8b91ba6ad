"""Tables with a row for each method, the values of its trainings side by side, and a column for each number."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results.readings import metrics_of, within_places
from results.trainings import Run, evaluations

TITLES = {
    "rlvr-single": "RLVR-single",
    "rlvr-multi": "RLVR-multi",
    "rlvr-multi+prompt": "RLVR-multi, asked for confidences",
    "rlcr-multi": "RLCR-multi",
    "rlcr-single": "RLCR-single",
}
"""By method, as it was trained and asked."""
Groups = Mapping[str, Mapping[str, Sequence[Run]]]
"""By title of a group and of a row: the runs that share the row."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a column shows of an evaluation; None if it has no such number."""

    heading: str
    number: Callable[[Path], float | None]
    digits: int = 3


def measured(*names: str) -> Callable[[Path], float | None]:
    """The first of these metrics that a run has: one of sets or, where one answer is given, of that answer."""

    def value(run: Path) -> float | None:
        metrics = metrics_of(run)
        return next((found.value for name in names if (found := metrics.get(name))), None)

    return value


FIRST, COVERAGE = Column("first right", measured("pass_at_1")), Column("coverage", measured("coverage"))
TOKENS = Column("tokens for three answers", measured("tokens"), digits=0)
WITHIN, SET_ECE = Column("within places", within_places), Column("set ECE", measured("set/ece"))
COLUMNS = (
    FIRST,
    COVERAGE,
    TOKENS,
    Column("Brier score, all answers", measured("pooled/brier", "top1/brier")),
    Column("of the best constant", measured("pooled/brier_base_rate", "top1/brier_base_rate")),
    Column("AUROC, all answers", measured("pooled/auroc", "top1/auroc")),
    WITHIN,
    Column("AUROC, sets", measured("set/auroc")),
    SET_ECE,
)
PROGRAMS = Column("different right programs", measured("distinct_correct/canonical"), digits=2)
"""Ignoring names and whatever does not change the result."""
FOR_PROGRAMS = (FIRST, COVERAGE, PROGRAMS, *COLUMNS[2:])


def grouped(folders: Mapping[str, Path], groups: Groups, columns: Sequence[Column] = COLUMNS) -> Iterator[str]:
    yield "| | " + " | ".join(each.heading for each in columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)
    for group, rows in groups.items():
        yield f"| *{group}* |" + " |" * len(columns)
        for title, runs in rows.items():
            found = evaluations(folders, runs)
            yield f"| {title} | " + " | ".join(_cell(found, each) for each in columns) + " |"


def _cell(runs: Sequence[Path], column: Column) -> str:
    """Blank for what a method lacks: sets, or confidences."""
    numbers = [column.number(run) for run in runs]
    if not any(number is not None for number in numbers):
        return ""
    return ", ".join("-" if number is None else f"{number:.{column.digits}f}" for number in numbers)


def with_seeds(rows: Mapping[str, Sequence[Run]], first: int = 0) -> dict[str, Sequence[Run]]:
    """The same, with the seeds of each row in its title."""
    return {f"{title}, {seeds(len(runs), first)}": runs for title, runs in rows.items()}


def seeds(count: int, first: int = 0) -> str:
    """
    >>> seeds(3), seeds(1, first=1)
    ('seeds 0, 1, 2', 'seed 1')
    """
    return f"seed{'s' if count > 1 else ''} {', '.join(map(str, range(first, first + count)))}"
