"""What a figure is: panels, their common legend, and the numbers they were drawn from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from setwise.reports.canvas import Drawing
from setwise.reports.canvas.legend import Style, side_by_side
from setwise.reports.canvas.palette import METHOD_COLOURS, SERIES
from setwise.reports.inputs import Run
from setwise.reports.methods import base_method, order, short_labels, way

DASHES = {
    (False, False): (),
    (True, False): (5, 4),
    (False, True): (2, 3),
    (True, True): (5, 2, 1.5, 2),
}
"""By whether a set is made of repeated samples, and whether its confidences were forced."""


@dataclass(frozen=True, slots=True)
class Data:
    """The numbers of a figure, as a table of text."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Figure:
    key: str
    title: str
    caption: str
    panels: Sequence[Drawing]
    styles: Sequence[Style]
    data: Data

    def whole(self) -> Drawing:
        """All panels in one drawing, for a file."""
        return side_by_side(self.key, f"{self.title}. {self.caption}", self.panels, self.styles)


def styles_of(runs: Sequence[Run]) -> dict[str, Style]:
    """One style per run: the colour is the method's; sets of repeated samples are dashed and hollow.

    A method asked in two ways, or at two K, keeps its colour; two runs of the same method do not. Forced confidences
    have their own dash.
    """
    labels = short_labels(runs)
    seen: Counter[tuple[str, int]] = Counter()
    placed: list[tuple[Run, tuple[str, int]]] = []
    for run in sorted(runs, key=order):
        placed.append((run, (base_method(run), seen[run.method, run.k])))
        seen[run.method, run.k] += 1
    colours: dict[tuple[str, int], str] = {}
    looks: Counter[tuple[str, Sequence[float]]] = Counter()
    styles = {}
    # Runs with their own colour come first, so that the others can see which styles are left.
    for run, same in sorted(placed, key=lambda each: _own_colour(each[1]) is None):
        dash = DASHES[run.is_sampled, way(run) == "continue"]
        if same not in colours:
            taken = set(colours.values())
            free = min(SERIES, key=lambda colour: (colour in taken, looks[colour, dash]))
            colours[same] = _own_colour(same) or free
        looks[colours[same], dash] += 1
        styles[run.name] = Style(labels[run.name], colours[same], dash, not run.is_sampled)
    return styles


def _own_colour(same: tuple[str, int]) -> str | None:
    """For the first run of a method in the paper."""
    method, place = same
    return METHOD_COLOURS.get(method) if place == 0 else None


def used(styles: dict[str, Style], runs: Sequence[Run]) -> list[Style]:
    return [styles[run.name] for run in runs]
