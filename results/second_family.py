"""A second family of models beside the first: a table of docs/results/second-family.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from results.columns import TITLES, grouped, with_seeds
from results.trainings import DDXPLUS_160, SECOND_FAMILY

START = (SECOND_FAMILY, "start")
TRAINED = (SECOND_FAMILY, "rlcr-multi-per-answer-seed0")
START_AGAIN = (SECOND_FAMILY, "start-again")
"""A second warm start by the same command, from which RLVR-multi was trained."""
SETS = (SECOND_FAMILY, "rlvr-multi-seed0")
ASKED = (SECOND_FAMILY, "rlvr-multi+prompt-seed0")


def second_family_table(folders: Mapping[str, Path]) -> Iterator[str]:
    larger = {"RLCR-multi per answer": DDXPLUS_160.ours}
    larger |= {TITLES[method]: DDXPLUS_160.of(method) for method in ("rlvr-multi", "rlvr-multi+prompt")}
    yield from grouped(
        folders,
        {
            "SmolLM2-135M, rate 1e-5": {
                "after a warm start": [START],
                "RLCR-multi per answer, seed 0, from it": [TRAINED],
                "after the same warm start, made again": [START_AGAIN],
                f"{TITLES['rlvr-multi']}, seed 0, from it": [SETS],
                TITLES["rlvr-multi+prompt"]: [ASKED],
            },
            "Qwen2.5-Coder-1.5B, rate 2e-6, without a warm start": with_seeds(larger),
        },
    )
