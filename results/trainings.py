"""The published trainings that are compared with credit per answer, and where their evaluations are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Run = tuple[str, str]
"""An archive and one of its evaluations."""


@dataclass(frozen=True, slots=True)
class Trainings:
    """The trainings of one dataset with the same number of steps and samples."""

    per_answer: str
    """The archive of RLCR-multi with credit per answer."""
    score: str
    """What its confidences are paid by."""
    seeds: int
    """How many it has."""
    papers: str
    """The archive of the paper's credit."""
    methods: Mapping[str, int]
    """What the paper's credit was trained and asked as, and how many of these seeds it has."""
    beside: Mapping[str, Sequence[Run]]
    """By title: other trainings with credit per answer, by seed."""
    first_seed: int = 0
    """The others follow it."""

    @property
    def ours(self) -> list[Run]:
        return [(self.per_answer, f"rlcr-multi-per-answer-seed{seed}") for seed in self._seeds(self.seeds)]

    def of(self, method: str) -> list[Run]:
        return [(self.papers, f"{method}-seed{seed}") for seed in self._seeds(self.methods.get(method, 0))]

    def with_seed(self, seed: int) -> dict[str, Run]:
        """By method: the run of the paper's credit with this seed, if there is one."""
        return {
            method: self.of(method)[seed - self.first_seed]
            for method, count in self.methods.items()
            if seed in self._seeds(count)
        }

    def _seeds(self, count: int) -> range:
        return range(self.first_seed, self.first_seed + count)


SINGLE = ("ddxplus-credit", "rlcr-single-weight-2")
DDXPLUS_160 = Trainings(
    per_answer="ddxplus-warmup",
    score="Brier score",
    seeds=3,
    papers="ddxplus-160",
    methods={"rlvr-single": 3, "rlvr-multi": 3, "rlvr-multi+prompt": 3, "rlcr-multi": 3, "rlcr-single": 1},
    beside={"RLCR-single": [SINGLE]},
)
"""160 steps of 8 patients x 16 samples."""
DDXPLUS_240 = Trainings(
    per_answer="ddxplus-240",
    score="Brier score",
    seeds=3,
    papers="ddxplus-240",
    methods={"rlvr-single": 3, "rlvr-multi": 3, "rlvr-multi+prompt": 3, "rlcr-multi": 1},
    beside={},
)
"""By the recipes of DDXPLUS_160 with 240 steps. The entropy bonus stops at the second decimal of a confidence."""
DECAYED = [("ddxplus-decay", f"rlcr-multi-per-answer-seed{seed}") for seed in (0, 1)]
"""By the recipe of DDXPLUS_160, with a rate that falls over the last quarter of the run. Their bonus, too, stops at the
second decimal; in the others it is on all digits."""
BRIER_PAID = ("hotpotqa-120", "rlcr-multi-per-answer-brier-seed0")
"""Its entropy bonus was on all digits of a confidence."""
SINGLE_QUESTIONS = ("hotpotqa-120", "rlcr-single-per-answer-seed0")
HOTPOTQA = Trainings(
    per_answer="hotpotqa-120",
    score="log score",
    seeds=2,
    papers="hotpotqa-120",
    methods={"rlvr-single": 2, "rlvr-multi": 2, "rlvr-multi+prompt": 2, "rlcr-multi": 2, "rlcr-single": 1},
    beside={"RLCR-multi, Brier score": [BRIER_PAID], "RLCR-single, log score": [SINGLE_QUESTIONS]},
)
"""120 steps of 8 questions x 16 samples."""
PROGRAMS_BRIER = ("mbpp-120", "rlcr-multi-per-answer-brier-seed0")
SINGLE_PROGRAMS = ("mbpp-120", "rlcr-single-per-answer-seed0")
ALL_DIGITS = ("mbpp-120", "rlcr-single-per-answer-expected-seed0")
"""The first decimal of a confidence learns from all digits."""
LARGER_BONUS = ("mbpp-120", "rlcr-single-per-answer-expected-bonus-seed0")
"""The same with an entropy bonus of 0.16 instead of 0.04."""
MBPP = Trainings(
    per_answer="mbpp-120",
    score="log score",
    seeds=2,
    papers="mbpp-120",
    methods={"rlvr-single": 2, "rlvr-multi": 2, "rlvr-multi+prompt": 2, "rlcr-multi": 2, "rlcr-single": 1},
    beside={
        "RLCR-multi, Brier score": [PROGRAMS_BRIER],
        "RLCR-single, log score": [SINGLE_PROGRAMS],
        "RLCR-single, log score, `expected`": [ALL_DIGITS],
        "RLCR-single, log score, `expected`, bonus 0.16": [LARGER_BONUS],
    },
)
"""120 steps of 8 problems x 16 samples."""
DATASETS: Mapping[str, Trainings] = {
    "DDXPlus, 240 steps": DDXPLUS_240,
    "DDXPlus, 160 steps": DDXPLUS_160,
    "HotPotQA-Modified, 120 steps": HOTPOTQA,
    "MBPP, 120 steps": MBPP,
}
HOTPOTQA_200 = Trainings(
    per_answer="hotpotqa-200",
    score="log score",
    seeds=1,
    papers="hotpotqa-200",
    methods={"rlvr-single": 1, "rlvr-multi+prompt": 1},
    beside={},
)
"""By the recipes of HOTPOTQA with 200 steps: the seed whose first answers had missed their bound."""
MBPP_150 = Trainings(
    per_answer="mbpp-150",
    score="log score",
    seeds=1,
    papers="mbpp-150",
    methods={"rlvr-single": 1},
    beside={},
    first_seed=1,
)
"""By the recipes of MBPP with 150 steps: the seed whose first answers had missed their bound."""
MORE_STEPS: Mapping[str, Trainings] = {
    "HotPotQA-Modified, 200 steps": HOTPOTQA_200,
    "MBPP, 150 steps": MBPP_150,
}
"""One seed each, and not all methods."""
SECOND_FAMILY = "ddxplus-smollm2"
"""SmolLM2-135M after a warm start: 160 steps of 8 patients x 16 samples."""
MORE_PATIENTS = "ddxplus-132"
"""132 steps of 16 patients x 8 samples."""


def by_seed(title: str, runs: Iterable[Run]) -> dict[str, Run]:
    """By title with its seed: trainings with seeds 0 and following."""
    return {f"{title}, seed {seed}": run for seed, run in enumerate(runs)}


def evaluations(folders: Mapping[str, Path], runs: Iterable[Run]) -> list[Path]:
    return [folders[archive] / "eval" / run for archive, run in runs]
