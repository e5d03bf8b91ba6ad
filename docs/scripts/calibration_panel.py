"""The figure of calibration: what stated confidences are worth, and what is promised with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from setwise.reports.canvas import Circle, Drawing, Line, Mark, Text
from setwise.reports.canvas.marks import Point

WIDTH, HEIGHT = 560.0, 376.0
SIDE, TOP, SIZE = 204.0, 66.0, 13.0
COLOURS = {"stated": "vermillion", "calibrated": "blue"}


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of one promise, on problems that the profile has not seen."""

    promised: float
    held: float
    """How often the kept answers held a right one."""
    span: tuple[float, float]
    """Of nine profiles in ten."""
    answers: float


@dataclass(frozen=True, slots=True)
class Plot:
    """A square from `low` to 1 in both directions, with the line where both are equal."""

    left: float
    low: float
    ticks: Sequence[float]

    def at(self, x: float, y: float) -> Point:
        across, up = ((value - self.low) / (1 - self.low) * SIDE for value in (x, y))
        return self.left + across, TOP + SIDE - up

    def frame(self, title: str, across: str, up: str) -> list[Mark]:
        marks: list[Mark] = [Text((self.left - 34, 28), title, 15, bold=True)]
        for tick in self.ticks:
            x, y = self.at(tick, tick)
            marks.append(Line([(self.left, y), (self.left + SIDE, y)], "grid"))
            marks.append(Text((self.left - 6, y + 4), f"{tick:.0%}", SIZE, "end", "muted"))
            marks.append(Text((x, TOP + SIDE + 18), f"{tick:.0%}", SIZE, "middle", "muted"))
        marks.append(Text((self.left - 34, 52), up, SIZE, colour="muted"))
        marks.append(Text((self.left + SIDE / 2, TOP + SIDE + 40), across, SIZE, "middle", "muted"))
        marks.append(Line([self.at(self.low, self.low), self.at(1, 1)], "muted", 1.2, (5, 4)))
        return marks


def calibration_panel(
    curves: Mapping[str, Sequence[Sequence[float]]], kept: Sequence[Kept], out_of_reach: Sequence[float], note: str
) -> Drawing:
    """Curves are number, mean confidence and share right by bin; dots grow with the number of answers."""
    worth = Plot(56, 0.0, (0, 0.25, 0.5, 0.75, 1))
    marks = worth.frame("What a confidence is worth", "confidence", "answers that are right")
    most = max(number for curve in curves.values() for number, _, _ in curve)
    for place, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[name]
        marks += [Circle(worth.at(q, right), 2 + 8 * sqrt(n / most), colour) for n, q, right in curve]
        down = TOP + SIDE + 64
        marks.append(Circle((62 + 96 * place, down - 4), 5, colour))
        marks.append(Text((72 + 96 * place, down), name, SIZE, colour=colour, bold=True))
    promise = Plot(336, 0.5, (0.6, 0.7, 0.8, 0.9))
    marks += promise.frame("What alpha promises", "promised, 1 - alpha", "kept sets with a right answer")
    for each in kept:
        marks.append(Line([promise.at(each.promised, end) for end in each.span], "green", 2))
        marks.append(Circle(promise.at(each.promised, each.held), 5, "green"))
        x, y = promise.at(each.promised, each.held)
        marks.append(Text((x - 9, y + 5), f"{each.answers:.1f}", SIZE, "end", "green", bold=True))
    for promised in out_of_reach:
        x, y = promise.at(promised, 0.5)
        marks.append(Line([(x, y - 36), (x, TOP)], "band", 1.2, (2, 4)))
        marks += [Text((x, y - up), word, SIZE, "middle", "muted") for word, up in (("out of", 20), ("reach", 5))]
    marks.append(Text((302, TOP + SIDE + 64), "numbers: answers kept of three", SIZE, colour="green", bold=True))
    marks.append(Text((22, TOP + SIDE + 92), note, SIZE, colour="muted"))
    title = "Stated and calibrated confidences against how often they are right, and coverage against what was promised"
    return Drawing("calibration", title, WIDTH, HEIGHT, marks)
