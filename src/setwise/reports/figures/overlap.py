"""How much sampled chains of thought repeat each other: n-gram statistics, and the shared passages of a pair."""

from collections.abc import Sequence

from setwise.reports.canvas import Axes, Drawing, Scale, nice_scale
from setwise.reports.canvas.legend import Style
from setwise.reports.figures.figure import Data, Figure, used
from setwise.reports.inputs import Run

RUN_LENGTH = 4


def overlap_figure(runs: Sequence[Run], styles: dict[str, Style]) -> Figure | None:
    shown = [run for run in runs if run.overlaps]
    if not shown:
        return None
    lengths = sorted({n for run in shown for n in run.overlaps})
    wide = Scale(lengths[0] - 0.5, lengths[-1] + 0.5, tuple(float(n) for n in lengths))
    axes = Axes(wide, nice_scale([0.0, *(share for run in shown for share in run.overlaps.values())]), 460, 280)
    marks = axes.frame("", "words in a row (n)", "share found in another chain")
    for run in shown:
        style, points = styles[run.name], sorted(run.overlaps.items())
        marks.append(style.line([axes.at(n, share) for n, share in points]))
        marks += [style.dot(axes.at(n, share), 4, f"{style.label}: {share:.1%} of {n}-grams") for n, share in points]
    rows = [
        (styles[run.name].label, str(n), f"{share:.3f}") for run in shown for n, share in sorted(run.overlaps.items())
    ]
    return Figure(
        "overlap",
        "Overlap between sampled chains",
        "For one problem sampled several times: the share of a chain's n-grams that another chain holds too. High "
        "means that sampling again mostly repeats the same reasoning.",
        [Drawing("overlap-panel", "Shared n-grams by length", axes.width, axes.height, marks)],
        used(styles, shown),
        Data(("method", "n", "share"), rows),
    )


def shared_runs(text: str, other: str, n: int = RUN_LENGTH) -> list[tuple[str, bool]]:
    """The text cut into pieces, each with whether it belongs to a run of n words that the other text also has.

    >>> shared_runs("so the most likely cause is flu", "I think the most likely cause is a cold", n=3)
    [('so', False), ('the most likely cause is', True), ('flu', False)]
    """
    words = text.split()
    known = _ngrams(other.casefold().split(), n)
    own = [word.casefold() for word in words]
    marked = [False] * len(words)
    for start in range(len(words) - n + 1):
        if tuple(own[start : start + n]) in known:
            marked[start : start + n] = [True] * n
    pieces: list[tuple[str, bool]] = []
    for word, shared in zip(words, marked, strict=True):
        if pieces and pieces[-1][1] == shared:
            pieces[-1] = (f"{pieces[-1][0]} {word}", shared)
        else:
            pieces.append((word, shared))
    return pieces


def _ngrams(words: Sequence[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + n]) for start in range(len(words) - n + 1)}
