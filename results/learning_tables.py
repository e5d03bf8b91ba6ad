"""What was learned while training: tables of docs/results/hotpotqa-credit.md and published-runs.md."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from results.columns import TITLES
from results.trainings import BRIER_PAID, DATASETS, HOTPOTQA, MORE_STEPS, Run, by_seed
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


LAST = 20
"""Steps of a window before the end."""
METHODS = ("rlvr-single", "rlvr-multi", "rlcr-multi")


def covered_at_the_end(folders: Mapping[str, Path], runs: Sequence[Run], window: int) -> float:
    """Mean coverage over a window of steps, 0 being the last, and over trainings."""
    logs = [TrainingLog(folders[archive] / "train" / run).steps() for archive, run in runs]
    end = len(logs[0]) - window * LAST
    return fmean(step["coverage"] for log in logs for step in log[end - LAST : end])


def ending_table(folders: Mapping[str, Path]) -> Iterator[str]:
    windows = (3, 2, 1, 0)
    *before, last = (f"{LAST * (window + 1)} to {LAST * window}" for window in windows)
    headings = [f"{before[0]} steps before the end", *before[1:], last]
    yield f"| coverage | {' | '.join(headings)} |"
    yield "| --- |" + " ---: |" * len(headings)
    for title, dataset in {**DATASETS, **MORE_STEPS}.items():
        methods = {TITLES[method]: runs for method in METHODS if (runs := dataset.of(method))}
        for name, runs in {**methods, "RLCR-multi, credit per answer": dataset.ours}.items():
            found = (f"{covered_at_the_end(folders, runs, window):.2f}" for window in windows)
            yield f"| {title}: {name} | {' | '.join(found)} |"
