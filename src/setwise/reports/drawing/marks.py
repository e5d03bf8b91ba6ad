"""What a figure is made of. Coordinates are in pixels from the top left corner; colours are names of the palette."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    points: Sequence[Point]
    colour: str = "ink"
    width: float = 1.0
    dash: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Polygon:
    points: Sequence[Point]
    fill: str
    opacity: float = 1.0
    hint: str = ""
    """Shown when the mouse rests on it."""


@dataclass(frozen=True, slots=True)
class Circle:
    centre: Point
    radius: float
    colour: str
    filled: bool = True
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    at: Point
    """Where the base line starts, has its middle or ends."""
    text: str
    size: float = 12.0
    anchor: Anchor = "start"
    colour: str = "ink"
    bold: bool = False
    upright: bool = True
    """False turns the text to read from bottom to top."""


Mark = Line | Polygon | Circle | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture; `title` is what a screen reader says."""

    name: str
    title: str
    width: float
    height: float
    marks: Sequence[Mark]


def rectangle(x: float, y: float, width: float, height: float) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def moved(mark: Mark, right: float, down: float) -> Mark:
    """The same mark elsewhere."""
    if isinstance(mark, Circle):
        return replace(mark, centre=(mark.centre[0] + right, mark.centre[1] + down))
    if isinstance(mark, Text):
        return replace(mark, at=(mark.at[0] + right, mark.at[1] + down))
    return replace(mark, points=[(x + right, y + down) for x, y in mark.points])


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a sans-serif face.

    >>> round(text_width("coverage", 12))
    58
    """
    narrow = sum(letter in "iljtfI.,:;|!'()[] " for letter in text)
    wide = sum(letter in "mwMW%@" for letter in text)
    return size * (0.6 * len(text) - 0.26 * narrow + 0.3 * wide)
