"""RLVR-multi paid otherwise than in the paper: the tables of docs/results/rlvr-multi.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from results.blocks import estimate_span
from results.columns import PROGRAMS, TOKENS, Column, grouped, measured, with_seeds
from results.differences import difference
from results.readings import metrics_of
from results.trainings import DATASETS, HOTPOTQA, Run, Trainings, evaluations

PAPERS, PER_ANSWER, VPO = "as in the paper", "credit per answer", "VPO"


def _trained(dataset: Trainings, others: Mapping[str, str]) -> dict[str, list[Run]]:
    """By how sets are paid: as in the paper first, and once in other ways."""
    papers = {PAPERS: dataset.of("rlvr-multi")}
    return papers | {paid: [(dataset.papers, f"rlvr-multi-{name}-seed0")] for paid, name in others.items()}


COMPARED = {
    title: DATASETS[title] for title in ("DDXPlus, 160 steps", "HotPotQA-Modified, 120 steps", "MBPP, 120 steps")
}
# Where one answer is right, VPO pays what the paper pays.
TRAINED: Mapping[str, Mapping[str, list[Run]]] = {
    title: _trained(dataset, {PER_ANSWER: "per-answer"} | ({} if dataset is HOTPOTQA else {VPO: "vpo"}))
    for title, dataset in COMPARED.items()
}
"""By dataset and how sets are paid: trainings with seeds 0 and following."""
SHARES = {
    "pass_at_1": "first right",
    "pass_at_k": "any of three right",
    "best_at_k": "best@3",
    "coverage": "coverage",
}
METRICS = {**SHARES, "distinct_correct/canonical": PROGRAMS.heading}
COLUMNS = (*(Column(heading, measured(name)) for name, heading in SHARES.items()), PROGRAMS, TOKENS)


def otherwise_table(folders: Mapping[str, Path]) -> Iterator[str]:
    groups = {
        title: with_seeds({"three samples of RLVR-single": dataset.of("rlvr-single"), **TRAINED[title]})
        for title, dataset in COMPARED.items()
    }
    return grouped(folders, groups, COLUMNS)


def otherwise_paired(folders: Mapping[str, Path]) -> Iterator[str]:
    """With the same seed, minus the paper's. Blank for what a dataset does not have."""
    yield "| minus the paper's, seed 0 | " + " | ".join(METRICS.values()) + " |"
    yield "| --- |" + " ---: |" * len(METRICS)
    for dataset, trained in TRAINED.items():
        papers, *others = (evaluations(folders, runs)[0] for runs in trained.values())
        for paid, other in zip([*trained][1:], others, strict=True):
            known = metrics_of(other)
            spans = (
                estimate_span(difference(metric, papers, other)) if known.get(metric) else "" for metric in METRICS
            )
            yield f"| {dataset}, {paid} | " + " | ".join(spans) + " |"
