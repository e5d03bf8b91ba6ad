"""The sets that docs/results/decisions.md decides on, and the splits that were measured of each."""

from dataclasses import dataclass
from pathlib import Path

from results.trainings import DDXPLUS_160, DDXPLUS_240, HOTPOTQA, MBPP, Trainings
from setwise.records.files import Record, read_records


@dataclass(frozen=True, slots=True)
class Case:
    """Sets of one published run."""

    archive: str
    run: str
    samples: int
    """Completions merged into a set."""


OF_PAPER = (("rlcr-multi", 1), ("rlcr-multi", 10), ("rlvr-multi", 10), ("rlvr-single", 30))


def _of_paper(archive: str) -> list[Case]:
    return [Case(archive, *sets) for sets in OF_PAPER]


def _of_either_credit(trainings: Trainings, *samples: int) -> list[Case]:
    runs = (*trainings.of("rlcr-multi"), *trainings.ours)
    return [Case(*run, each) for run in runs for each in samples]


CASES = (
    *_of_paper("ddxplus-seed0"),
    *_of_either_credit(DDXPLUS_160, 1, 10),
    *_of_either_credit(DDXPLUS_240, 1, 10),
    *_of_paper("hotpotqa-seed0"),
    *_of_either_credit(HOTPOTQA, 1),
    *_of_paper("mbpp-seed0"),
    *_of_either_credit(MBPP, 1),
)


def by_case(measured: Path) -> dict[Case, list[Record]]:
    """The splits in a file."""
    found: dict[Case, list[Record]] = {}
    for _, record in read_records(measured):
        found.setdefault(Case(record["archive"], record["run"], record["samples"]), []).append(record)
    return found
