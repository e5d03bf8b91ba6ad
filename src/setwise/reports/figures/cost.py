"""What sets cost: tokens per set, and coverage against tokens."""

from collections.abc import Sequence

from setwise.records.measured import Estimate
from setwise.reports.canvas import Axes, Drawing, Line, Mark, Polygon, Scale, Text, nice_scale
from setwise.reports.canvas.axes import LEFT, RIGHT
from setwise.reports.canvas.legend import Style
from setwise.reports.canvas.marks import rectangle, text_width
from setwise.reports.figures.figure import Data, Figure, used
from setwise.reports.inputs import Run

BAR = 26.0


def tokens_figure(runs: Sequence[Run], styles: dict[str, Style]) -> Figure | None:
    shown = [run for run in runs if "tokens" in run.numbers]
    if not shown:
        return None
    highest = max(run.numbers["tokens"].top for run in shown)
    scale = nice_scale([0.0, highest], most_ticks=4)
    left = max(text_width(styles[run.name].label, 11.5) for run in shown) + 16
    width, height = left + 330.0, 40 + BAR * len(shown)
    marks: list[Mark] = []
    for tick in scale.ticks:
        x = left + scale.share(tick) * 270
        marks += [
            Line([(x, 8), (x, height - 28)], "grid"),
            Text((x, height - 12), scale.shown(tick), 11, "middle", "muted"),
        ]
    for place, run in enumerate(shown):
        number, style, top = run.numbers["tokens"], styles[run.name], 12 + place * BAR
        reach = scale.share(number.value) * 270
        marks.append(Text((left - 8, top + 13), style.label, 11.5, "end"))
        hint = f"{style.label}: {number.value:,.0f} tokens per set"
        marks.append(Polygon(rectangle(left, top, reach, BAR - 9), style.colour, 0.9 if style.filled else 0.5, hint))
        if number.span is not None:
            ends = [left + scale.share(end) * 270 for end in number.span]
            marks.append(Line([(ends[0], top + 8.5), (ends[1], top + 8.5)], "ink", 1.5))
        marks.append(Text((left + scale.share(number.top) * 270 + 6, top + 13), f"{number.value:,.0f}", 11))
    panel = Drawing("tokens-bars", "Tokens per set by method", width, height, marks)
    rows = [(styles[run.name].label, *run.numbers["tokens"].shown(1), *_spread(run)) for run in shown]
    header = ("method", "tokens per set", "95 % interval", "10th percentile", "90th percentile", "per right answer")
    caption = "Completion tokens, thinking included, to produce one set of K answers; the line is the 95 % interval."
    return Figure("tokens", "Tokens per set", caption, [panel], (), Data(header, rows))


def pareto_figure(
    runs: Sequence[Run], styles: dict[str, Style], size: tuple[float, float] = (460, 300)
) -> Figure | None:
    shown = [run for run in runs if "tokens" in run.numbers and "coverage" in run.numbers]
    if len(shown) < 2:
        return None
    best = next((run.best_possible["coverage"] for run in shown if "coverage" in run.best_possible), None)
    tallest = [run.numbers["coverage"].top for run in shown] + ([best] if best is not None else [])
    axes = Axes(_padded([run.numbers["tokens"].top for run in shown]), nice_scale(tallest), *size)
    marks = axes.frame("", "tokens per set", "coverage")
    if best is not None:
        (left, down), right = axes.at(axes.x.low, best), axes.width - RIGHT
        marks += [
            Line([(LEFT, down), (right, down)], "muted", 1.2, (2, 3)),
            Text((left + 4, down - 4), "best possible", 10.5, colour="muted"),
        ]
    front = frontier([(run.numbers["tokens"].value, run.numbers["coverage"].value) for run in shown])
    marks.append(Line([axes.at(*point) for point in front], "muted", 1.2, (4, 3)))
    for run in shown:
        tokens, coverage, style = run.numbers["tokens"], run.numbers["coverage"], styles[run.name]
        for low, high in _bars(tokens, coverage):
            marks.append(Line([axes.at(*low), axes.at(*high)], style.colour, 1.2))
        hint = f"{style.label}: coverage {coverage.value:.3f} for {tokens.value:,.0f} tokens"
        marks.append(style.dot(axes.at(tokens.value, coverage.value), 5, hint))
    rows = [
        (styles[run.name].label, *run.numbers["tokens"].shown(1), *run.numbers["coverage"].shown(3)) for run in shown
    ]
    return Figure(
        "pareto",
        "Coverage against tokens",
        "Up and to the left is better. The dashed line joins the methods that no other one beats in both; bars are "
        "95 % intervals.",
        [Drawing("pareto-panel", "Coverage against tokens per set", axes.width, axes.height, marks)],
        used(styles, shown),
        Data(("method", "tokens", "95 % interval", "coverage", "95 % interval"), rows),
    )


def frontier(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points that no other point beats in both cost and coverage, cheapest first.

    >>> frontier([(100, 0.5), (200, 0.4), (300, 0.9)])
    [(100, 0.5), (300, 0.9)]
    """
    best = float("-inf")
    front = []
    for cost, coverage in sorted(points, key=lambda point: (point[0], -point[1])):
        if coverage > best:
            front.append((cost, coverage))
            best = coverage
    return front


def _bars(tokens: Estimate, coverage: Estimate) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    bars = []
    if tokens.span is not None:
        bars.append(((tokens.span[0], coverage.value), (tokens.span[1], coverage.value)))
    if coverage.span is not None:
        bars.append(((tokens.value, coverage.span[0]), (tokens.value, coverage.span[1])))
    return bars


def _padded(values: Sequence[float]) -> Scale:
    return nice_scale([0.0, 1.05 * max(values)], most_ticks=5)


def _spread(run: Run) -> tuple[str, ...]:
    spread = run.analyses.get("tokens", {})
    found = (spread.get(name) for name in ("p10", "p90", "per_correct_answer"))
    return tuple("" if value is None else f"{value:.1f}" for value in found)
