"""Where the error of a set's claim comes from: a table of docs/results/ddxplus-credit-settings.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from results.columns import TITLES
from results.readings import full_claims, metrics_of
from results.trainings import DDXPLUS_160, DDXPLUS_240, DECAYED, evaluations
from setwise.calibration.isotonic import isotonic
from setwise.calibration.points import Points
from setwise.metrics.calibration import ece
from setwise.metrics.claims import set_confidence
from setwise.objectives import Regime

COMPARED = {
    "RLCR-multi per answer, 160 steps": DDXPLUS_160.ours,
    "the same with a falling rate": DECAYED,
    "RLCR-multi per answer, 240 steps": DDXPLUS_240.ours,
    **{
        f"{TITLES[method]}, {steps} steps": trainings.of(method)
        for steps, trainings in ((160, DDXPLUS_160), (240, DDXPLUS_240))
        for method in ("rlvr-multi+prompt", "rlcr-multi")
    },
}


def set_ece(run: Path) -> float:
    return metrics_of(run)["set/ece"].value


def recalibrated(run: Path) -> float:
    """Set ECE if every confidence were the share that is right of those like it, in the same place of a set: what is
    left comes from taking the answers of a set to be independent."""
    stated, right = np.array([(claim, attempt.correct) for claim, attempt in full_claims(run)], float).swapaxes(0, 1)
    honest = [isotonic(Points.of(q, c))(q) for q, c in zip(stated.T, right.T, strict=True)]
    claims = [set_confidence(confidences, Regime.INCLUSIVE) for confidences in zip(*honest, strict=True)]
    return ece(claims, right.any(axis=1))


def claims_of_sets(folders: Mapping[str, Path]) -> Iterator[str]:
    yield "| by seed | set ECE | if each place were calibrated |"
    yield "| --- | ---: | ---: |"
    for title, runs in COMPARED.items():
        folder = evaluations(folders, runs)
        cells = (", ".join(f"{number(run):.3f}" for run in folder) for number in (set_ece, recalibrated))
        yield f"| {title} | {' | '.join(cells)} |"
