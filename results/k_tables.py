"""RLCR-multi with credit per answer and 2 to 5 answers in a set: a table of docs/results/ddxplus-more.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from results.columns import COLUMNS, COVERAGE, FIRST, TOKENS, Column, grouped, measured
from results.trainings import DDXPLUS_160, Run

ANSWERS: Mapping[int, Run] = {
    2: ("ddxplus-k-credit", "k2"),
    3: DDXPLUS_160.ours[0],
    4: ("ddxplus-k-credit", "k4"),
    5: ("ddxplus-k-credit", "k5"),
}
"""By K, trained with seed 0. The entropy bonus of K = 3 was on all digits of a confidence, that of others on two."""
OF_SETS = (
    FIRST,
    Column("any right", measured("pass_at_k")),
    COVERAGE,
    Column("tokens per set", measured("tokens"), digits=0),
    *COLUMNS[COLUMNS.index(TOKENS) + 1 :],
)


def k_table(folders: Mapping[str, Path]) -> Iterator[str]:
    rows = {f"K = {k}": [run] for k, run in ANSWERS.items()}
    return grouped(folders, {"RLCR-multi, credit per answer": rows}, OF_SETS)
