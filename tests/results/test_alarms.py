"""Which published trainings today's alarm of collapsed confidences rings in."""

from pathlib import Path
from statistics import fmean

from setwise.records.training_log import TrainingLog
from setwise.training.watch.alarms import PASSING, WINDOW, AlarmBoard

LATE = ("ddxplus-240", "rlcr-multi-seed0")
"""Its confidences came to 0 and parted again, but not soon."""
COLLAPSED = {
    LATE,
    ("ddxplus-160", "rlcr-single-seed0"),
    ("ddxplus-seed0", "rlcr-single"),
    ("ddxplus-seed0-half", "calibration-1"),  # RLCR-single too
    ("ddxplus-seed1", "rlcr-single"),
    ("hotpotqa-120", "rlcr-multi-seed1"),
    ("hotpotqa-120", "rlcr-single-seed0"),
    ("hotpotqa-seed0", "rlcr-single"),
    ("mbpp-120", "rlcr-multi-seed1"),
    ("mbpp-120", "rlcr-single-per-answer-expected-seed0"),
    ("mbpp-120", "rlcr-single-per-answer-seed0"),
    ("mbpp-120", "rlcr-single-seed0"),
}
SETS = {(archive, run) for archive, run in COLLAPSED if run.startswith("rlcr-multi")} - {LATE}
"""Their confidences all came to 0 and to a third, and stayed there."""


def test_confidences_collapse_in_single_answers_and_in_three_trainings_of_sets(unpacked: dict[str, Path]):
    trainings = {
        (archive, run.name): run for archive, folder in unpacked.items() for run in sorted(folder.glob("train/*"))
    }
    assert {name for name, run in trainings.items() if _rings(run)} == COLLAPSED


def test_other_sets_whose_confidences_fell_together_part_again(unpacked: dict[str, Path]):
    spans = {
        (archive, run.name): _alike(run)
        for archive, folder in unpacked.items()
        for run in folder.glob("train/rlcr-multi*")
        if (archive, run.name) not in SETS
    }
    assert PASSING < spans.pop(LATE) < 60
    assert sum(span > 0 for span in spans.values()) == 11
    assert max(spans.values()) == 25 < PASSING


def _rings(run: Path) -> bool:
    board = AlarmBoard()
    steps = TrainingLog(run).steps()
    rung = {alarm.name for number, step in enumerate(steps, start=1) for alarm in board.watch(number, step)}
    return "confidence_collapse" in rung


def _alike(run: Path) -> int:
    """The steps from the first to the last window of ten whose confidences were all alike."""
    spread = [step["confidence/std"] for step in TrainingLog(run).steps() if "confidence/std" in step]
    ends = [end for end in range(WINDOW, len(spread) + 1) if fmean(spread[end - WINDOW : end]) < 0.03]
    return ends[-1] - ends[0] + WINDOW if ends else 0
