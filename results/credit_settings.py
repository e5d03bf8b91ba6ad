"""How the settings of credit per answer were found: the tables of docs/results/ddxplus-credit-settings.md."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log
from pathlib import Path

from results.claims import SEEDS
from results.columns import COLUMNS, TITLES, TOKENS, grouped
from results.readings import full_claims, metrics_of, within_places
from results.trainings import DDXPLUS_160, DDXPLUS_240, DECAYED, MORE_PATIENTS, SINGLE, by_seed

WEIGHT_1 = ("ddxplus-credit", "rlcr-multi-weight-1")
WEIGHT_4 = (("ddxplus-credit", "rlcr-multi-weight-4"), (DDXPLUS_160.papers, "rlcr-multi-per-answer-seed1"))
"""Without the warm-up: seeds 0 and 1."""
MORE = tuple((MORE_PATIENTS, f"rlcr-multi-per-answer-seed{seed}") for seed in (0, 1))
FASTER = (MORE_PATIENTS, "rlcr-multi-per-answer-rate-4e-6-seed1")

TRAININGS = {
    **by_seed("warm-up, 8 x 16", DDXPLUS_160.ours),
    **by_seed("warm-up, falling rate, 8 x 16", DECAYED),
    **by_seed("warm-up, 240 steps, 8 x 16", DDXPLUS_240.ours),
    **by_seed("no warm-up, 8 x 16", WEIGHT_4),
    **by_seed("no warm-up, 16 x 8", MORE),
    "no warm-up, 16 x 8, rate 4e-6, seed 1": FASTER,
    "no warm-up, 8 x 16, weight 1, seed 0": WEIGHT_1,
    **by_seed("the paper's credit, 8 x 16", DDXPLUS_160.of("rlcr-multi")),
    "the paper's credit, 16 x 8, seed 1": (MORE_PATIENTS, "rlcr-multi-seed1"),
    **by_seed("the paper's credit, 240 steps, 8 x 16", DDXPLUS_240.of("rlcr-multi")),
}
"""Qwen's trainings of RLCR-multi for three answers with 132 steps or more, by title: archive and evaluation."""


def settings_table(folders: Mapping[str, Path]) -> Iterator[str]:
    yield from grouped(
        folders,
        {
            "per answer, 160 steps of 8 x 16": {
                "weight 4, bonus 0.04, warm-up, seeds 0, 1, 2": DDXPLUS_160.ours,
                "the same with a falling rate and today's bonus, seeds 0, 1": DECAYED,
                "weight 4, bonus 0.04, seeds 0, 1": WEIGHT_4,
                "weight 1, bonus 0.01, seed 0": [WEIGHT_1],
            },
            "per answer, 240 steps of 8 x 16": {
                "weight 4, today's bonus, warm-up, seeds 0, 1, 2": DDXPLUS_240.ours,
            },
            "per answer, 132 steps of 16 x 8": {
                "weight 4, bonus 0.04, seeds 0, 1": MORE,
                "the same with rate 4e-6, seed 1": [FASTER],
            },
            "the paper's credit, 132 steps of 16 x 8, seed 1": {
                TITLES[run]: [(MORE_PATIENTS, f"{run}-seed1")] for run in ("rlvr-single", "rlvr-multi", "rlcr-multi")
            },
            "the paper's credit, 68 steps of 16 x 16, seeds 0, 1": {
                "RLVR-single": [(archive, "rlvr-single") for archive in SEEDS],
                "RLCR-multi": [(archive, "rlcr-multi") for archive in SEEDS],
            },
        },
    )


def validation_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """What settings were chosen by: patients who are in no other table."""
    rows = {
        "weight 1, bonus 0.01, seed 0": [WEIGHT_1],
        "weight 4, bonus 0.04, seed 0": [WEIGHT_4[0]],
        "weight 4, bonus 0.04, warm-up, seeds 0, 1, 2": DDXPLUS_160.ours,
        "the same with a falling rate and today's bonus, seeds 0, 1": DECAYED,
    }
    groups = {
        "RLCR-multi, 160 steps of 8 x 16": rows,
        "RLCR-multi, 240 steps of 8 x 16": {"weight 4, today's bonus, warm-up, seeds 0, 1, 2": DDXPLUS_240.ours},
        "RLCR-multi, 132 steps of 16 x 8, weight 4, bonus 0.04": {
            "rate 2e-6, seed 1": [MORE[1]],
            "rate 4e-6, seed 1": [FASTER],
        },
        "RLCR-single, 160 steps of 8 x 16": {"weight 2, bonus 0.02, seed 0": [SINGLE]},
    }
    validated = {
        group: {
            title: [(archive, f"{run}-validation") for archive, run in trainings] for title, trainings in rows.items()
        }
        for group, rows in groups.items()
    }
    yield from grouped(folders, validated, [each for each in COLUMNS if each is not TOKENS])


@dataclass(frozen=True, slots=True)
class Digits:
    """What a run's sets state, in tenths, and how much its hundredths vary where nothing else does."""

    commonest: tuple[int, ...]
    share: float
    """Of the sets, those with the commonest tenths."""
    hundredths: float
    """Entropy among the samples of one patient with the same tenth at the same place, in nats; log 10 at most."""


def digits_of(run: Path) -> Digits:
    sets: Counter[tuple[int, ...]] = Counter()
    last: defaultdict[tuple[str, int, int], Counter[int]] = defaultdict(Counter)
    for stated, attempt in full_claims(run):
        hundredths = [round(100 * q) for q in stated]
        sets[tuple(number // 10 for number in hundredths)] += 1
        for place, number in enumerate(hundredths):
            last[attempt.problem, place, number // 10][number % 10] += 1
    [(commonest, count)] = sets.most_common(1)
    written = sum(map(Counter.total, last.values()))
    varied = sum(entropy(each) * each.total() for each in last.values()) / written
    return Digits(commonest, count / sets.total(), varied)


def entropy(counts: Counter[int]) -> float:
    total = counts.total()
    return sum(count / total * log(total / count) for count in counts.values())


def digits_table(folders: Mapping[str, Path]) -> Iterator[str]:
    columns = (
        "AUROC, answers",
        "within places",
        "AUROC, sets",
        "sets with the commonest tenths",
        "entropy of the hundredths",
    )
    yield f"| RLCR-multi | {' | '.join(columns)} |"
    yield "| --- |" + " ---: |" * len(columns)
    for title, (archive, name) in TRAININGS.items():
        run = folders[archive] / "eval" / name
        metrics, digits = metrics_of(run), digits_of(run)
        stated = " ".join(f"{tenth / 10:.1f}" for tenth in digits.commonest)
        cells = (
            f"{metrics['pooled/auroc'].value:.3f}",
            f"{within_places(run):.3f}",
            f"{metrics['set/auroc'].value:.3f}",
            f"{digits.share:.0%} ({stated})",
            f"{digits.hundredths:.2f}",
        )
        yield f"| {title} | " + " | ".join(cells) + " |"
