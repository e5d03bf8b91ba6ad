"""Calibration curves: dot size is bucket size, and a band shows what chance allows a perfectly calibrated model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from setwise.metrics.calibration import BINS, bin_index, ece, ece_floor
from setwise.reports.canvas import Axes, Drawing, Line, Mark, Polygon
from setwise.reports.canvas.axes import UNIT
from setwise.reports.canvas.legend import Style
from setwise.reports.figures.figure import Data, Figure
from setwise.reports.inputs import Run, StatedPairs

BIGGEST_DOT, SMALLEST_DOT = 11.0, 2.2
EXACT_UP_TO = 400
CHANCE = 0.95


@dataclass(frozen=True, slots=True)
class Bucket:
    """One bin of confidences. If every confidence is true, its accuracy is between `low` and `high` 95 times in 100."""

    n: int
    confidence: float
    accuracy: float
    low: float
    high: float


def buckets(pairs: StatedPairs) -> list[Bucket]:
    """The non-empty bins, lowest first."""
    q, c = np.asarray(pairs.confidence, dtype=float), np.asarray(pairs.correct, dtype=float)
    index = bin_index(q, BINS)
    found = []
    for b in np.unique(index):
        inside = index == b
        low, high = chance_range(q[inside])
        found.append(Bucket(int(inside.sum()), float(q[inside].mean()), float(c[inside].mean()), low, high))
    return found


def chance_range(confidences: np.ndarray) -> tuple[float, float]:
    """The central 95 % of the share right if each is right, independently, with its confidence.

    Exact for small buckets (the distribution of a sum of unequal coin flips), normal for large ones.

    >>> chance_range(np.array([0.5]))
    (0.0, 1.0)
    """
    q, n = np.clip(confidences, 0.0, 1.0), len(confidences)
    if n > EXACT_UP_TO:
        middle, spread = q.mean(), 1.96 * float(np.sqrt((q * (1 - q)).sum())) / n
        return float(max(0.0, middle - spread)), float(min(1.0, middle + spread))
    masses = np.ones(1)
    for p in q:
        masses = np.convolve(masses, (1 - p, p))
    below = np.cumsum(masses)
    tail = (1 - CHANCE) / 2
    return float(np.searchsorted(below, tail) / n), float(min(n, np.searchsorted(below, 1 - tail)) / n)


def calibration_figure(
    key: str, title: str, runs: Sequence[tuple[Run, StatedPairs]], styles: dict[str, Style]
) -> Figure | None:
    shown = [(run, pairs) for run, pairs in runs if len(pairs.confidence)]
    if not shown:
        return None
    rows = [row for run, pairs in shown for row in _rows(styles[run.name].label, pairs)]
    return Figure(
        key,
        title,
        "Each dot is a tenth of the confidence scale, its area the number of answers in it. On the diagonal "
        "confidence is accuracy; inside the grey band a perfectly calibrated model would lie in 95 of 100 cases.",
        [_panel(f"{key}-{run.name}", styles[run.name], pairs) for run, pairs in shown],
        (),
        Data(("method", "confidence", "accuracy", "chance allows", "n"), rows),
    )


def _rows(label: str, pairs: StatedPairs) -> Iterator[tuple[str, ...]]:
    for each in buckets(pairs):
        allowed = f"{each.low:.3f} to {each.high:.3f}"
        yield label, f"{each.confidence:.3f}", f"{each.accuracy:.3f}", allowed, f"{each.n:,}"


def _panel(name: str, style: Style, pairs: StatedPairs) -> Drawing:
    axes = Axes(UNIT, UNIT, 300, 300)
    found = buckets(pairs)
    biggest = max(each.n for each in found)
    gap, floor = ece(pairs.confidence, pairs.correct), ece_floor(pairs.confidence)
    label = f"confidence (ECE {gap:.3f}, floor {floor:.3f})"
    # Sums of confidences may exceed 1; the last bucket is then drawn at the edge.
    across = [min(each.confidence, 1.0) for each in found]
    marks: list[Mark] = [
        *axes.frame(style.label, label, "accuracy"),
        *_band(axes, across, found),
        Line([axes.at(0, 0), axes.at(1, 1)], "muted", 1.0, (3, 3)),
        Line([axes.at(x, each.accuracy) for x, each in zip(across, found, strict=True)], style.colour, 1.2, style.dash),
    ]
    for x, each in zip(across, found, strict=True):
        radius = max(SMALLEST_DOT, BIGGEST_DOT * (each.n / biggest) ** 0.5)
        hint = f"{style.label}: confidence {each.confidence:.2f}, accuracy {each.accuracy:.2f}, {each.n:,} answers"
        marks.append(style.dot(axes.at(x, each.accuracy), radius, hint))
    return Drawing(name, f"{style.label}: calibration curve, ECE {gap:.3f}", axes.width, axes.height, marks)


def _band(axes: Axes, across: list[float], found: list[Bucket]) -> list[Mark]:
    """What chance allows, from bucket to bucket. A single bucket gets a bar."""
    if len(found) == 1:
        return [Line([axes.at(across[0], found[0].low), axes.at(across[0], found[0].high)], "band", 10.0)]
    lower = [axes.at(x, each.low) for x, each in zip(across, found, strict=True)]
    upper = [axes.at(x, each.high) for x, each in zip(across, found, strict=True)]
    return [Polygon([*lower, *reversed(upper)], "band", 0.5)]
