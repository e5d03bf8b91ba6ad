"""What a figure consists of. Coordinates are in pixels from the top left corner; colours are names in the palette."""

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


HEADING, SMALLEST_HEADING = 12.5, 9.5
BOLD = 1.16
"""How much wider bold letters are, in the widest of the usual fonts."""

Mark = Line | Polygon | Circle | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture; screen readers read the `title`."""

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


def heading(at: Point, text: str, room: float) -> list[Mark]:
    """A bold line that fits the room: smaller if it is long, then on two lines, then shortened in the middle.

    >>> [mark.text for mark in heading((0, 0), "RLVR multi (seed-0/rlvr-multi)", 130)]
    ['RLVR multi', '(seed-0/rlvr-multi)']
    """
    size = max(SMALLEST_HEADING, min(HEADING, room / max(text_width(text, BOLD), 1e-9)))
    letters = size * BOLD
    first, _, second = text.rpartition(" (")
    if not first or text_width(text, letters) <= room:
        return [Text(at, _shortened(text, letters, room), size, bold=True)]
    lines = zip((-6.5, 5.5), (first, f"({second}"), strict=True)
    return [Text((at[0], at[1] + down), _shortened(line, letters, room), size, bold=True) for down, line in lines]


def _shortened(text: str, size: float, room: float) -> str:
    shown, kept = text, len(text)
    while text_width(shown, size) > room and kept > 1:
        kept -= 1
        shown = f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"
    return shown


def text_width(text: str, size: float) -> float:
    """The approximate width of a text in a sans-serif font.

    >>> round(text_width("coverage", 12))
    58
    """
    narrow = sum(letter in "iljtfI.,:;|!'()[] " for letter in text)
    wide = sum(letter in "mwMW%@" for letter in text)
    return size * (0.6 * len(text) - 0.26 * narrow + 0.3 * wide)
