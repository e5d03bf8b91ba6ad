"""What happens to a method that is asked for more answers."""

from collections.abc import Sequence
from dataclasses import replace

from setwise.reports.canvas import Axes, Drawing, Line, Scale, nice_scale
from setwise.reports.figures.figure import Data, Figure, styles_of
from setwise.reports.inputs import Run
from setwise.reports.methods import swept

PANELS = {"n_correct": "Right answers per set", "coverage": "Coverage"}


def growing_k_figure(runs: Sequence[Run]) -> Figure | None:
    by_method = swept(runs)
    if not by_method:
        return None
    # The same K for all, so that no label names one.
    looks = styles_of([replace(own[0], name=method, k=1) for method, own in by_method.items()])
    ks = sorted({run.k for own in by_method.values() for run in own})
    wide = Scale(ks[0] - 0.3, ks[-1] + 0.3, tuple(float(k) for k in ks))
    panels, rows = [], []
    for metric, title in PANELS.items():
        measured = {
            method: [(run.k, run.numbers[metric]) for run in own if metric in run.numbers]
            for method, own in by_method.items()
        }
        axes = Axes(wide, nice_scale([0.0, *(number.top for own in measured.values() for _, number in own)]))
        marks = axes.frame(title, "K", "")
        for method, own in measured.items():
            look = looks[method]
            marks.append(look.line([axes.at(k, number.value) for k, number in own]))
            for k, number in own:
                if number.span is not None:
                    marks.append(Line([axes.at(k, end) for end in number.span], look.colour, 1.2))
                marks.append(look.dot(axes.at(k, number.value), 4, f"K = {k}: {number.value:.3f}"))
                rows.append((look.label, title, str(k), *number.shown(3)))
        panels.append(Drawing(f"k-{metric}", title, axes.width, axes.height, marks))
    caption = "The same method for more answers in a set; bars are 95 % intervals."
    data = Data(("method", "what", "K", "value", "95 % interval"), rows)
    return Figure("k", "Growing K", caption, panels, list(looks.values()), data)
