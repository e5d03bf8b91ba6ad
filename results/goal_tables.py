"""What credit per answer was to show, line by line and seed by seed: tables of docs/results/overview.md and
rlcr-single.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results.readings import metrics_of
from results.trainings import (
    ALL_DIGITS,
    BRIER_PAID,
    DDXPLUS_160,
    DDXPLUS_240,
    DECAYED,
    HOTPOTQA,
    HOTPOTQA_200,
    LARGER_BONUS,
    MBPP,
    MBPP_150,
    PROGRAMS_BRIER,
    SINGLE,
    SINGLE_PROGRAMS,
    SINGLE_QUESTIONS,
    Run,
    Trainings,
    evaluations,
)
from setwise.records.training_log import TrainingLog


@dataclass(frozen=True, slots=True)
class Goal:
    """A number of a training with credit per answer, maybe beside the run of another method with the same seed."""

    title: str
    beside: str
    """The method; empty if the number needs no other."""
    number: Callable[[Path, Path], float]
    met: Callable[[float], bool]
    shown: Callable[[float], str] = "{:.3f}".format


def _value(metric: str) -> Callable[[Path, Path], float]:
    return lambda ours, _: metrics_of(ours)[metric].value


def _ratio(metric: str) -> Callable[[Path, Path], float]:
    return lambda ours, theirs: metrics_of(ours)[metric].value / metrics_of(theirs)[metric].value


def _difference(metric: str) -> Callable[[Path, Path], float]:
    return lambda ours, theirs: metrics_of(ours)[metric].value - metrics_of(theirs)[metric].value


def _lower_end(metric: str) -> Callable[[Path, Path], float]:
    def number(ours: Path, _: Path) -> float:
        low = metrics_of(ours)[metric].low
        assert low is not None, "a published run has intervals"
        return low

    return number


def collapsed_at(ours: Path, _: Path) -> float:
    """The step at which the alarm rang in its training; 0 if it never did."""
    log = TrainingLog(ours.parents[1] / "train" / ours.name)
    assert log.exists, "a published training has its log"
    return next((alarm.step for alarm in log.alarms() if alarm.name == "confidence_collapse"), 0)


SIGNED = "{:+.3f}".format
GOALS = (
    Goal(
        "Brier skill over the best constant, lower end of its interval: above 0",
        "",
        _lower_end("pooled/brier_skill"),
        lambda low: low > 0,
        SIGNED,
    ),
    Goal(
        "set ECE minus RLVR-multi's: below 0",
        "rlvr-multi+prompt",
        _difference("set/ece"),
        lambda gap: gap < 0,
        SIGNED,
    ),
    Goal(
        "AUROC of sets: at least 0.70",
        "",
        _value("set/auroc"),
        lambda area: area >= 0.7,
    ),
    Goal(
        "first answers right, over RLVR-single's: at least 0.98",
        "rlvr-single",
        _ratio("pass_at_1"),
        lambda ratio: ratio >= 0.98,
    ),
    Goal(
        "coverage minus RLVR-multi's: at least -0.02",
        "rlvr-multi",
        _difference("coverage"),
        lambda gap: gap >= -0.02,
        SIGNED,
    ),
    Goal(
        "tokens for three answers, over RLVR-single's: at most 0.6",
        "rlvr-single",
        _ratio("tokens"),
        lambda ratio: ratio <= 0.6,
        "{:.2f}".format,
    ),
)
SINGLE_GOALS = (
    Goal(
        "answers right, over RLVR-single's: at least 0.95",
        "rlvr-single",
        _ratio("pass_at_1"),
        lambda ratio: ratio >= 0.95,
    ),
    Goal(
        "Brier skill over the best constant: above 0",
        "",
        _value("top1/brier_skill"),
        lambda skill: skill > 0,
        SIGNED,
    ),
    Goal(
        "no collapse: the alarm `confidence_collapse` never rings",
        "",
        collapsed_at,
        lambda step: step == 0,
        lambda step: f"step {step:.0f}" if step else "never",
    ),
)

Attempts = Sequence[tuple[str, Trainings, list[Run]]]
ATTEMPTS: Attempts = (
    ("DDXPlus, 240 steps, Brier score", DDXPLUS_240, DDXPLUS_240.ours),
    ("DDXPlus, 160 steps, Brier score", DDXPLUS_160, DDXPLUS_160.ours),
    ("DDXPlus, 160 steps, Brier score, falling rate", DDXPLUS_160, DECAYED),
    ("HotPotQA-Modified, 200 steps, log score", HOTPOTQA_200, HOTPOTQA_200.ours),
    ("HotPotQA-Modified, 120 steps, log score", HOTPOTQA, HOTPOTQA.ours),
    ("HotPotQA-Modified, 120 steps, Brier score", HOTPOTQA, [BRIER_PAID]),
    ("MBPP, 150 steps, log score", MBPP_150, MBPP_150.ours),
    ("MBPP, 120 steps, log score", MBPP, MBPP.ours),
    ("MBPP, 120 steps, Brier score", MBPP, [PROGRAMS_BRIER]),
)
"""RLCR-multi with credit per answer: a title, what stands beside it, and its trainings by seed."""
SINGLE_ATTEMPTS: Attempts = (
    ("DDXPlus, 160 steps, Brier score", DDXPLUS_160, [SINGLE]),
    ("HotPotQA-Modified, log score", HOTPOTQA, [SINGLE_QUESTIONS]),
    ("MBPP, log score", MBPP, [SINGLE_PROGRAMS]),
    ("MBPP, log score, `expected`", MBPP, [ALL_DIGITS]),
    ("MBPP, log score, `expected`, bonus 0.16", MBPP, [LARGER_BONUS]),
)
"""The same of RLCR-single."""
Reached = dict[str, dict[Goal, float]]
"""By training: the number of each goal, unless it needs a run that there is not."""


def reached(folders: Mapping[str, Path]) -> Reached:
    return _reached(folders, ATTEMPTS, GOALS)


def reached_by_singles(folders: Mapping[str, Path]) -> Reached:
    return _reached(folders, SINGLE_ATTEMPTS, SINGLE_GOALS)


def _reached(folders: Mapping[str, Path], attempts: Attempts, goals: Sequence[Goal]) -> Reached:
    found = {}
    for title, dataset, runs in attempts:
        for seed, run in enumerate(runs, dataset.first_seed):
            beside = dataset.with_seed(seed)
            paths = evaluations(folders, [run, *beside.values()])
            named = dict(zip(("", *beside), paths, strict=True))
            found[f"{title}, seed {seed}"] = {
                goal: goal.number(named[""], named[goal.beside]) for goal in goals if goal.beside in named
            }
    return found


def goals_table(folders: Mapping[str, Path]) -> Iterator[str]:
    return _table(reached(folders), GOALS)


def single_goals_table(folders: Mapping[str, Path]) -> Iterator[str]:
    return _table(reached_by_singles(folders), SINGLE_GOALS)


def _table(found: Reached, goals: Sequence[Goal]) -> Iterator[str]:
    yield "| | " + " | ".join(goal.title for goal in goals) + " |"
    yield "| --- |" + " ---: |" * len(goals)
    for training, numbers in found.items():
        cells = (_cell(goal, numbers[goal]) if goal in numbers else "" for goal in goals)
        yield f"| {training} | " + " | ".join(cells) + " |"


def _cell(goal: Goal, number: float) -> str:
    return f"{'' if goal.met(number) else 'no: '}{goal.shown(number)}"
