"""RLVR-multi paid otherwise than in the paper: the tables of docs/results/rlvr-multi.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from results.blocks import estimate_span
from results.claims import difference
from results.credit_tables import TOKENS, Column, grouped, measured, with_seeds
from results.trainings import DDXPLUS, SETS_PER_ANSWER, VPO_PAID, Run, evaluations

TRAINED: Mapping[str, Mapping[str, list[Run]]] = {
    "DDXPlus, 160 steps": {
        "as in the paper": DDXPLUS.of("rlvr-multi"),
        "credit per answer": [SETS_PER_ANSWER],
        "VPO": [VPO_PAID],
    },
}
"""By dataset and how sets are paid: trainings with seeds 0 and following, the paper's first."""
METRICS = {"pass_at_1": "first right", "pass_at_k": "any of three right", "coverage": "coverage"}
COLUMNS = (*(Column(heading, measured(name)) for name, heading in METRICS.items()), TOKENS)


def otherwise_table(folders: Mapping[str, Path]) -> Iterator[str]:
    return grouped(folders, {dataset: with_seeds(trained) for dataset, trained in TRAINED.items()}, COLUMNS)


def otherwise_paired(folders: Mapping[str, Path]) -> Iterator[str]:
    """With the same seed, minus the paper's."""
    yield "| minus the paper's, seed 0 | " + " | ".join(METRICS.values()) + " |"
    yield "| --- |" + " ---: |" * len(METRICS)
    for dataset, trained in TRAINED.items():
        papers, *others = (evaluations(folders, runs)[0] for runs in trained.values())
        for paid, other in zip([*trained][1:], others, strict=True):
            spans = (estimate_span(difference(metric, papers, other).value) for metric in METRICS)
            yield f"| {dataset}, {paid} | " + " | ".join(spans) + " |"
