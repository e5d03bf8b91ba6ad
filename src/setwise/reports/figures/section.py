"""All figures of one dataset, in the order of the page."""

from dataclasses import replace

from setwise.objectives import PAPER_K
from setwise.reports.figures.budget import budget_figure, distinct_figure
from setwise.reports.figures.calibration import calibration_figure
from setwise.reports.figures.clouds import cloud_figure
from setwise.reports.figures.confidence import risk_figure, sums_figure
from setwise.reports.figures.cost import pareto_figure, tokens_figure
from setwise.reports.figures.figure import Figure, styles_of
from setwise.reports.figures.golds import golds_figure
from setwise.reports.figures.growth import growing_k_figure
from setwise.reports.figures.overlap import overlap_figure
from setwise.reports.figures.profile import profile_figures
from setwise.reports.inputs import DatasetSection, Run
from setwise.reports.methods import by_own_prompt, in_short, order

HERO_SIZE = (380.0, 270.0)


def section_figures(section: DatasetSection) -> list[Figure]:
    runs = main_runs(section)
    styles = styles_of(runs)
    silent = by_own_prompt(runs)
    claims = [
        calibration_figure("calibration-top1", "Calibration of the first answer", [(r, r.top1) for r in runs], styles),
        calibration_figure("calibration-pooled", "Calibration of all answers", [(r, r.pooled) for r in runs], styles),
        sums_figure(runs, styles),
        risk_figure(runs, styles),
    ]
    explained = in_short([run for run in runs if len(run.top1.confidence)])
    figures = [
        *(figure and replace(figure, caption=figure.caption + explained) for figure in claims),
        *profile_figures(runs, styles),
        pareto_figure(silent, styles),
        tokens_figure(silent, styles),
        distinct_figure(silent, styles),
        budget_figure(silent, styles),
        golds_figure(silent, styles),
        cloud_figure(section.clouds, {**styles_of(section.runs), **styles}),
        overlap_figure(silent, styles),
        growing_k_figure(section.runs),
    ]
    return [figure for figure in figures if figure is not None]


def hero_figure(section: DatasetSection) -> Figure | None:
    """Coverage against tokens for the top of a page: drawn smaller, so that its letters are larger next to the text."""
    runs = main_runs(section)
    return pareto_figure(by_own_prompt(runs), styles_of(runs), HERO_SIZE)


def main_runs(section: DatasetSection) -> list[Run]:
    """The runs that figures compare: those with the paper's K, otherwise those with the most common K."""
    ks = [run.k for run in section.runs]
    main = PAPER_K if PAPER_K in ks else max(sorted(set(ks)), key=ks.count)
    return sorted((run for run in section.runs if run.k == main), key=order)
