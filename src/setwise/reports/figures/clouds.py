"""Word clouds of everything answered to one problem, single against multi. The layout is not random."""

from collections.abc import Sequence
from math import cos, log1p, sin

from setwise.reports.canvas import Drawing, Mark, Text
from setwise.reports.canvas.legend import Style
from setwise.reports.canvas.marks import heading, text_width
from setwise.reports.figures.figure import Data, Figure
from setwise.reports.inputs import Cloud, CloudExhibit, CloudWord

WIDTH, HEIGHT = 420.0, 280.0
SMALLEST, LARGEST = 11.0, 34.0
MOST_WORDS = 40
LONGEST = 34

Box = tuple[float, float, float, float]


def cloud_figure(exhibit: CloudExhibit | None, styles: dict[str, Style]) -> Figure | None:
    if exhibit is None:
        return None
    panels = [_panel(cloud, styles[cloud.run]) for cloud in exhibit.clouds]
    rows = [
        (styles[cloud.run].label, word.text, str(word.times), "right" if word.right else "wrong")
        for cloud in exhibit.clouds
        for word in cloud.words
    ]
    return Figure(
        "clouds",
        "Everything answered to one problem",
        f"Problem {exhibit.problem}, whose gap in distinct answers between the two is the median one. The larger, the "
        "more often; right answers bold and in colour, wrong ones grey.",
        panels,
        (),
        Data(("method", "answer", "times", "verdict"), rows),
    )


def _panel(cloud: Cloud, style: Style) -> Drawing:
    drawn = sum(word.times for word in cloud.words)
    title = f"{style.label}: {len(cloud.words)} distinct of {drawn}"
    marks: list[Mark] = [*heading((12, 18), title, WIDTH - 24), *_placed(cloud.words, style)]
    return Drawing(f"clouds-{cloud.run}", title, WIDTH, HEIGHT, marks)


def _placed(words: Sequence[CloudWord], style: Style) -> list[Mark]:
    ordered = sorted(words, key=lambda word: (-word.times, word.text))[:MOST_WORDS]
    most = max((word.times for word in ordered), default=1)
    taken: list[Box] = []
    marks: list[Mark] = []
    for word in ordered:
        text = word.text if len(word.text) <= LONGEST else word.text[: LONGEST - 1] + "…"
        size = SMALLEST + (LARGEST - SMALLEST) * log1p(word.times - 1) / max(log1p(most - 1), 1.0)
        size = min(size, (WIDTH - 40) / max(text_width(text, 1.08), 1e-9))
        box = _free_place(text_width(text, size) * 1.12 + 10, size * 1.15, taken)
        if box is None:
            continue
        taken.append(box)
        middle = (box[0] + box[2]) / 2
        colour = style.colour if word.right else "muted"
        marks.append(Text((middle, box[3] - size * 0.28), text, size, "middle", colour, bold=word.right))
    return marks


def _free_place(width: float, height: float, taken: Sequence[Box]) -> Box | None:
    """The first free place on a spiral from the middle; None if the picture is full."""
    for turn in range(1400):
        angle = 0.22 * turn
        x = WIDTH / 2 + 0.95 * angle * cos(angle) * 0.9 - width / 2
        y = (HEIGHT + 24) / 2 + 0.55 * angle * sin(angle) * 0.9 - height / 2
        box = (x, y, x + width, y + height)
        inside = x >= 6 and y >= 28 and box[2] <= WIDTH - 6 and box[3] <= HEIGHT - 6
        if inside and not any(_overlap(box, other) for other in taken):
            return box
    return None


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
