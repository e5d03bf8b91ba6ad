"""A frame with two scales: maps data to pixels, and draws its grid, ticks and labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from setwise.reports.canvas.marks import Line, Mark, Point, Text, heading, text_width

LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 30.0, 44.0
SMALL = 11.0


@dataclass(frozen=True, slots=True)
class Scale:
    """A range of data with its ticks."""

    low: float
    high: float
    ticks: Sequence[float]
    digits: int = 0

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def shown(self, tick: float) -> str:
        return f"{tick:,.{self.digits}f}"


UNIT = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), 2)


def nice_scale(values: Sequence[float], *, from_zero: bool = True, most_ticks: int = 5, whole: bool = False) -> Scale:
    """A scale with round ticks that covers all values; `whole` is for counts.

    >>> nice_scale([3.0, 9.4]).ticks
    (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-12:
        low, high = low - (0 if from_zero else 0.5), high + (1.0 if from_zero else 0.5)
    rough = max((high - low) / most_ticks, 1.0 if whole else 0.0)
    magnitude = 10.0 ** floor(log10(rough))
    step = next(
        size * magnitude
        for size in ((1, 2, 5, 10) if whole else (1, 2, 2.5, 5, 10))
        if size * magnitude >= rough * (1 - 1e-9)
    )
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    digits = max(0, -floor(log10(step) + 1e-9) + (1 if step / 10 ** floor(log10(step) + 1e-9) == 2.5 else 0))
    ticks = tuple(round(n * step, 12) for n in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks, digits)


@dataclass(frozen=True, slots=True)
class Axes:
    """A panel of `width` by `height` pixels, including margins."""

    x: Scale
    y: Scale
    width: float = 340.0
    height: float = 260.0

    def at(self, x: float, y: float) -> Point:
        """The position of a data point."""
        right = LEFT + self.x.share(x) * (self.width - LEFT - RIGHT)
        down = self.height - BOTTOM - self.y.share(y) * (self.height - TOP - BOTTOM)
        return right, down

    def frame(self, title: str, x_label: str, y_label: str, *, x_ticks: bool = True) -> list[Mark]:
        """Grid, ticks, labels and a title above."""
        (left, bottom), (right, top) = self.at(self.x.low, self.y.low), self.at(self.x.high, self.y.high)
        marks: list[Mark] = []
        for tick in self.y.ticks:
            _, down = self.at(self.x.low, tick)
            marks.append(Line([(left, down), (right, down)], "grid"))
            marks.append(Text((left - 7, down + 4), self.y.shown(tick), SMALL, "end", "muted"))
        if x_ticks:
            for tick in self.x.ticks:
                across, _ = self.at(tick, self.y.low)
                marks.append(Line([(across, bottom), (across, bottom + 4)], "muted"))
                shown = self.x.shown(tick)
                middle = min(across, self.width - 2 - text_width(shown, SMALL) / 2)
                marks.append(Text((middle, bottom + 17), shown, SMALL, "middle", "muted"))
        marks.append(Line([(left, bottom), (right, bottom)], "muted"))
        marks.append(Text(((left + right) / 2, self.height - 8), x_label, SMALL, "middle", "muted"))
        if y_label:
            marks.append(Text((13, (top + bottom) / 2), y_label, SMALL, "middle", "muted", upright=False))
        if title:
            marks += heading((left, 17), title, self.width - left - 4)
        return marks
