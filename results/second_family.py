"""A second family of models beside the first: a table of docs/results/second-family.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from results.credit_tables import grouped, seeds_from_0
from results.trainings import DDXPLUS, SECOND_FAMILY

START = (SECOND_FAMILY, "start")
TRAINED = (SECOND_FAMILY, "rlcr-multi-per-answer-seed0")


def second_family_table(folders: Mapping[str, Path]) -> Iterator[str]:
    ours, sets = DDXPLUS.ours, DDXPLUS.of("rlvr-multi")
    yield from grouped(
        folders,
        {
            "SmolLM2-135M, rate 1e-5": {"after the warm start": [START], "RLCR-multi per answer, seed 0": [TRAINED]},
            "Qwen2.5-Coder-1.5B, rate 2e-6, without a warm start": {
                f"RLCR-multi per answer, {seeds_from_0(len(ours))}": ours,
                f"RLVR-multi, {seeds_from_0(len(sets))}": sets,
            },
        },
    )
