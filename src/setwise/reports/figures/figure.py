"""What every figure is: panels, their common legend, and the numbers they were drawn from."""

from collections.abc import Sequence
from dataclasses import dataclass

from setwise.reports.drawing import Drawing
from setwise.reports.drawing.legend import Style, side_by_side
from setwise.reports.drawing.palette import METHOD_COLOURS, SERIES
from setwise.reports.inputs import Run
from setwise.reports.methods import base_method, order, short_labels


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

    A method asked in two ways, or at two K, keeps its colour; two runs of the very same method do not.
    """
    labels = short_labels(list(runs))
    taken: dict[str, tuple[str, int]] = {}
    styles = {}
    for run in sorted(runs, key=order):
        own, known = METHOD_COLOURS.get(base_method(run)), (run.method, run.k)
        free = [colour for colour in SERIES if colour not in taken]
        if own is None or (known in taken.values() and free):
            own = free[0] if free else SERIES[len(taken) % len(SERIES)]
        taken[own] = known
        styles[run.name] = Style(labels[run.name], own, (5, 4) if run.is_sampled else (), not run.is_sampled)
    return styles


def used(styles: dict[str, Style], runs: Sequence[Run]) -> list[Style]:
    return [styles[run.name] for run in runs]
