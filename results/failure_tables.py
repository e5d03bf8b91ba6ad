"""The paper's two open failures, before and after: the tables of docs/results/open-failures.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean

from results.claims import TABLES
from results.columns import TITLES
from results.credit_settings import MORE, WEIGHT_4
from results.readings import full_claims, metrics_of
from results.trainings import (
    BRIER_PAID,
    DDXPLUS_160,
    DDXPLUS_240,
    DECAYED,
    HOTPOTQA,
    HOTPOTQA_200,
    MBPP,
    MORE_PATIENTS,
    MORE_STEPS,
    PROGRAMS_BRIER,
    Run,
    by_seed,
)
from setwise.metrics.claims import shares_out_one
from setwise.objectives import sums_above_one

BEFORE = "hotpotqa-seed0"
"""52 steps of 16 questions x 16 samples."""
UNTRAINED: Run = (BEFORE, "rlcr-zero-shot")
STATED: dict[str, Run] = {
    "untrained": UNTRAINED,
    "RLVR-multi, asked for confidences, 52 steps": (BEFORE, "rlvr-multi+prompt"),
    **by_seed("RLVR-multi, asked for confidences, 120 steps", HOTPOTQA.of("rlvr-multi+prompt")),
    **by_seed("RLVR-multi, asked for confidences, 200 steps", HOTPOTQA_200.of("rlvr-multi+prompt")),
    "RLCR-multi, 52 steps": (BEFORE, "rlcr-multi"),
    **by_seed("RLCR-multi, 120 steps", HOTPOTQA.of("rlcr-multi")),
    **by_seed("RLCR-multi per answer, Brier score, 120 steps", [BRIER_PAID]),
    **by_seed("RLCR-multi per answer, log score, 120 steps", HOTPOTQA.ours),
    **by_seed("RLCR-multi per answer, log score, 200 steps", HOTPOTQA_200.ours),
}
"""By title: evaluations of HotPotQA-Modified with confidences."""
METHODS = ("rlvr-single", "rlvr-multi", "rlcr-multi")
BRIER, LOG = "per answer, Brier score", "per answer, log score"
UNWARMED, FALLING = "the Brier score without the warm-up", "the Brier score, falling rate"
PER_ANSWER = (BRIER, LOG, UNWARMED, FALLING)
OTHERWISE = {UNWARMED: WEIGHT_4, FALLING: DECAYED}
"""By title: trainings of DDXPlus by seed."""
STEPS = {"DDXPlus, seed 0": 68, "DDXPlus, seed 1": 68, "HotPotQA-Modified": 52, "MBPP": 36}
FIRST = {
    **{
        f"DDXPlus, 240 steps, seed {seed}": {**DDXPLUS_240.with_seed(seed), BRIER: ours}
        for seed, ours in enumerate(DDXPLUS_240.ours)
    },
    **{
        f"DDXPlus, 160 steps, seed {seed}": {
            **DDXPLUS_160.with_seed(seed),
            BRIER: ours,
            **{title: runs[seed] for title, runs in OTHERWISE.items() if seed < len(runs)},
        }
        for seed, ours in enumerate(DDXPLUS_160.ours)
    },
    "DDXPlus, 132 steps of 16 x 8, seed 1": {
        **{run: (MORE_PATIENTS, f"{run}-seed1") for run in METHODS},
        UNWARMED: MORE[1],
    },
    **{
        f"{title}, 120 steps, seed {seed}": {
            **dataset.with_seed(seed),
            **({BRIER: brier} if seed == 0 else {}),
            LOG: ours,
        }
        for title, dataset, brier in (("HotPotQA-Modified", HOTPOTQA, BRIER_PAID), ("MBPP", MBPP, PROGRAMS_BRIER))
        for seed, ours in enumerate(dataset.ours)
    },
    **{
        f"{title}, seed {seed}": {**dataset.with_seed(seed), LOG: ours}
        for title, dataset in MORE_STEPS.items()
        for seed, ours in enumerate(dataset.ours, dataset.first_seed)
    },
    **{f"{title}, {STEPS[title]} steps": {run: (archive, run) for run in METHODS} for archive, title in TABLES.items()},
}
"""By title and method: archive and evaluation."""


def stated_sums(run: Path) -> list[tuple[float, int]]:
    """Of the sets that state all of their confidences: the sum, and how many answers are right."""
    return [(sum(claim), sum(attempt.correct)) for claim, attempt in full_claims(run)]


def by_place(run: Path) -> list[tuple[float, float]]:
    """The mean confidence in each place of a set, and the share that is right."""
    sets = [zip(claim, attempt.correct, strict=True) for claim, attempt in full_claims(run)]
    return [(fmean(q for q, _ in place), fmean(right for _, right in place)) for place in zip(*sets, strict=True)]


def shares_of_one(run: Path) -> tuple[float, float]:
    """Of the sets that state all of their confidences: the share that divides 1, and the share that sums to more."""
    claims = [claim for claim, _ in full_claims(run)]
    of_one = [shares_out_one(claim) for claim in claims]
    more = [sums_above_one(claim) and not one for claim, one in zip(claims, of_one, strict=True)]
    return fmean(of_one), fmean(more)


def sums_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """What sets claim to hold, in all and place by place, where one answer is right."""
    yield "| | sets | claimed | right | claimed (right) by place | sums of 1 | sums above 1 |"
    yield "| --- | ---: | ---: | ---: | --- | ---: | ---: |"
    for title, (archive, name) in STATED.items():
        run = folders[archive] / "eval" / name
        sums = stated_sums(run)
        cells = (
            f"{len(sums):,}",
            f"{fmean(total for total, _ in sums):.2f}",
            f"{fmean(right for _, right in sums):.2f}",
            ", ".join(f"{claimed:.2f} ({right:.2f})" for claimed, right in by_place(run)),
            *(f"{share:.0%}" for share in shares_of_one(run)),
        )
        yield f"| {title} | " + " | ".join(cells) + " |"


def first_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """How often the first answer is right, and the share of RLVR-single's in brackets."""
    columns = (*(TITLES[method] for method in METHODS), *PER_ANSWER)
    yield "| first answer right | " + " | ".join(columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)
    for title, runs in FIRST.items():
        right = {method: first_right(folders[archive] / "eval" / run) for method, (archive, run) in runs.items()}
        single = right["rlvr-single"]
        others = (right.get(method) for method in (*METHODS[1:], *PER_ANSWER))
        cells = ("" if other is None else f"{other:.3f} ({other / single:.2f})" for other in others)
        yield f"| {title} | {single:.3f} | " + " | ".join(cells) + " |"


def first_right(run: Path) -> float:
    return metrics_of(run)["pass_at_1"].value
