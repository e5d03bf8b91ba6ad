"""What the digits of confidences depend on: the table of docs/results/ddxplus-credit.md that tells trainings apart."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log
from pathlib import Path

from results.credit_tables import EQUAL, FASTER, MORE, OURS, PER_ANSWER_AGAIN
from setwise.metrics.ranking import auroc_within_places
from setwise.records.run import RunFolder

TRAININGS = {
    **{
        f"per answer, {prompts}, seed {seed}": run for prompts, seeds in PER_ANSWER_AGAIN.items() for seed, run in seeds
    },
    "per answer, 16 x 8, rate 4e-6, seed 1": (MORE, FASTER),
    "per answer, 8 x 16, weight 1, seed 0": (OURS, "rlcr-multi-weight-1"),
    "the paper's credit, 8 x 16, seed 0": (EQUAL, "rlcr-multi-seed0"),
    "the paper's credit, 16 x 8, seed 1": (MORE, "rlcr-multi-seed1"),
}
"""By title: archive and evaluation."""


@dataclass(frozen=True, slots=True)
class Digits:
    """What a run's sets state, in tenths, and how much its hundredths vary where nothing else does."""

    commonest: tuple[int, ...]
    share: float
    """Of the sets, those with the commonest tenths."""
    hundredths: float
    """Entropy among the samples of one patient with the same tenth at the same place, in nats; log 10 at most."""
    auroc_within_places: float


def digits_of(run: Path) -> Digits:
    sets: Counter[tuple[int, ...]] = Counter()
    last: defaultdict[tuple[str, int, int], Counter[int]] = defaultdict(Counter)
    entries: list[tuple[float, bool, int]] = []
    for attempt in RunFolder(run).attempts():
        stated = [q for q in attempt.confidences if q is not None]
        hundredths = [round(100 * q) for q in stated]
        sets[tuple(number // 10 for number in hundredths)] += 1
        entries += zip(stated, attempt.correct, range(len(stated)), strict=True)
        for place, number in enumerate(hundredths):
            last[attempt.problem, place, number // 10][number % 10] += 1
    [(commonest, count)] = sets.most_common(1)
    written = sum(map(Counter.total, last.values()))
    varied = sum(entropy(each) * each.total() for each in last.values()) / written
    return Digits(commonest, count / sets.total(), varied, auroc_within_places(*zip(*entries, strict=True)))


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
        metrics, digits = RunFolder(run).read_metrics().metrics, digits_of(run)
        stated = " ".join(f"{tenth / 10:.1f}" for tenth in digits.commonest)
        cells = (
            f"{metrics['pooled/auroc'].value:.3f}",
            f"{digits.auroc_within_places:.3f}",
            f"{metrics['set/auroc'].value:.3f}",
            f"{digits.share:.0%} ({stated})",
            f"{digits.hundredths:.2f}",
        )
        yield f"| {title} | " + " | ".join(cells) + " |"
