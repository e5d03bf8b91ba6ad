"""Training logs: right answers per set against step for several K, and the curves of a run."""

import re
from collections.abc import Sequence
from itertools import cycle

from setwise.reports.canvas import Axes, Drawing, nice_scale
from setwise.reports.canvas.legend import Style
from setwise.reports.canvas.palette import METHOD_COLOURS, SERIES
from setwise.reports.figures.figure import Data, Figure
from setwise.reports.inputs import TrainingRun

CURVES = {
    "reward": "Reward",
    "coverage": "Coverage",
    "pass_at_1": "Pass@1",
    "uniqueness": "Distinct answers in a set",
    "group/distinct": "Distinct answers per problem",
    "strictly_valid": "Strictly valid",
    "tokens": "Completion tokens",
    "confidence/mean": "Mean confidence",
    "confidence/sum": "Sum of confidences",
    "confidence/auroc_within_places": "AUROC within places",
    "entropy": "Entropy",
    "sign/one_set": "Completions with the same set",
    "sign/one_thought": "Completions with the same thought",
    "sign/empty_thinking": "No thinking",
    "sign/near_duplicates": "One answer twice",
    "sign/hedged": "Several answers in one",
    "sign/knows_tests": "Programs that know the tests",
    "sign/same_program": "One program twice",
}
"""What is drawn from a log, if it has it."""
SMOOTHED_OVER = 9
MOST_POINTS = 200
DASHES = ((), (6, 3), (2, 3), (8, 3, 2, 3))
SEED = re.compile(r"[-_ ]?seed[-_ ]?\d+$")

Points = dict[str, list[tuple[float, float]]]
"""By run: (step, value)."""


def training_figures(runs: Sequence[TrainingRun]) -> list[Figure]:
    styles = _styles(runs)
    figures = [_by_k(runs, styles), _curves(runs, styles)]
    return [figure for figure in figures if figure is not None]


def _by_k(runs: Sequence[TrainingRun], styles: dict[str, Style]) -> Figure | None:
    points = {
        run.name: [(step["step"], run.k * step["coverage"]) for step in run.steps if "coverage" in step]
        for run in sorted(runs, key=lambda run: (run.k, run.name))
    }
    panel, rows = _panel("training-correct", "", points, styles, (460, 300))
    if panel is None:
        return None
    return Figure(
        "training-correct",
        "Right answers per set while training",
        f"Mean number of right answers in a set against training step, by K; means over {SMOOTHED_OVER} logged steps.",
        [panel],
        [styles[name] for name in points if points[name]],
        Data(("run", "step", "right answers per set"), rows),
    )


def _curves(runs: Sequence[TrainingRun], styles: dict[str, Style]) -> Figure | None:
    panels, rows = [], []
    for metric, title in CURVES.items():
        points = {run.name: [(s["step"], s[metric]) for s in run.steps if metric in s] for run in runs}
        panel, found = _panel(f"training-{metric.replace('/', '-')}", title, points, styles)
        if panel is not None:
            panels.append(panel)
            rows += [(title, *row) for row in found]
    if not panels:
        return None
    caption = (
        f"From the log of each run; means over {SMOOTHED_OVER} logged steps. Coverage is that of one completion: of K "
        "answers, of one where K = 1. Distinct answers per problem are those of all its samples together. AUROC within "
        "places is how often the right one of two answers in the same place of their sets has the higher confidence."
    )
    data = Data(("what", "run", "step", "value"), rows)
    return Figure("training-curves", "Training curves", caption, panels, [styles[run.name] for run in runs], data)


def _panel(
    name: str, title: str, points: Points, styles: dict[str, Style], size: tuple[float, float] = (320, 230)
) -> tuple[Drawing | None, list[tuple[str, ...]]]:
    smooth = {run: _thinned(_smoothed(own)) for run, own in points.items() if own}
    if not smooth:
        return None, []
    every = [point for own in smooth.values() for point in own]
    wide, tall = nice_scale([x for x, _ in every], most_ticks=4), nice_scale([y for _, y in every])
    axes = Axes(wide, tall, *size)
    marks = axes.frame(title, "step", "")
    marks += [styles[run].line([axes.at(x, y) for x, y in own]) for run, own in smooth.items()]
    rows = [(styles[run].label, f"{x:.0f}", f"{y:.4f}") for run, own in smooth.items() for x, y in own]
    return Drawing(name, f"{title or 'Right answers per set'} against step", axes.width, axes.height, marks), rows


def _smoothed(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A centred mean over the neighbours, fewer of them at the ends."""
    half = SMOOTHED_OVER // 2
    values = [y for _, y in points]
    smooth = []
    for place, (x, _) in enumerate(points):
        near = values[max(0, place - half) : place + half + 1]
        smooth.append((x, sum(near) / len(near)))
    return smooth


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    step = -(-len(points) // MOST_POINTS)
    return points[:-1:step] + points[-1:]


def _styles(runs: Sequence[TrainingRun]) -> dict[str, Style]:
    """By objective if each appears once, otherwise in the order of the palette. Where that is too small, a colour for
    each recipe, which the seeds share. Runs of one colour are dashed differently."""
    keys = [run.name if len(runs) <= len(SERIES) else SEED.sub("", run.name) for run in runs]
    objectives = {key: run.objective for key, run in zip(keys, runs, strict=True)}
    alone = len(set(objectives.values())) == len(objectives)
    colours = dict(zip(objectives, cycle(SERIES)))
    if alone:
        colours |= {key: METHOD_COLOURS.get(objective, colours[key]) for key, objective in objectives.items()}
    dashes = {colour: cycle(DASHES) for colour in colours.values()}
    return {
        run.name: Style(f"{run.name} (K = {run.k})", colours[key], next(dashes[colours[key]]))
        for key, run in zip(keys, runs, strict=True)
    }
