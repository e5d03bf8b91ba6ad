"""Where the error of a set's claim comes from: a table of docs/results/ddxplus-credit-settings.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from results.credit_tables import TITLES
from results.trainings import DDXPLUS, evaluations
from setwise.calibration.isotonic import isotonic
from setwise.calibration.points import Points
from setwise.metrics.calibration import ece
from setwise.records.run import RunFolder

COMPARED = {
    "RLCR-multi per answer": DDXPLUS.ours,
    **{TITLES[method]: DDXPLUS.of(method) for method in ("rlvr-multi+prompt", "rlcr-multi")},
}


def set_ece(run: Path) -> float:
    return RunFolder(run).read_metrics().metrics["set/ece"].value


def recalibrated(run: Path) -> float:
    """Set ECE if every confidence were the share that is right of those like it, in the same place of a set: what is
    left comes from the formula, 1 - prod(1 - q), which takes the answers of a set to be independent."""
    attempts = [each for each in RunFolder(run).attempts() if len(each.confidences) == each.k]
    whole = [each for each in attempts if None not in each.confidences]
    stated, right = (
        np.array([list(getattr(each, name)) for each in whole], float) for name in ("confidences", "correct")
    )
    places = zip(stated.T, right.T, strict=True)
    honest = np.array([isotonic(Points.of(q, c))(q) for q, c in places])
    return ece(1 - np.prod(1 - honest, axis=0), right.any(axis=1))


def claims_of_sets(folders: Mapping[str, Path]) -> Iterator[str]:
    yield "| seeds 0, 1, 2 | set ECE | if each place were calibrated |"
    yield "| --- | ---: | ---: |"
    for title, runs in COMPARED.items():
        folder = evaluations(folders, runs)
        cells = (", ".join(f"{number(run):.3f}" for run in folder) for number in (set_ece, recalibrated))
        yield f"| {title} | {' | '.join(cells)} |"
