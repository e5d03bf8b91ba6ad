"""The paper's two open failures, before and after: the tables of docs/results/open-failures.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from results.credit_tables import CHOSEN, PAPERS
from setwise.records.run import RunFolder

ONE_RIGHT = "hotpotqa-seed0"
STATED = {
    "untrained": "rlcr-zero-shot",
    "RLVR-multi, asked for confidences": "rlvr-multi+prompt",
    "RLCR-multi": "rlcr-multi",
}
"""By title: evaluations of HotPotQA-Modified with confidences."""
FIRST = {
    **{
        f"DDXPlus, 160 steps, seed {seed}": (
            *((PAPERS, f"{run}-seed{seed}") for run in ("rlvr-single", "rlvr-multi", "rlcr-multi")),
            ours,
        )
        for seed, ours in enumerate(CHOSEN)
    },
    **{
        title: tuple((archive, run) for run in ("rlvr-single", "rlvr-multi", "rlcr-multi"))
        for title, archive in {
            "DDXPlus, 68 steps, seed 0": "ddxplus-seed0",
            "DDXPlus, 68 steps, seed 1": "ddxplus-seed1",
            "HotPotQA-Modified, 52 steps": ONE_RIGHT,
            "MBPP, 36 steps": "mbpp-seed0",
        }.items()
    },
}
"""By title: the evaluations of RLVR-single, RLVR-multi, RLCR-multi and RLCR-multi paid per answer."""


def sums_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """What sets claim to hold in all, where one answer is right."""
    yield "| | claimed | right | sums of exactly 1 | sums above 1 |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for title, name in STATED.items():
        run = RunFolder(folders[ONE_RIGHT] / "eval" / name)
        metrics, sums = run.read_metrics().metrics, stated_sums(run)
        right = metrics["n_correct"].value
        cells = (
            f"{metrics['set/count_gap'].value + right:.2f}",
            f"{right:.2f}",
            f"{sum(abs(each - 1) < 1e-6 for each in sums) / len(sums):.0%}",
            f"{metrics['set/sum_above_one'].value:.0%}",
        )
        yield f"| {title} | " + " | ".join(cells) + " |"


def stated_sums(run: RunFolder) -> list[float]:
    """Of the sets that state all of their confidences."""
    stated = ([q for q in attempt.confidences if q is not None] for attempt in run.attempts())
    return [sum(each) for each in stated if len(each) == 3]


def first_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """How often the first answer is right, and the share of RLVR-single's in brackets."""
    yield "| first answer right | RLVR-single | RLVR-multi | RLCR-multi | RLCR-multi paid per answer |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for title, runs in FIRST.items():
        right = [_right(folders[archive] / "eval" / run) for archive, run in runs]
        single, others = right[0], [*right[1:], *[None] * (4 - len(right))]
        cells = ["" if single is None else f"{single:.3f}", *(_beside(each, single) for each in others)]
        yield f"| {title} | " + " | ".join(cells) + " |"


def _right(run: Path) -> float | None:
    return RunFolder(run).read_metrics().metrics["pass_at_1"].value if run.exists() else None


def _beside(right: float | None, single: float | None) -> str:
    if right is None:
        return ""
    return f"{right:.3f}" + (f" ({right / single:.2f})" if single else "")
