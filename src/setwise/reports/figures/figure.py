"""What every figure is: panels, their common legend, and the numbers they were drawn from."""

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
    """One look per run: the colour is the method's; sets of repeated samples are dashed and hollow.

    A method asked in two ways, or at two K, keeps its colour; two runs of the very same method do not. Forced
    confidences have a dash of their own.
    """
    labels = short_labels(runs)
    own = {METHOD_COLOURS.get(base_method(run)) for run in runs}
    seen: Counter[tuple[str, int]] = Counter()
    colours: dict[tuple[str, int], str] = {}
    looks: Counter[tuple[str, Sequence[float]]] = Counter()
    styles = {}
    for run in sorted(runs, key=order):
        dash = DASHES[run.is_sampled, way(run) == "continue"]
        same = base_method(run), seen[run.method, run.k]
        seen[run.method, run.k] += 1
        if same not in colours:
            known = METHOD_COLOURS.get(same[0]) if same[1] == 0 else None
            taken = own.union(colours.values())
            colours[same] = known or min(SERIES, key=lambda colour: (colour in taken, looks[colour, dash]))
        looks[colours[same], dash] += 1
        styles[run.name] = Style(labels[run.name], colours[same], dash, not run.is_sampled)
    return styles


def used(styles: dict[str, Style], runs: Sequence[Run]) -> list[Style]:
    return [styles[run.name] for run in runs]
