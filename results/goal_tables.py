"""What credit per answer was to show, line by line and seed by seed: a table of docs/results/overview.md."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from results.trainings import BRIER_PAID, DDXPLUS, HOTPOTQA, Run, Trainings, evaluations, metrics_of
from setwise.records.measured import Metrics

DATASETS = {"DDXPlus": DDXPLUS, "HotPotQA-Modified": HOTPOTQA}


@dataclass(frozen=True, slots=True)
class Goal:
    """A number of RLCR-multi with credit per answer, maybe beside the run of another method with the same seed."""

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


def trainings() -> Iterator[tuple[str, Trainings, int, Run]]:
    """RLCR-multi with credit per answer: a title, its dataset, its seed and where it is."""
    yield "HotPotQA-Modified, Brier score, seed 0", HOTPOTQA, 0, BRIER_PAID
    for name, dataset in DATASETS.items():
        for seed, run in enumerate(dataset.ours):
            yield f"{name}, {dataset.score}, seed {seed}", dataset, seed, run


def reached(folders: Mapping[str, Path]) -> dict[str, dict[Goal, float]]:
    """By training: the number of each goal, unless it needs a run that there is not."""
    found = {}
    for title, dataset, seed, run in sorted(trainings()):
        beside = [method for method, seeds in dataset.methods.items() if seed < seeds]
        paths = evaluations(folders, [run, *(dataset.of(method)[seed] for method in beside)])
        ours, *others = map(metrics_of, paths)
        theirs = {"": ours, **dict(zip(beside, others, strict=True))}
        found[title] = {goal: goal.number(ours, theirs[goal.beside]) for goal in GOALS if goal.beside in theirs}
    return found


def goals_table(folders: Mapping[str, Path]) -> Iterator[str]:
    found = reached(folders)
    yield "| | " + " | ".join(found) + " |"
    yield "| --- |" + " ---: |" * len(found)
    for goal in GOALS:
        cells = (_cell(goal, each[goal]) if goal in each else "" for each in found.values())
        yield f"| {goal.title} | " + " | ".join(cells) + " |"


def _cell(goal: Goal, number: float) -> str:
    return f"{'' if goal.met(number) else 'no: '}{goal.shown.format(number)}"
