"""Legends, and panels side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from setwise.reports.canvas.marks import Circle, Drawing, Line, Mark, Text, moved, text_width

ENTRY_HEIGHT = 19.0
MARGIN = 50.0


@dataclass(frozen=True, slots=True)
class Style:
    """How one series looks everywhere: a colour, and a second sign for readers who cannot tell it by colour."""

    label: str
    colour: str
    dash: Sequence[float] = ()
    filled: bool = True

    def dot(self, at: tuple[float, float], radius: float = 4.0, hint: str = "") -> Circle:
        return Circle(at, radius, self.colour, self.filled, hint)

    def line(self, points: Sequence[tuple[float, float]]) -> Line:
        return Line(points, self.colour, 2.0, self.dash)


def legend(styles: Sequence[Style], width: float) -> tuple[list[Mark], float]:
    """Entries in rows that fit the width, and their height."""
    marks: list[Mark] = []
    across, down = 0.0, 0.0
    for style in styles:
        needed = _entry_width(style)
        if across and across + needed > width:
            across, down = 0.0, down + ENTRY_HEIGHT
        middle = down + ENTRY_HEIGHT / 2
        marks.append(style.line([(across + 2, middle), (across + 26, middle)]))
        marks.append(style.dot((across + 14, middle)))
        marks.append(Text((across + 32, middle + 4), style.label, 11.5))
        across += needed
    return marks, down + ENTRY_HEIGHT if styles else 0.0


def side_by_side(
    name: str, title: str, panels: Sequence[Drawing], styles: Sequence[Style] = (), columns: int = 3
) -> Drawing:
    """Panels in rows of at most `columns`, with one legend above."""
    columns = min(columns, len(panels))
    cell_width, cell_height = max(p.width for p in panels), max(p.height for p in panels)
    width = max([cell_width * columns, *(MARGIN + _entry_width(style) for style in styles)])
    marks, top = legend(styles, width - MARGIN)
    marks = [moved(mark, MARGIN, 4) for mark in marks]
    top += 8 if styles else 0
    for place, panel in enumerate(panels):
        right, down = (place % columns) * cell_width, top + (place // columns) * cell_height
        marks += [moved(mark, right, down) for mark in panel.marks]
    rows = -(-len(panels) // columns)
    return Drawing(name, title, width, top + rows * cell_height, marks)


def _entry_width(style: Style) -> float:
    return 34 + text_width(style.label, 11.5) + 14
