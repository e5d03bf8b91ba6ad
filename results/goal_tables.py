"""What credit per answer was to show, line by line and seed by seed: two tables of docs/results/overview.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results.trainings import (
    BRIER_PAID,
    DDXPLUS,
    DECAYED,
    HOTPOTQA,
    MBPP,
    PROGRAMS_BRIER,
    SINGLE,
    SINGLE_PROGRAMS,
    SINGLE_QUESTIONS,
    Run,
    Trainings,
    by_seed,
    evaluations,
    metrics_of,
)
from setwise.records.measured import Metrics


@dataclass(frozen=True, slots=True)
class Goal:
    """A number of a training with credit per answer, maybe beside the run of another method with the same seed."""

    title: str
    beside: str
    """The method; empty if the number needs no other."""
    number: Callable[[Metrics, Metrics], float]
    met: Callable[[float], bool]
    shown: str = "{:.3f}"


def _ratio(metric: str) -> Callable[[Metrics, Metrics], float]:
    return lambda ours, theirs: ours[metric].value / theirs[metric].value


def _difference(metric: str) -> Callable[[Metrics, Metrics], float]:
    return lambda ours, theirs: ours[metric].value - theirs[metric].value


def _low(metric: str) -> Callable[[Metrics, Metrics], float]:
    def lower_end(ours: Metrics, _: Metrics) -> float:
        low = ours[metric].low
        assert low is not None, "a published run has intervals"
        return low

    return lower_end


GOALS = (
    Goal(
        "Brier skill over the best constant, lower end of its interval: above 0",
        "",
        _low("pooled/brier_skill"),
        lambda low: low > 0,
        "{:+.3f}",
    ),
    Goal(
        "set ECE minus RLVR-multi's: below 0",
        "rlvr-multi+prompt",
        _difference("set/ece"),
        lambda gap: gap < 0,
        "{:+.3f}",
    ),
    Goal(
        "AUROC of sets: at least 0.70",
        "",
        lambda ours, _: ours["set/auroc"].value,
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
        "{:+.3f}",
    ),
    Goal(
        "tokens for three answers, over RLVR-single's: at most 0.6",
        "rlvr-single",
        _ratio("tokens"),
        lambda ratio: ratio <= 0.6,
        "{:.2f}",
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
        lambda ours, _: ours["top1/brier_skill"].value,
        lambda skill: skill > 0,
        "{:+.3f}",
    ),
)

Attempts = Sequence[tuple[str, Trainings, list[Run]]]
ATTEMPTS: Attempts = (
    ("DDXPlus, Brier score", DDXPLUS, DDXPLUS.ours),
    ("DDXPlus, Brier score, falling rate", DDXPLUS, DECAYED),
    ("HotPotQA-Modified, Brier score", HOTPOTQA, [BRIER_PAID]),
    ("HotPotQA-Modified, log score", HOTPOTQA, HOTPOTQA.ours),
    ("MBPP, Brier score", MBPP, [PROGRAMS_BRIER]),
    ("MBPP, log score", MBPP, MBPP.ours),
)
"""RLCR-multi with credit per answer: a title, what stands beside it, and its trainings by seed."""
SINGLE_ATTEMPTS: Attempts = (
    ("DDXPlus, Brier score", DDXPLUS, [SINGLE]),
    ("HotPotQA-Modified, log score", HOTPOTQA, [SINGLE_QUESTIONS]),
    ("MBPP, log score", MBPP, [SINGLE_PROGRAMS]),
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
        for seed, (training, run) in enumerate(by_seed(title, runs).items()):
            beside = dataset.with_seed(seed)
            paths = evaluations(folders, [run, *beside.values()])
            numbers = dict(zip(("", *beside), map(metrics_of, paths), strict=True))
            found[training] = {
                goal: goal.number(numbers[""], numbers[goal.beside]) for goal in goals if goal.beside in numbers
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
    return f"{'' if goal.met(number) else 'no: '}{goal.shown.format(number)}"
