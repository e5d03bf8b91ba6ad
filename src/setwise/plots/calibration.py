"""Calibration curves."""

from typing import TYPE_CHECKING, Literal

from setwise.errors import InputError
from setwise.metrics.calibration import ece, ece_floor
from setwise.plots.looks import axes_or_new, dot_look, finish, line_look
from setwise.plots.runs import Runs, read_runs
from setwise.reports.canvas.palette import LIGHT
from setwise.reports.figures import styles_of
from setwise.reports.figures.calibration import BIGGEST_DOT, SMALLEST_DOT, buckets

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def calibration(runs: Runs, ax: "Axes | None" = None, *, answers: Literal["top1", "pooled"] = "top1") -> "Axes":
    """Accuracy against stated confidence, for first answers (`top1`) or all answers (`pooled`).

    The area of a dot is the number of answers in its tenth of the scale. With one run, a grey band shows where a
    perfectly calibrated model lies in 95 of 100 cases.
    """
    if answers not in ("top1", "pooled"):
        raise InputError("answers are top1 or pooled", value=answers)
    shown = read_runs(runs)
    ax, styles = axes_or_new(ax), styles_of(shown)
    ax.plot([0, 1], [0, 1], color=LIGHT["muted"], linewidth=0.8, linestyle=(0, (3, 3)))
    for run in shown:
        pairs, style = getattr(run, answers), styles[run.name]
        if not len(pairs.confidence):
            raise InputError("the run states no confidences", place=run.name)
        found = buckets(pairs)
        # Sums of confidences may exceed 1; the last bucket is then drawn at the edge.
        across = [min(each.confidence, 1.0) for each in found]
        if len(shown) == 1:
            low, high = [each.low for each in found], [each.high for each in found]
            ax.fill_between(across, low, high, color=LIGHT["band"], alpha=0.5, linewidth=0)
        accuracy = [each.accuracy for each in found]
        biggest = max(each.n for each in found)
        radii = [max(SMALLEST_DOT, BIGGEST_DOT * (each.n / biggest) ** 0.5) for each in found]
        gap, floor = ece(pairs.confidence, pairs.correct), ece_floor(pairs.confidence)
        ax.plot(across, accuracy, **line_look(style), label=f"{style.label} (ECE {gap:.3f}, floor {floor:.3f})")
        ax.scatter(across, accuracy, s=[(1.5 * radius) ** 2 for radius in radii], **dot_look(style), zorder=3)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")
    return finish(ax, "confidence", "accuracy", legend=True)
