"""Credit per answer beside the paper's credit with the same number of steps: tables of docs/results/ddxplus-credit.md,
hotpotqa-credit.md, mbpp-credit.md and overview.md."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from results.blocks import estimate_span
from results.columns import (
    COLUMNS,
    COVERAGE,
    FIRST,
    SET_ECE,
    TITLES,
    TOKENS,
    WITHIN,
    Column,
    grouped,
    seeds,
    with_seeds,
)
from results.differences import difference, over_seeds
from results.trainings import DATASETS, Trainings, evaluations

SUMMARY = (COVERAGE, FIRST, WITHIN, SET_ECE, TOKENS)
CLAIMING = ("rlvr-single", "rlvr-multi", "rlvr-multi+prompt", "rlcr-multi")
"""The methods of the paper that carry the claims."""
PAIRED = (
    ("rlvr-single", "pass_at_1", "first right"),
    ("rlvr-multi", "coverage", "coverage"),
    ("rlvr-multi+prompt", "pooled/brier", "Brier score, all answers"),
    ("rlvr-multi+prompt", "set/ece", "set ECE"),
    ("rlcr-multi", "coverage", "coverage"),
    ("rlcr-multi", "pooled/brier", "Brier score, all answers"),
    ("rlcr-multi", "set/ece", "set ECE"),
)


def credit_table(folders: Mapping[str, Path], dataset: Trainings, columns: Sequence[Column] = COLUMNS) -> Iterator[str]:
    ours = {f"RLCR-multi, {dataset.score}": dataset.ours}
    groups = {
        "credit per answer": with_seeds({**ours, **dataset.beside}, dataset.first_seed),
        "the paper's credit": with_seeds(
            {TITLES[method]: dataset.of(method) for method in dataset.methods}, dataset.first_seed
        ),
    }
    yield from grouped(folders, groups, columns)


def summary_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """The methods that carry the claims, on all datasets, with as many steps."""
    groups = {
        f"{title}, {seeds(each.seeds)}": {
            **{TITLES[method]: each.of(method) for method in CLAIMING},
            f"RLCR-multi, credit per answer, {each.score}": each.ours,
        }
        for title, each in DATASETS.items()
    }
    yield from grouped(folders, groups, SUMMARY)


def paired_table(folders: Mapping[str, Path], dataset: Trainings) -> Iterator[str]:
    """Credit per answer against the paper's credit with the same seed and, if there are several, over all. Blank for
    what was not trained."""
    headings = [f"seed {seed}" for seed in range(dataset.seeds)] + ["over trainings"] * (dataset.seeds > 1)
    yield "| RLCR-multi paid per answer, minus | metric | " + " | ".join(headings) + " |"
    yield "| --- | --- |" + " ---: |" * len(headings)
    for method, metric, name in PAIRED:
        theirs, ours = evaluations(folders, dataset.of(method)), evaluations(folders, dataset.ours)
        if not theirs:
            continue
        cells = [estimate_span(difference(metric, *pair)) for pair in zip(theirs, ours, strict=False)]
        cells += [""] * (len(ours) - len(theirs))
        if len(ours) > 1:
            cells.append(estimate_span(over_seeds(metric, theirs, ours).value) if len(theirs) == len(ours) else "")
        yield f"| {TITLES[method]} | {name} | {' | '.join(cells)} |"
