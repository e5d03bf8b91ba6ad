"""A small plotting library: marks on a page, written as SVG that follows the reader's theme, or as PDF and PNG.

It is our own so that a report needs no plotting package, figures follow the page's light and dark theme, and the same
numbers give the same bytes everywhere.
"""

from setwise.reports.canvas.axes import Axes, Scale, nice_scale
from setwise.reports.canvas.marks import Circle, Drawing, Line, Mark, Polygon, Text
from setwise.reports.canvas.svg import to_svg

__all__ = ["Axes", "Circle", "Drawing", "Line", "Mark", "Polygon", "Scale", "Text", "nice_scale", "to_svg"]
