"""What confidences are good for: abstaining, and whether they add up to what was right."""

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from setwise.reports.canvas import Axes, Drawing, Line, Mark, Polygon, Scale, nice_scale
from setwise.reports.canvas.axes import UNIT
from setwise.reports.canvas.legend import Style
from setwise.reports.canvas.marks import rectangle
from setwise.reports.figures.figure import Data, Figure, used
from setwise.reports.inputs import Run, StatedPairs

SHOWN_POINTS = 60
FEWEST_ANSWERED = 20
"""A share of fewer answers is too noisy to draw."""
SUM_STEP = 0.1


def risk_coverage(pairs: StatedPairs) -> list[tuple[float, float]]:
    """(share answered, share of those wrong) if only the most confident answers are given.

    Answers with equal confidence are given together, since nothing tells them apart.

    >>> risk_coverage(StatedPairs([0.9, 0.5, 0.5], [True, False, True]))
    [(0.3333333333333333, 0.0), (1.0, 0.3333333333333333)]
    """
    q, wrong = np.asarray(pairs.confidence, dtype=float), 1 - np.asarray(pairs.correct, dtype=float)
    levels, index = np.unique(-q, return_inverse=True)
    given = np.cumsum(np.bincount(index, minlength=levels.size))
    lost = np.cumsum(np.bincount(index, weights=wrong, minlength=levels.size))
    return [(float(n / q.size), float(w / n)) for n, w in zip(given, lost, strict=True)]


def risk_curve(pairs: StatedPairs) -> list[tuple[float, float]]:
    """`risk_coverage` as drawn: from twenty answers on, at most about sixty points, keeping the last."""
    curve = risk_coverage(pairs)
    curve = [point for point in curve if point[0] * len(pairs.confidence) >= FEWEST_ANSWERED] or curve[-1:]
    step = max(1, len(curve) // SHOWN_POINTS)
    return curve[:-1:step] + curve[-1:]


def risk_figure(runs: Sequence[Run], styles: dict[str, Style]) -> Figure | None:
    shown = [run for run in runs if len(run.top1.confidence)]
    if not shown:
        return None
    curves = {run.name: risk_curve(run.top1) for run in shown}
    axes = Axes(UNIT, nice_scale([risk for curve in curves.values() for _, risk in curve]), 460, 300)
    marks = axes.frame("", "share of problems answered, most confident first", "share wrong")
    rows = []
    for run in shown:
        style, curve = styles[run.name], curves[run.name]
        marks.append(style.line([axes.at(*point) for point in curve]))
        share, risk = curve[-1]
        marks.append(style.dot(axes.at(share, risk), 4, f"{style.label}: {risk:.1%} wrong if everything is answered"))
        rows += [(style.label, f"{share:.3f}", f"{risk:.3f}") for share, risk in curve]
    return Figure(
        "risk",
        "Risk against share answered",
        "If the model answers only where its first answer is most confident, how often is it wrong? A curve that rises "
        "to the right means that confidence tells right from wrong; a flat one that it does not. "
        "Drawn from 20 answers on.",
        [Drawing("risk-panel", "Risk-coverage curves", axes.width, axes.height, marks)],
        used(styles, shown),
        Data(("method", "share answered", "share wrong"), rows),
    )


def sums_figure(runs: Sequence[Run], styles: dict[str, Style]) -> Figure | None:
    shown = [run for run in runs if run.sums]
    if not shown:
        return None
    widest = nice_scale([0.0, *(total for run in shown for total, *_ in run.sums)], most_ticks=6)
    tallest = nice_scale([1.0, *(right for run in shown for *_, right in by_sum(run))])
    panels = [_sums_panel(run, styles[run.name], widest, tallest) for run in shown]
    rows = [
        (styles[run.name].label, f"{total:.2f}", f"{share:.3f}", f"{right:.3f}")
        for run in shown
        for total, share, right in by_sum(run)
    ]
    return Figure(
        "sums",
        "Sum of confidences against what was right",
        "Bars: how often the confidences of a set sum to so much. Dots: how many answers were right in those sets; on "
        "the dashed line the sum is honest. One tall bar at 1 with dots far off it is the habit of summing to one.",
        panels,
        (),
        Data(("method", "sum of confidences", "share of sets", "right answers per set"), rows),
    )


def by_sum(run: Run) -> list[tuple[float, float, float]]:
    """(sum, share of sets, mean right answers) in steps of 0.1, centred on 0, 0.1, 0.2 ..."""
    totals, right, _ = (np.array(column, dtype=float) for column in zip(*run.sums, strict=True))
    step = np.floor(totals / SUM_STEP + 0.5 + 1e-9).astype(int)
    return [(float(s * SUM_STEP), float((step == s).mean()), float(right[step == s].mean())) for s in np.unique(step)]


def _sums_panel(run: Run, style: Style, wide: Scale, tall: Scale) -> Drawing:
    found, axes = by_sum(run), Axes(wide, tall, 320, 260)
    ones = fmean(each.shares_out_one for each in run.sums)
    label = f"sum of confidences ({ones:.0%} sum to 1)"
    marks: list[Mark] = axes.frame(style.label, label, "right answers per set")
    for total, share, _ in found:
        (left, top), (right, bottom) = axes.at(max(0, total - 0.04), share * axes.y.high), axes.at(total + 0.04, 0)
        hint = f"{share:.1%} of sets sum to about {total:.1f}"
        marks.append(Polygon(rectangle(left, top, right - left, bottom - top), "band", 0.8, hint))
    reach = min(axes.x.high, axes.y.high)
    marks.append(Line([axes.at(0, 0), axes.at(reach, reach)], "muted", 1.0, (3, 3)))
    for total, share, right in found:
        hint = f"sum about {total:.1f}: {right:.2f} right on average ({share:.1%} of sets)"
        marks.append(style.dot(axes.at(total, right), 2.5 + 5 * share**0.5, hint))
    return Drawing(f"sums-{run.name}", f"{style.label}: sum of confidences", axes.width, axes.height, marks)
