"""What confidences are good for: abstaining, and whether they add up."""

from typing import TYPE_CHECKING

from setwise.errors import InputError
from setwise.plots.looks import axes_or_new, dot_look, finish, line_look
from setwise.plots.runs import RunLike, Runs, one_run, read_runs
from setwise.reports.canvas.palette import LIGHT
from setwise.reports.figures import styles_of
from setwise.reports.figures.confidence import by_sum, risk_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR_WIDTH = 0.08


def risk(runs: Runs, ax: "Axes | None" = None) -> "Axes":
    """How often the first answer is wrong if only the most confident share of problems is answered."""
    shown = read_runs(runs)
    ax, styles = axes_or_new(ax), styles_of(shown)
    for run in shown:
        if not len(run.top1.confidence):
            raise InputError("the run states no confidences", place=run.name)
        style, curve = styles[run.name], risk_curve(run.top1)
        ax.plot(*zip(*curve, strict=True), **line_look(style), label=style.label)
        ax.scatter(*curve[-1], s=36, **dot_look(style), zorder=3)
    ax.set_xlim(0, 1.02)
    ax.set_ylim(bottom=0)
    return finish(ax, "share of problems answered, most confident first", "share wrong", legend=len(shown) > 1)


def sums(run: RunLike, ax: "Axes | None" = None) -> "Axes":
    """How often the confidences of a set have each sum (bars, on the right), and how many answers are right then."""
    shown = one_run(run)
    if not shown.sums:
        raise InputError("no set of the run states all of its confidences", place=shown.name)
    ax, style, found = axes_or_new(ax), styles_of([shown])[shown.name], by_sum(shown)
    totals, shares, right = zip(*found, strict=True)
    beside = ax.twinx()
    beside.bar(totals, shares, width=BAR_WIDTH, color=LIGHT["band"], alpha=0.8)
    beside.set_ylim(0, 1)
    beside.set_ylabel("share of sets")
    beside.spines["top"].set_visible(False)
    # The bars belong behind the dots, but twin axes are drawn last.
    ax.set_zorder(beside.get_zorder() + 1)
    ax.patch.set_visible(False)
    reach = max(1.0, *totals, *right)
    ax.plot([0, reach], [0, reach], color=LIGHT["muted"], linewidth=0.8, linestyle=(0, (3, 3)))
    sizes = [(2 * (2.5 + 5 * share**0.5)) ** 2 for share in shares]
    ax.scatter(totals, right, s=sizes, **dot_look(style), label=style.label, zorder=3)
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    finish(ax, "sum of confidences", "right answers per set", legend=False)
    ax.spines["right"].set_visible(True)
    return ax
