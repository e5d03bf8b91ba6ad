"""What more sampling finds: distinct answers per problem at one budget, and distinct right answers as it grows."""

from collections import Counter
from collections.abc import Sequence

from setwise.reports.canvas import Axes, Drawing, Mark, Polygon, nice_scale
from setwise.reports.canvas.legend import Style
from setwise.reports.canvas.marks import rectangle
from setwise.reports.figures.figure import Data, Figure, used
from setwise.reports.inputs import Run


def matched_budget(runs: Sequence[Run]) -> list[Run]:
    """The runs with equally many answers per problem, at the largest number that at least two of them share."""
    budgets = Counter(run.budget for run in runs if run.budget)
    if not budgets:
        return []
    shared = [budget for budget, times in budgets.items() if times > 1]
    chosen = max(shared or budgets)
    return [run for run in runs if run.budget == chosen]


def distinct_figure(runs: Sequence[Run], styles: dict[str, Style]) -> Figure | None:
    shown = matched_budget(runs)
    if not shown:
        return None
    shares = {run.name: _shares(run) for run in shown}
    most = max((n for each in shares.values() for n in each), default=1)
    tallest = nice_scale([share for each in shares.values() for share in each.values()])
    panels = []
    for run in shown:
        style, own = styles[run.name], shares[run.name]
        axes = Axes(nice_scale([0.0, float(most + 1)], most_ticks=6, whole=True), tallest, 300, 240)
        mean = sum(n * share for n, share in own.items())
        marks = axes.frame(style.label, f"distinct answers per problem (mean {mean:.1f})", "share of problems")
        panels.append(
            Drawing(f"distinct-{run.name}", style.label, axes.width, axes.height, [*marks, *_bars(axes, own, style)])
        )
    rows = [(styles[run.name].label, str(n), f"{share:.3f}") for run in shown for n, share in shares[run.name].items()]
    return Figure(
        "distinct",
        "Distinct answers per problem",
        f"How many different answers {shown[0].budget} drawn ones hold, over all problems: {_budget_words(shown)}.",
        panels,
        (),
        Data(("method", "distinct answers", "share of problems"), rows),
    )


def budget_figure(runs: Sequence[Run], styles: dict[str, Style]) -> Figure | None:
    shown = [run for run in runs if len(run.analyses.get("budget", ())) > 1]
    if not shown:
        return None
    wide = nice_scale([float(run.budget) for run in shown], most_ticks=6, whole=True)
    panels, rows = [], []
    for quantity, title in (("distinct_correct", "Distinct right answers"), ("distinct", "Distinct answers")):
        curves = {run.name: [(p["answers"], p[quantity]) for p in run.analyses["budget"]] for run in shown}
        axes = Axes(wide, nice_scale([y for curve in curves.values() for _, y in curve]))
        marks = axes.frame(title, "answers drawn per problem", "mean per problem")
        for run in shown:
            style = styles[run.name]
            marks.append(style.line([axes.at(x, y) for x, y in curves[run.name]]))
            marks += [
                style.dot(axes.at(x, y), 3.2, f"{style.label}: {y:.2f} of {x} answers") for x, y in curves[run.name]
            ]
            rows += [(style.label, title, str(x), f"{y:.3f}") for x, y in curves[run.name]]
        panels.append(Drawing(f"budget-{quantity}", title, axes.width, axes.height, marks))
    return Figure(
        "budget",
        "Coverage against budget",
        "Expected number of different (right) answers among the first so many drawn, by exact rarefaction over "
        "completions: a set written together is drawn whole.",
        panels,
        used(styles, shown),
        Data(("method", "what", "answers drawn", "mean per problem"), rows),
    )


def _shares(run: Run) -> dict[int, float]:
    counts = {int(n): times for n, times in run.analyses.get("distinct_per_problem", {}).items()}
    total = sum(counts.values()) or 1
    return {n: times / total for n, times in sorted(counts.items())}


def _bars(axes: Axes, shares: dict[int, float], style: Style) -> list[Mark]:
    marks: list[Mark] = []
    for n, share in shares.items():
        (left, top), (right, bottom) = axes.at(n - 0.4, share), axes.at(n + 0.4, 0)
        hint = f"{style.label}: {share:.1%} of problems have {n} distinct answers"
        marks.append(Polygon(rectangle(left, top, right - left, bottom - top), style.colour, 0.9, hint))
    return marks


def _budget_words(runs: Sequence[Run]) -> str:
    ways = dict.fromkeys(f"{run.budget} x 1" if run.is_sampled else f"{run.budget // run.k} x {run.k}" for run in runs)
    return " against ".join(ways)
