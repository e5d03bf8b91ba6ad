"""The published trainings that differ in method and seed alone, and where their evaluations are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from setwise.metrics.claims import whole_claim
from setwise.records.attempt import Attempt
from setwise.records.measured import Metrics
from setwise.records.run import RunFolder

Run = tuple[str, str]
"""An archive and one of its evaluations."""


@dataclass(frozen=True, slots=True)
class Trainings:
    """The trainings of one dataset that differ in method and seed alone."""

    per_answer: str
    """The archive of RLCR-multi with credit per answer."""
    papers: str
    """The archive of the paper's credit."""
    seeds: int
    """Of RLCR-multi with credit per answer: 0 and following."""
    methods: Mapping[str, int]
    """What the paper's credit was trained and asked as, and how many of these seeds it has."""

    @property
    def ours(self) -> list[Run]:
        return [(self.per_answer, f"rlcr-multi-per-answer-seed{seed}") for seed in range(self.seeds)]

    def of(self, method: str) -> list[Run]:
        return [(self.papers, f"{method}-seed{seed}") for seed in range(self.methods[method])]


DDXPLUS = Trainings(
    "ddxplus-warmup", "ddxplus-160", 3, {"rlvr-single": 3, "rlvr-multi": 3, "rlvr-multi+prompt": 3, "rlcr-multi": 3}
)
"""160 steps of 8 patients x 16 samples."""
HOTPOTQA = Trainings(
    "hotpotqa-120", "hotpotqa-120", 2, {"rlvr-single": 1, "rlvr-multi": 2, "rlvr-multi+prompt": 2, "rlcr-multi": 1}
)
"""120 steps of 8 questions x 16 samples; confidences are paid by the log score."""
BRIER_PAID = (HOTPOTQA.per_answer, "rlcr-multi-per-answer-brier-seed0")
"""HotPotQA-Modified with confidences paid by the Brier score, and the entropy bonus on all of their digits."""
SINGLE = ("ddxplus-credit", "rlcr-single-weight-2")
MORE_PATIENTS = "ddxplus-132"
"""132 steps of 16 patients x 8 samples."""


def evaluations(folders: Mapping[str, Path], runs: Iterable[Run]) -> list[Path]:
    return [folders[archive] / "eval" / run for archive, run in runs]


def metrics_of(run: Path) -> Metrics:
    return RunFolder(run).read_metrics().metrics


def full_claims(run: Path) -> Iterator[tuple[Sequence[float], Attempt]]:
    """The sets of K answers that state all of their confidences."""
    for attempt in RunFolder(run).attempts():
        claim = whole_claim(attempt)
        if claim is not None and len(claim) == attempt.k:
            yield claim, attempt
