"""Writes a drawing as PDF and PNG with matplotlib, with nothing in the file that changes between runs."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from setwise.errors import MissingDependency
from setwise.reports.canvas.marks import Circle, Drawing, Line, Mark, Polygon
from setwise.reports.canvas.palette import LIGHT
from setwise.reports.canvas.svg import clean

PIXELS_PER_INCH = 96
POINTS = 72 / PIXELS_PER_INCH
PNG_SCALE = 2
_NO_DATES: dict[str, dict[str, Any]] = {
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    "png": {"Software": None},
}


def export(drawing: Drawing, paths: Sequence[Path]) -> None:
    """Write the drawing to every path, in the format of its suffix, `.pdf` or `.png`."""
    try:
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingDependency("a figure as PDF or PNG", package="matplotlib", extra="reports") from None
    with mpl.rc_context({"pdf.fonttype": 42, "font.family": "DejaVu Sans", "text.parse_math": False}):
        figure = Figure((drawing.width / PIXELS_PER_INCH, drawing.height / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, drawing.width)
        axes.set_ylim(drawing.height, 0)
        axes.set_axis_off()
        for order, mark in enumerate(drawing.marks):
            _draw(axes, mark, order)
        with warnings.catch_warnings():
            # An answer in a script that the font lacks is drawn as boxes here; the SVG and the page show it correctly.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            for path in paths:
                kind = path.suffix[1:]
                figure.savefig(path, format=kind, dpi=PIXELS_PER_INCH * PNG_SCALE, metadata=_NO_DATES[kind])


def _draw(axes: Any, mark: Mark, order: int) -> None:
    from matplotlib.patches import Circle as RoundPatch
    from matplotlib.patches import Polygon as AngularPatch

    if isinstance(mark, Line):
        across, down = zip(*mark.points, strict=True)
        style: Any = (0, [length / mark.width for length in mark.dash]) if mark.dash else "-"
        width = mark.width * POINTS
        axes.plot(across, down, color=LIGHT[mark.colour], linewidth=width, linestyle=style, zorder=order)
    elif isinstance(mark, Polygon):
        axes.add_patch(
            AngularPatch(list(mark.points), facecolor=LIGHT[mark.fill], alpha=mark.opacity, linewidth=0, zorder=order)
        )
    elif isinstance(mark, Circle):
        fill = LIGHT[mark.colour] if mark.filled else LIGHT["paper"]
        edge = LIGHT[mark.colour]
        axes.add_patch(
            RoundPatch(mark.centre, mark.radius, facecolor=fill, edgecolor=edge, linewidth=1.6 * POINTS, zorder=order)
        )
    else:
        side = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
        axes.text(
            *mark.at,
            clean(mark.text),
            fontsize=mark.size * POINTS * 0.93,  # DejaVu is wider than the page's fonts.
            color=LIGHT[mark.colour],
            ha=side,
            va="baseline",
            rotation=0 if mark.upright else 90,
            rotation_mode="anchor",
            fontweight="bold" if mark.bold else "normal",
            zorder=order,
        )
