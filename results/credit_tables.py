"""Credit per answer on DDXPlus, beside the paper's credit: the tables of docs/results/ddxplus-credit.md."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results.claims import SEEDS, compared, over_seeds
from setwise.records.measured import Estimate, Metrics
from setwise.records.run import RunFolder

OURS = "ddxplus-credit"
BEFORE = SEEDS["DDXPlus"]
EQUAL = "ddxplus-160"
"""As many steps as ours, of 8 patients x 16 samples."""
MORE = "ddxplus-132"
"""Twice the patients a step, half the samples of each."""
CHOSEN = "rlcr-multi-weight-4"
AGAIN = "rlcr-multi-per-answer-seed1"
PER_ANSWER_AGAIN = {
    "8 x 16": ((0, (OURS, CHOSEN)), (1, (EQUAL, AGAIN))),
    "16 x 8": tuple((seed, (MORE, f"rlcr-multi-per-answer-seed{seed}")) for seed in (0, 1)),
}
"""The trainings with the chosen weight: by patients x samples of a step, each seed's archive and evaluation."""
PER_ANSWER = {
    "RLCR-multi, weight 1, bonus 0.01": "rlcr-multi-weight-1",
    "RLCR-multi, weight 4, bonus 0.04": CHOSEN,
    "RLCR-single, weight 2, bonus 0.02": "rlcr-single-weight-2",
}
FASTER = "rlcr-multi-per-answer-rate-4e-6-seed1"


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


def credit_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """Every run, with the paper's credit and with credit per answer."""
    equal, ours = folders[EQUAL] / "eval", folders[OURS] / "eval"
    before = {
        title: [folders[archive] / "eval" / run for archive in BEFORE]
        for title, run in {
            "RLVR-single": "rlvr-single",
            "RLVR-multi, confidences asked for by the prompt": "rlvr-multi+prompt",
            "RLCR-multi": "rlcr-multi",
        }.items()
    }
    papers = {
        "RLVR-single": [equal / "rlvr-single-seed0", equal / "rlvr-single-seed1"],
        "RLVR-multi": [equal / "rlvr-multi-seed0"],
        "RLCR-multi": [equal / "rlcr-multi-seed0"],
    }
    per_answer = {title: [ours / run, *([equal / AGAIN] if run == CHOSEN else [])] for title, run in PER_ANSWER.items()}
    more = folders[MORE] / "eval"
    per_answer_more = {
        "RLCR-multi, weight 4, bonus 0.04": [
            folders[archive] / "eval" / run for _, (archive, run) in PER_ANSWER_AGAIN["16 x 8"]
        ],
        "the same with rate 4e-6, seed 1": [more / FASTER],
    }
    papers_more = {
        "RLVR-single": [more / "rlvr-single-seed1"],
        "RLVR-multi": [more / "rlvr-multi-seed1"],
        "RLVR-multi, confidences asked for by the prompt": [more / "rlvr-multi+prompt-seed1"],
        "RLCR-multi": [more / "rlcr-multi-seed1"],
    }
    yield from _head(COLUMNS)
    for group, rows in {
        "per answer, 160 steps of 8 x 16, seeds 0 and 1": per_answer,
        "per answer, 132 steps of 16 x 8, seeds 0 and 1": per_answer_more,
        "the paper's credit, 160 steps of 8 x 16": papers,
        "the paper's credit, 132 steps of 16 x 8, seed 1": papers_more,
        "the paper's credit, 68 steps of 16 x 16": before,
    }.items():
        yield f"| *{group}* |" + " |" * len(COLUMNS)
        yield from (_row(title, runs, COLUMNS) for title, runs in rows.items())


def validation_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """What settings were chosen by: patients who are in no other table."""
    columns = tuple(each for each in COLUMNS if each.metric != "tokens")
    yield from _head(columns)
    for title, run in PER_ANSWER.items():
        yield _row(title, [folders[OURS] / "eval" / f"{run}-validation"], columns)
    for title, run in {"16 x 8, rate 2e-6, seed 1": AGAIN, "16 x 8, rate 4e-6, seed 1": FASTER}.items():
        yield _row(title, [folders[MORE] / "eval" / f"{run}-validation"], columns)


def paired_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """The chosen settings against the paper's credit with as many steps and the same seed, and over those trainings."""
    settings = {
        "8 x 16, seed 0": (EQUAL, OURS, CHOSEN),
        "8 x 16, seed 1": (EQUAL, EQUAL, AGAIN),
        "16 x 8, seed 1": (MORE, MORE, AGAIN),
    }
    yield f"| RLCR-multi paid per answer, weight 4, minus | metric | {' | '.join(settings)} | over trainings |"
    yield "| --- | --- |" + " ---: |" * (len(settings) + 1)
    for title, run, metric, name in (
        ("RLVR-single", "rlvr-single", "pass_at_1", "first right"),
        ("RLVR-multi", "rlvr-multi", "coverage", "coverage"),
        ("RLVR-multi, confidences asked for", "rlvr-multi+prompt", "set/ece", "set ECE"),
        ("RLCR-multi", "rlcr-multi", "coverage", "coverage"),
        ("RLCR-multi", "rlcr-multi", "pooled/brier", "Brier score, all answers"),
        ("RLCR-multi", "rlcr-multi", "set/ece", "set ECE"),
    ):
        pairs = {
            setting: (folders[papers] / "eval" / f"{run}-seed{setting[-1]}", folders[archive] / "eval" / ours)
            for setting, (papers, archive, ours) in settings.items()
        }
        pairs = {setting: pair for setting, pair in pairs.items() if pair[0].exists()}
        cells = [_difference(*pairs[setting], metric) if setting in pairs else "" for setting in settings]
        cells.append(_span(over_seeds(metric, *zip(*pairs.values(), strict=True)).value) if len(pairs) > 1 else "")
        yield f"| {title} | {name} | {' | '.join(cells)} |"


def _difference(before: Path, after: Path, metric: str) -> str:
    [each] = (found for found in compared(before, after).differences if found.metric == metric)
    return _span(each.value)


def _span(value: Estimate) -> str:
    return f"{value.value:+.3f} [{value.low:+.3f}, {value.high:+.3f}]"


def _head(columns: tuple[Column, ...]) -> Iterator[str]:
    yield "| | " + " | ".join(each.heading for each in columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)


def _row(title: str, runs: Sequence[Path], columns: tuple[Column, ...]) -> str:
    measured = [RunFolder(run).read_metrics().metrics for run in runs]
    return f"| {title} | " + " | ".join(_cell(measured, each) for each in columns) + " |"


def _cell(measured: Sequence[Metrics], column: Column) -> str:
    """Blank for what a run has not: sets of single answers, or confidences."""
    digits = 0 if column.metric == "tokens" else 3
    found = (metrics.get(column.metric) or metrics.get(column.of_one) for metrics in measured)
    return ", ".join(f"{each.value:.{digits}f}" for each in found if each is not None)
