"""What a profile changes and can promise: curves before and after, set size and abstention by alpha."""

from collections.abc import Sequence

from setwise.reports.canvas import Axes, Drawing, Line, Mark, nice_scale
from setwise.reports.canvas.axes import UNIT
from setwise.reports.canvas.legend import Style
from setwise.reports.figures.figure import Data, Figure, used
from setwise.reports.inputs import CurvePoint, ProfileCurves, Run

BIGGEST_DOT, SMALLEST_DOT = 9.0, 2.2
STATED, CALIBRATED = Style("stated", "muted", (5, 4), filled=False), Style("calibrated", "blue")
LEVELS = {"answers": "single answers", "sets": "whole sets"}


def profile_figures(runs: Sequence[Run], styles: dict[str, Style]) -> list[Figure]:
    """None if no run has a profile."""
    shown = [(run, run.profile) for run in runs if run.profile is not None]
    return [_before_and_after(shown, styles), _promises(shown, styles)] if shown else []


def _before_and_after(shown: Sequence[tuple[Run, ProfileCurves]], styles: dict[str, Style]) -> Figure:
    panels, rows = [], []
    for run, profile in shown:
        label = styles[run.name].label
        for level, words in LEVELS.items():
            sides = {STATED: profile.before[level], CALIBRATED: profile.after[level]}
            panels.append(_curves(f"profile-{run.name}-{level}", f"{label}: {words}", sides))
            rows += [
                (label, words, style.label, f"{each.confidence:.3f}", f"{each.right:.3f}", f"{each.n:,}")
                for style, curve in sides.items()
                for each in curve
            ]
    return Figure(
        "profile-curves",
        "Confidences before and after calibration",
        "On problems the profile was not learnt from. Each dot is a tenth of the confidence scale, its area the number "
        "of answers or sets in it; on the diagonal confidence is accuracy.",
        panels,
        (STATED, CALIBRATED),
        Data(("method", "of", "confidence", "mean", "share right", "n"), rows),
    )


def _curves(name: str, title: str, sides: dict[Style, Sequence[CurvePoint]]) -> Drawing:
    axes = Axes(UNIT, UNIT, 300, 300)
    biggest = max(each.n for curve in sides.values() for each in curve)
    marks: list[Mark] = [
        *axes.frame(title, "confidence", "accuracy"),
        Line([axes.at(0, 0), axes.at(1, 1)], "muted", 1.0, (3, 3)),
    ]
    for style, curve in sides.items():
        marks.append(style.line([axes.at(each.confidence, each.right) for each in curve]))
        for each in curve:
            radius = max(SMALLEST_DOT, BIGGEST_DOT * (each.n / biggest) ** 0.5)
            hint = f"{style.label}: confidence {each.confidence:.2f}, accuracy {each.right:.2f}, {each.n:,}"
            marks.append(style.dot(axes.at(each.confidence, each.right), radius, hint))
    return Drawing(name, title, axes.width, axes.height, marks)


def _promises(shown: Sequence[tuple[Run, ProfileCurves]], styles: dict[str, Style]) -> Figure:
    starts = [profile.promises[0].alpha for _, profile in shown if profile.promises]
    wide = nice_scale([0.0, 0.5, *(start + 0.1 for start in starts)])
    sizes = Axes(wide, nice_scale([each.kept for _, profile in shown for each in profile.promises]))
    passing = Axes(UNIT, UNIT)
    size_marks = sizes.frame("Answers kept", "alpha", "mean answers kept")
    passing_marks = passing.frame("Abstention", "share passed on", "share right of those answered")
    rows = []
    for run, profile in shown:
        style = styles[run.name]
        promises = [each for each in profile.promises if each.alpha <= sizes.x.high + 1e-9]
        size_marks += _line(sizes, style, [(each.alpha, each.kept) for each in promises])
        passing_marks += _line(passing, style, [(1 - each.answered, each.right) for each in promises])
        rows += [
            (style.label, f"{each.alpha:.2f}", f"{each.kept:.2f}", f"{1 - each.answered:.3f}", f"{each.right:.3f}")
            for each in promises
        ]
    return Figure(
        "profile-promises",
        "What can be promised",
        "Left: how many answers are kept so that a right one is among them in at least 1 - alpha of the answered "
        "questions; a line starts at the smallest alpha that can be promised. Right: what passing on questions buys.",
        [
            Drawing("profile-kept", "Answers kept by alpha", sizes.width, sizes.height, size_marks),
            Drawing("profile-passed-on", "Abstention against accuracy", passing.width, passing.height, passing_marks),
        ],
        used(styles, [run for run, _ in shown]),
        Data(("method", "alpha", "answers kept", "passed on", "share right"), rows),
    )


def _line(axes: Axes, style: Style, points: Sequence[tuple[float, float]]) -> list[Mark]:
    dots = [style.dot(axes.at(x, y), 2.6, f"{style.label}: {x:.2f}, {y:.2f}") for x, y in points]
    return [style.line([axes.at(x, y) for x, y in points]), *dots] if points else []
