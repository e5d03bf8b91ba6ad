"""Credit per answer on DDXPlus beside the paper's credit, 160 steps of 8 patients x 16 samples each: the tables of
docs/results/ddxplus-credit.md."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results.claims import SEEDS, compared, over_seeds
from setwise.records.measured import Estimate, Metrics
from setwise.records.run import RunFolder

CHOSEN = tuple(("ddxplus-warmup", f"rlcr-multi-per-answer-seed{seed}") for seed in range(3))
"""The trainings with the chosen settings: archive and evaluation, by seed."""
SINGLE = ("ddxplus-credit", "rlcr-single-weight-2")
PAPERS = "ddxplus-160"
"""The paper's credit, with as many steps."""
MORE_PATIENTS = "ddxplus-132"
"""132 steps of 16 patients x 8 samples."""
ASKED = (*((archive, "rlvr-multi+prompt") for archive in SEEDS["DDXPlus"]), (MORE_PATIENTS, "rlvr-multi+prompt-seed1"))
"""RLVR-multi's confidences, which its prompt asks for. Those of the trainings with 160 steps are missing."""


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
Groups = Mapping[str, Mapping[str, Sequence[tuple[str, str]]]]
"""By title of a group and of a row: the archives and evaluations that share the row."""


def credit_table(folders: Mapping[str, Path]) -> Iterator[str]:
    yield from grouped(
        folders,
        {
            "credit per answer": {"RLCR-multi, seeds 0, 1, 2": CHOSEN, "RLCR-single, seed 0": [SINGLE]},
            "the paper's credit, as many steps": {
                "RLVR-single, seeds 0, 1": [(PAPERS, "rlvr-single-seed0"), (PAPERS, "rlvr-single-seed1")],
                "RLVR-multi, seed 0": [(PAPERS, "rlvr-multi-seed0")],
                "RLCR-multi, seed 0": [(PAPERS, "rlcr-multi-seed0")],
            },
            "the paper's credit, 68 steps of 16 x 16 (seeds 0, 1) and 132 of 16 x 8 (seed 1)": {
                "RLVR-multi, confidences asked for by the prompt": ASKED
            },
        },
    )


def paired_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """The chosen settings against the paper's credit with as many steps and the same seed, and over those trainings."""
    yield "| RLCR-multi paid per answer, minus | metric | seed 0 | seed 1 | seed 2 | over trainings |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for title, run, metric, name in (
        ("RLVR-single", "rlvr-single", "pass_at_1", "first right"),
        ("RLVR-multi", "rlvr-multi", "coverage", "coverage"),
        ("RLCR-multi", "rlcr-multi", "coverage", "coverage"),
        ("RLCR-multi", "rlcr-multi", "pooled/brier", "Brier score, all answers"),
        ("RLCR-multi", "rlcr-multi", "set/ece", "set ECE"),
    ):
        pairs = {
            seed: (folders[PAPERS] / "eval" / f"{run}-seed{seed}", folders[archive] / "eval" / ours)
            for seed, (archive, ours) in enumerate(CHOSEN)
        }
        pairs = {seed: pair for seed, pair in pairs.items() if pair[0].exists()}
        cells = [_difference(*pairs[seed], metric) if seed in pairs else "" for seed in range(len(CHOSEN))]
        cells.append(_span(over_seeds(metric, *zip(*pairs.values(), strict=True)).value) if len(pairs) > 1 else "")
        yield f"| {title} | {name} | {' | '.join(cells)} |"


def _difference(before: Path, after: Path, metric: str) -> str:
    [each] = (found for found in compared(before, after).differences if found.metric == metric)
    return _span(each.value)


def _span(value: Estimate) -> str:
    return f"{value.value:+.3f} [{value.low:+.3f}, {value.high:+.3f}]"


def grouped(folders: Mapping[str, Path], groups: Groups, columns: Sequence[Column] = COLUMNS) -> Iterator[str]:
    """A table with the values of a row's trainings side by side."""
    yield "| | " + " | ".join(each.heading for each in columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)
    for group, rows in groups.items():
        yield f"| *{group}* |" + " |" * len(columns)
        for title, runs in rows.items():
            measured = [RunFolder(folders[archive] / "eval" / run).read_metrics().metrics for archive, run in runs]
            yield f"| {title} | " + " | ".join(_cell(measured, each) for each in columns) + " |"


def _cell(measured: Sequence[Metrics], column: Column) -> str:
    """Blank for what a run has not: sets of single answers, or confidences."""
    digits = 0 if column.metric == "tokens" else 3
    found = (metrics.get(column.metric) or metrics.get(column.of_one) for metrics in measured)
    return ", ".join(f"{each.value:.{digits}f}" for each in found if each is not None)
