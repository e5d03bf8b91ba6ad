"""Credit per answer beside the paper's credit with as many steps: the tables of docs/results/ddxplus-credit.md and
docs/results/hotpotqa-credit.md."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results.blocks import signed_span
from results.claims import compared, over_seeds
from results.trainings import BRIER_PAID, DDXPLUS, HOTPOTQA, SINGLE, Run, Trainings, evaluations, metrics_of
from setwise.records.measured import Estimate, Metrics

TITLES = {
    "rlvr-single": "RLVR-single",
    "rlvr-multi": "RLVR-multi",
    "rlvr-multi+prompt": "RLVR-multi, asked for confidences",
    "rlcr-multi": "RLCR-multi",
}


@dataclass(frozen=True, slots=True)
class Column:
    """What a column shows: a metric of sets or, where one answer is given, of that answer."""

    heading: str
    metric: str
    of_one: str = ""


COLUMNS = (
    Column("first right", "pass_at_1"),
    Column("coverage", "coverage"),
    Column("tokens for three answers", "tokens"),
    Column("Brier score, all answers", "pooled/brier", "top1/brier"),
    Column("of the best constant", "pooled/brier_base_rate", "top1/brier_base_rate"),
    Column("AUROC, all answers", "pooled/auroc", "top1/auroc"),
    Column("AUROC, sets", "set/auroc"),
    Column("set ECE", "set/ece"),
)
BESIDE = {
    DDXPLUS.per_answer: {"RLCR-single": [SINGLE]},
    HOTPOTQA.per_answer: {"RLCR-multi, by the Brier score": [BRIER_PAID]},
}
"""By archive: other trainings with credit per answer, all with seed 0."""
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


def credit_table(folders: Mapping[str, Path], dataset: Trainings) -> Iterator[str]:
    rows = {
        "credit per answer": {"RLCR-multi": dataset.ours, **BESIDE[dataset.per_answer]},
        "the paper's credit": {TITLES[method]: dataset.of(method) for method in dataset.methods},
    }
    named = {
        group: {f"{title}, {seeds_from_0(len(runs))}": runs for title, runs in trained.items()}
        for group, trained in rows.items()
    }
    yield from grouped(folders, named)


def seeds_from_0(count: int) -> str:
    return f"seed{'s' if count > 1 else ''} {', '.join(map(str, range(count)))}"


def paired_table(folders: Mapping[str, Path], dataset: Trainings) -> Iterator[str]:
    """Credit per answer against the paper's credit with the same seed, and over all seeds. Blank for what was not
    trained."""
    headings = [*(f"seed {seed}" for seed in range(dataset.seeds)), "over trainings"]
    yield "| RLCR-multi paid per answer, minus | metric | " + " | ".join(headings) + " |"
    yield "| --- | --- |" + " ---: |" * len(headings)
    for method, metric, name in PAIRED:
        theirs, ours = evaluations(folders, dataset.of(method)), evaluations(folders, dataset.ours)
        cells = [_difference(*pair, metric) for pair in zip(theirs, ours, strict=False)]
        cells += [""] * (len(ours) - len(theirs))
        cells.append(_span(over_seeds(metric, theirs, ours).value) if len(theirs) == len(ours) else "")
        yield f"| {TITLES[method]} | {name} | {' | '.join(cells)} |"


def _difference(before: Path, after: Path, metric: str) -> str:
    [each] = (found for found in compared(before, after).differences if found.metric == metric)
    return _span(each.value)


def _span(value: Estimate) -> str:
    return signed_span(value.value, value.low, value.high)


def grouped(folders: Mapping[str, Path], groups: Groups, columns: Sequence[Column] = COLUMNS) -> Iterator[str]:
    """A table with the values of a row's trainings side by side."""
    yield "| | " + " | ".join(each.heading for each in columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)
    for group, rows in groups.items():
        yield f"| *{group}* |" + " |" * len(columns)
        for title, runs in rows.items():
            measured = [metrics_of(run) for run in evaluations(folders, runs)]
            yield f"| {title} | " + " | ".join(_cell(measured, each) for each in columns) + " |"


def _cell(measured: Sequence[Metrics], column: Column) -> str:
    """Blank for what a run has not: sets of single answers, or confidences."""
    digits = 0 if column.metric == "tokens" else 3
    found = (metrics.get(column.metric) or metrics.get(column.of_one) for metrics in measured)
    return ", ".join(f"{each.value:.{digits}f}" for each in found if each is not None)
