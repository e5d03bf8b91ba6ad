"""What more sampling finds."""

from typing import TYPE_CHECKING, Literal

from setwise.errors import InputError
from setwise.plots.looks import axes_or_new, dot_look, finish, line_look
from setwise.plots.runs import Runs, read_runs
from setwise.reports.figures import styles_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHAT = {"distinct_correct": "distinct right answers per problem", "distinct": "distinct answers per problem"}


def budget(
    runs: Runs, ax: "Axes | None" = None, *, what: Literal["distinct_correct", "distinct"] = "distinct_correct"
) -> "Axes":
    """Expected number of distinct (right) answers among this many drawn, by exact rarefaction over completions.

    A set that was written together is drawn together. Needs runs with several completions per problem (`--samples`).
    """
    if what not in WHAT:
        raise InputError(f"what is drawn is one of {', '.join(WHAT)}", value=what)
    shown = read_runs(runs)
    ax, styles = axes_or_new(ax), styles_of(shown)
    for run in shown:
        points = [(point["answers"], point[what]) for point in run.analyses.get("budget", ())]
        if len(points) < 2:
            raise InputError("the run has one set of each problem", place=run.name, remedy="evaluate with --samples")
        style = styles[run.name]
        ax.plot(*zip(*points, strict=True), **line_look(style), label=style.label)
        ax.scatter(*zip(*points, strict=True), s=24, **dot_look(style), zorder=3)
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    return finish(ax, "answers drawn per problem", WHAT[what], legend=len(shown) > 1)
