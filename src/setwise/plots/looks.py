"""Axes, and the style of a report's series on them."""

from typing import TYPE_CHECKING, Any

from setwise.errors import MissingDependency
from setwise.reports.canvas.legend import Style
from setwise.reports.canvas.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE = 1.6
EDGE = 1.2


def axes_or_new(ax: "Axes | None") -> "Axes":
    """The given axes, or those of a new figure."""
    try:
        from matplotlib import pyplot as plt
    except ImportError:
        raise MissingDependency("setwise.plots", package="matplotlib", extra="reports") from None
    return plt.subplots()[1] if ax is None else ax


def line_look(style: Style) -> dict[str, Any]:
    """For `Axes.plot`: the method's colour, dashed as in the report."""
    # The report's dashes are in pixels of a line of width two, matplotlib's in widths of the line.
    dash: Any = (0, [length / 2 for length in style.dash]) if style.dash else "-"
    return {"color": LIGHT[style.colour], "linestyle": dash, "linewidth": LINE}


def dot_look(style: Style) -> dict[str, Any]:
    """For `Axes.scatter`: hollow if a set is made of repeated samples."""
    colour = LIGHT[style.colour]
    return {"facecolors": colour if style.filled else LIGHT["paper"], "edgecolors": colour, "linewidths": EDGE}


def finish(ax: "Axes", x_label: str, y_label: str, *, legend: bool) -> "Axes":
    """Labels as in the report, and a legend if there is more than one series."""
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color=LIGHT["grid"], zorder=0)
    ax.set_axisbelow(True)
    if legend:
        ax.legend(frameon=False)
    return ax
