"""What confidences learned while training: a table of docs/results/hotpotqa-credit.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean

from results.trainings import BRIER_PAID, HOTPOTQA
from setwise.records.training_log import TrainingLog

KNOWN = "confidence/auroc_within_places"
WINDOWS = (range(41, 81), range(81, 111), range(111, 121))
"""Steps."""
ALARMS = ("confidence_collapse", "confidences_without_information")
RUNS = {
    **{f"per answer, {HOTPOTQA.score}, seed {seed}": run for seed, run in enumerate(HOTPOTQA.ours)},
    "per answer, Brier score, seed 0": BRIER_PAID,
    **{f"the paper's credit, seed {seed}": run for seed, run in enumerate(HOTPOTQA.of("rlcr-multi"))},
}
"""Trainings of RLCR-multi by title."""


def learning_table(folders: Mapping[str, Path]) -> Iterator[str]:
    headings = [f"steps {window[0]} to {window[-1]}" for window in WINDOWS] + [f"`{name}`" for name in ALARMS]
    yield f"| RLCR-multi | {' | '.join(headings)} |"
    yield "| --- |" + " ---: |" * len(headings)
    for title, (archive, run) in RUNS.items():
        log = TrainingLog(folders[archive] / "train" / run)
        steps = {step["step"]: step for step in log.steps()}
        known = [f"{fmean(steps[at][KNOWN] for at in window if KNOWN in steps[at]):.2f}" for window in WINDOWS]
        rung = {alarm.name: f"step {alarm.step}" for alarm in log.alarms()}
        yield f"| {title} | {' | '.join([*known, *(rung.get(name, '') for name in ALARMS)])} |"
