"""What confidences learned while training: a table of docs/results/hotpotqa-credit.md."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from results.trainings import BRIER_PAID, HOTPOTQA, by_seed
from setwise.records.training_log import Step, TrainingLog

KNOWN = "confidence/auroc_within_places"
WINDOWS = (range(41, 81), range(81, 111), range(111, 121))
"""Steps."""
ALARM = "confidences_without_information"
RUNS = {
    **by_seed(f"per answer, {HOTPOTQA.score}", HOTPOTQA.ours),
    **by_seed("per answer, Brier score", [BRIER_PAID]),
    **by_seed("the paper's credit", HOTPOTQA.of("rlcr-multi")),
}
"""Trainings of RLCR-multi by title."""


def known_in(steps: Sequence[Step], window: range) -> float:
    """The mean over the steps of a window that have it."""
    return fmean(step[KNOWN] for step in steps if step["step"] in window and KNOWN in step)


def learning_table(folders: Mapping[str, Path]) -> Iterator[str]:
    headings = [f"steps {window[0]} to {window[-1]}" for window in WINDOWS] + [f"`{ALARM}`"]
    yield f"| RLCR-multi | {' | '.join(headings)} |"
    yield "| --- |" + " ---: |" * len(headings)
    for title, (archive, run) in RUNS.items():
        log = TrainingLog(folders[archive] / "train" / run)
        known = [f"{known_in(log.steps(), window):.2f}" for window in WINDOWS]
        rung = next((f"step {alarm.step}" for alarm in log.alarms() if alarm.name == ALARM), "")
        yield f"| {title} | {' | '.join([*known, rung])} |"
