"""The two halves of the README's picture, each legible on a telephone."""

from collections.abc import Sequence
from dataclasses import dataclass

from setwise.records.measured import Estimate
from setwise.reports.canvas import Axes, Circle, Drawing, Line, Mark, Polygon, Text, nice_scale
from setwise.reports.canvas.marks import Point, moved, rectangle

WIDTH, HEIGHT = 400.0, 372.0
TITLE = 14.0
ROW = 22.0
BAR = 120.0
Answer = tuple[str, bool, float | None]
"""What was said, whether it is right, and the confidence stated for it if there is one."""


@dataclass(frozen=True, slots=True)
class Patient:
    id: str
    question: Sequence[str]
    """Its lines; … is where something is cut."""
    golds: Sequence[str]


@dataclass(frozen=True, slots=True)
class Example:
    """The answers of one model to one question."""

    label: str
    colour: str
    answers: Sequence[Answer]
    tokens: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Different right answers by tokens spent on them."""

    label: str
    colour: str
    points: Sequence[Point]
    tokens: float
    """For three answers."""
    right: Estimate
    """Among three answers."""


def answers_panel(patient: Patient, sampled: Example, written: Example) -> Drawing:
    marks: list[Mark] = [Text((8, 20), "A patient of DDXPlus, and two models", 15, bold=True)]
    down = 44.0
    marks.append(Polygon(rectangle(8, down - 16, 3, 18 * len(patient.question) + 2), "muted"))
    for line in patient.question:
        marks.append(Text((20, down), line, 13, colour="muted"))
        down += 18
    heads = (f"{sampled.label}: three samples", f"{written.label}: one completion")
    for head, example in zip(heads, (sampled, written), strict=True):
        down += 14
        marks.append(Text((8, down), head, 14, colour=example.colour, bold=True))
        marks.append(Text((WIDTH - 8, down), f"{example.tokens} tokens", 12, "end", "muted"))
        seen: set[str] = set()
        for answer in example.answers:
            down += ROW
            marks += _answer(answer, down, example.colour, again=answer[0] in seen)
            seen.add(answer[0])
        down += 18
    marks.append(Text((8, HEIGHT - 10), f"Right, by the dataset: {', '.join(patient.golds)}", 12, colour="muted"))
    title = f"A patient of DDXPlus, answered by {sampled.label} and by {written.label}"
    return Drawing("answers", title, WIDTH, HEIGHT, marks)


def _answer(answer: Answer, down: float, colour: str, *, again: bool) -> list[Mark]:
    said, right, confidence = answer
    marks = [*_sign((14, down - 4), right), Text((32, down), said, 14, colour="muted" if again else "ink")]
    if again:
        marks.append(Text((WIDTH - 8, down), "the same again", 12, "end", "muted"))
    if confidence is not None:
        left, top = WIDTH - 48 - BAR, down - 11
        marks.append(Polygon(rectangle(left, top, BAR, 12), "grid"))
        marks.append(Polygon(rectangle(left, top, BAR * confidence, 12), colour))
        marks.append(Text((WIDTH - 8, down), f"{confidence:.2f}", 13, "end"))
    return marks


def _sign(at: Point, right: bool) -> list[Mark]:
    """A tick or a cross, drawn, since not every font has them."""
    x, y = at
    if right:
        return [Line([(x - 5, y), (x - 1, y + 4), (x + 6, y - 5)], "green", 2.2)]
    return [Line([(x - 4, y - 4 * way), (x + 5, y + 4 * way)], "grey", 2.2) for way in (1, -1)]


def tokens_panel(curves: Sequence[Curve], patients: int, most_tokens: float) -> Drawing:
    shown = {curve.label: [point for point in curve.points if point[0] <= most_tokens] for curve in curves}
    highest = max(right for points in shown.values() for _, right in points)
    x, y = nice_scale([0.0, most_tokens], most_ticks=3), nice_scale([0.0, highest])
    axes = Axes(x, y, WIDTH, HEIGHT - TITLE)
    marks = axes.frame("", "tokens spent per patient", "right and different diagnoses")
    for curve in curves:
        points = [axes.at(*point) for point in shown[curve.label]]
        marks.append(Line(points, curve.colour, 2.0))
        marks += [Circle(point, 3, curve.colour) for point in points]
        if curve.right.span is not None:
            marks.append(Line([axes.at(curve.tokens, end) for end in curve.right.span], curve.colour, 1.6))
        (last, down), is_top = points[-1], shown[curve.label][-1][1] == highest
        marks.append(Text((last, down + (-12 if is_top else 22)), curve.label, 13, "end", curve.colour, bold=True))
    title = f"Right and different diagnoses by tokens spent, over {patients} patients"
    heading = Text((8, 20), f"{patients} patients, and what more tokens buy", 15, bold=True)
    return Drawing("tokens", title, WIDTH, HEIGHT, [heading, *(moved(mark, 0, TITLE) for mark in marks)])
