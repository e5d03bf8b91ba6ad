"""How the number of right answers to a problem affects what is found."""

from collections.abc import Sequence

from setwise.reports.canvas import Axes, Drawing, Scale, nice_scale
from setwise.reports.canvas.legend import Style
from setwise.reports.figures.figure import Data, Figure, used
from setwise.reports.inputs import Run

MOST_TICKS = 8


def golds_figure(runs: Sequence[Run], styles: dict[str, Style]) -> Figure | None:
    shown = [run for run in runs if len(run.analyses.get("by_n_golds", {})) > 1]
    if not shown:
        return None
    sizes = sorted({int(n) for run in shown for n in run.analyses["by_n_golds"]})
    ticks = tuple(float(n) for n in sizes[:: -(-len(sizes) // MOST_TICKS)])
    wide = Scale(sizes[0] - 0.5, sizes[-1] + 0.5, ticks)
    panels, rows = [], []
    for quantity, title in (("coverage", "Coverage"), ("recall", "Recall")):
        axes = Axes(wide, nice_scale([0.0, 1.0]))
        marks = axes.frame(title, "right answers the problem has", "mean over sets")
        for run in shown:
            style, found = styles[run.name], run.analyses["by_n_golds"]
            points = [(n, found[str(n)][quantity]) for n in sizes if str(n) in found]
            marks.append(style.line([axes.at(*point) for point in points]))
            marks += [style.dot(axes.at(n, value), 3.2, f"{style.label}: {value:.2f} at {n}") for n, value in points]
            rows += [
                (style.label, title, str(n), f"{value:.3f}", str(found[str(n)]["attempts"])) for n, value in points
            ]
        panels.append(Drawing(f"golds-{quantity}", title, axes.width, axes.height, marks))
    return Figure(
        "golds",
        "By number of right answers",
        "Coverage and recall against how many right answers the problem has.",
        panels,
        used(styles, shown),
        Data(("method", "what", "right answers", "mean", "sets"), rows),
    )
