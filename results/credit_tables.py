"""Credit per answer beside the paper's credit with as many steps: the tables of docs/results/ddxplus-credit.md,
hotpotqa-credit.md and mbpp-credit.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results.blocks import estimate_span
from results.claims import difference, over_seeds
from results.trainings import Run, Trainings, evaluations, metrics_of, within_places

TITLES = {
    "rlvr-single": "RLVR-single",
    "rlvr-multi": "RLVR-multi",
    "rlvr-multi+prompt": "RLVR-multi, asked for confidences",
    "rlcr-multi": "RLCR-multi",
    "rlcr-single": "RLCR-single",
}


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


TOKENS = Column("tokens for three answers", measured("tokens"), digits=0)
COLUMNS = (
    Column("first right", measured("pass_at_1")),
    Column("coverage", measured("coverage")),
    TOKENS,
    Column("Brier score, all answers", measured("pooled/brier", "top1/brier")),
    Column("of the best constant", measured("pooled/brier_base_rate", "top1/brier_base_rate")),
    Column("AUROC, all answers", measured("pooled/auroc", "top1/auroc")),
    Column("within places", within_places),
    Column("AUROC, sets", measured("set/auroc")),
    Column("set ECE", measured("set/ece")),
)
PROGRAMS = Column("different right programs", measured("distinct_correct/canonical"), digits=2)
"""Ignoring names and whatever does not change the result."""
FOR_PROGRAMS = (*COLUMNS[:2], PROGRAMS, *COLUMNS[2:])
Groups = Mapping[str, Mapping[str, Sequence[Run]]]
"""By title of a group and of a row: the runs that share the row."""

PAIRED = (
    ("rlvr-single", "pass_at_1", "first right"),
    ("rlvr-multi", "coverage", "coverage"),
    ("rlvr-multi+prompt", "set/ece", "set ECE"),
    ("rlcr-multi", "coverage", "coverage"),
    ("rlcr-multi", "pooled/brier", "Brier score, all answers"),
    ("rlcr-multi", "set/ece", "set ECE"),
)


def credit_table(folders: Mapping[str, Path], dataset: Trainings, columns: Sequence[Column] = COLUMNS) -> Iterator[str]:
    beside = {title: [run] for title, run in dataset.beside.items()}
    groups = {
        "credit per answer": with_seeds({f"RLCR-multi, {dataset.score}": dataset.ours, **beside}),
        "the paper's credit": with_seeds({TITLES[method]: dataset.of(method) for method in dataset.methods}),
    }
    yield from grouped(folders, groups, columns)


def with_seeds(rows: Mapping[str, Sequence[Run]]) -> dict[str, Sequence[Run]]:
    """The same, with the seeds of each row, 0 and following, in its title."""

    def seeds(count: int) -> str:
        return f"seed{'s' if count > 1 else ''} {', '.join(map(str, range(count)))}"

    return {f"{title}, {seeds(len(runs))}": runs for title, runs in rows.items()}


def paired_table(folders: Mapping[str, Path], dataset: Trainings) -> Iterator[str]:
    """Credit per answer against the paper's credit with the same seed and, if there are several, over all. Blank for
    what was not trained."""
    headings = [f"seed {seed}" for seed in range(dataset.seeds)] + ["over trainings"] * (dataset.seeds > 1)
    yield "| RLCR-multi paid per answer, minus | metric | " + " | ".join(headings) + " |"
    yield "| --- | --- |" + " ---: |" * len(headings)
    for method, metric, name in PAIRED:
        theirs, ours = evaluations(folders, dataset.of(method)), evaluations(folders, dataset.ours)
        if not theirs:
            continue
        cells = [estimate_span(difference(metric, *pair).value) for pair in zip(theirs, ours, strict=False)]
        cells += [""] * (len(ours) - len(theirs))
        if len(ours) > 1:
            cells.append(estimate_span(over_seeds(metric, theirs, ours).value) if len(theirs) == len(ours) else "")
        yield f"| {TITLES[method]} | {name} | {' | '.join(cells)} |"


def grouped(folders: Mapping[str, Path], groups: Groups, columns: Sequence[Column] = COLUMNS) -> Iterator[str]:
    """A table with the values of a row's trainings side by side."""
    yield "| | " + " | ".join(each.heading for each in columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)
    for group, rows in groups.items():
        yield f"| *{group}* |" + " |" * len(columns)
        for title, runs in rows.items():
            found = evaluations(folders, runs)
            yield f"| {title} | " + " | ".join(_cell(found, each) for each in columns) + " |"


def _cell(runs: Sequence[Path], column: Column) -> str:
    """Blank for what a run has not: sets of single answers, or confidences."""
    numbers = map(column.number, runs)
    return ", ".join(f"{number:.{column.digits}f}" for number in numbers if number is not None)
