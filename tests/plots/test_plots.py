"""Plots on matplotlib axes show the report's numbers in the report's colours."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import to_hex

from setwise import plots
from setwise.errors import InputError
from setwise.evaluation.methods import METHODS
from setwise.reports.canvas.palette import LIGHT, METHOD_COLOURS
from setwise.reports.figures import styles_of
from setwise.reports.figures.budget import budget_figure
from setwise.reports.figures.calibration import calibration_figure
from setwise.reports.figures.confidence import risk_figure, sums_figure
from setwise.reports.figures.figure import Figure
from setwise.reports.inputs import Run
from tests.reports.made_up import MadeUpTask, make_run

METHOD_NAMES = ("rlcr-single", "rlcr-multi")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root, task = tmp_path_factory.mktemp("runs"), MadeUpTask(30)
    samples = {"rlcr-single": 6, "rlcr-multi": 2}
    return [make_run(root / name, task, METHODS[name].sized(samples=samples[name])) for name in METHOD_NAMES]


@pytest.fixture(scope="module")
def runs(folders: list[Path]) -> list[Run]:
    return plots.read_runs(folders)


@pytest.fixture(autouse=True)
def off_screen() -> Iterator[None]:
    with mpl.rc_context({"backend": "agg"}):
        yield
    plt.close("all")


def drawn(ax: Axes, label: str) -> np.ndarray:
    """The points of the line whose label starts like this."""
    [line] = [line for line in ax.lines if str(line.get_label()).startswith(label)]
    return np.asarray(line.get_xydata())


def faces(collection: Collection) -> set[str]:
    return {to_hex((red, green, blue)) for red, green, blue, _ in np.asarray(collection.get_facecolor()).tolist()}


def printed(figure: Figure | None, label: str, *columns: int, what: str = "") -> np.ndarray:
    """Columns of the numbers that the report prints below its figure."""
    assert figure is not None
    rows = [row for row in figure.data.rows if row[0] == label and (not what or what in row)]
    return np.array([[float(row[column]) for column in columns] for row in rows])


def test_a_calibration_curve_has_the_reports_points_and_colour(runs: list[Run]):
    ax = plots.calibration(runs)
    styles = styles_of(runs)
    figure = calibration_figure("top1", "", [(run, run.top1) for run in runs], styles)
    for run in runs:
        label = styles[run.name].label
        assert drawn(ax, label) == pytest.approx(printed(figure, label, 1, 2), abs=6e-4)
        colours = {to_hex(str(line.get_color())) for line in ax.lines if str(line.get_label()).startswith(label)}
        assert colours == {LIGHT[METHOD_COLOURS[run.method]]}


def test_the_band_of_chance_is_drawn_for_one_run_alone(runs: list[Run]):
    one, several = plots.calibration(runs[1]), plots.calibration(runs)
    bands = [[each for each in ax.collections if LIGHT["band"] in faces(each)] for ax in (one, several)]
    assert (len(bands[0]), len(bands[1])) == (1, 0)


def test_risk_and_budget_curves_are_those_of_the_report(runs: list[Run]):
    styles = styles_of(runs)
    risk, budget = plots.risk(runs), plots.budget(runs)
    for run in runs:
        label = styles[run.name].label
        assert drawn(risk, label) == pytest.approx(printed(risk_figure(runs, styles), label, 1, 2), abs=6e-4)
        expected = printed(budget_figure(runs, styles), label, 2, 3, what="Distinct right answers")
        assert drawn(budget, label) == pytest.approx(expected, abs=6e-4)


def test_sums_are_those_of_the_report(runs: list[Run]):
    run = runs[1]
    ax = plots.sums(run)
    expected = printed(sums_figure([run], styles_of([run])), styles_of([run])[run.name].label, 1, 2, 3)
    dots = np.asarray(ax.collections[0].get_offsets())
    assert dots == pytest.approx(expected[:, [0, 2]], abs=6e-3)
    [beside] = [other for other in ax.figure.axes if other is not ax]
    heights = [bar.get_window_extent().transformed(beside.transData.inverted()).height for bar in beside.patches]
    assert heights == pytest.approx(expected[:, 1], abs=6e-4)


def test_a_plot_is_drawn_on_the_axes_given_and_from_a_folder_too(folders: list[Path], tmp_path: Path):
    figure, ax = plt.subplots()
    assert plots.risk(folders, ax=ax) is ax
    assert ax.get_legend_handles_labels()[1] == ["RLCR single", "RLCR multi"]
    assert ax.get_legend() is not None
    figure.savefig(tmp_path / "risk.pdf")
    assert (tmp_path / "risk.pdf").stat().st_size > 1000


def test_a_run_that_cannot_be_drawn_is_named(tmp_path: Path):
    silent = make_run(tmp_path / "silent", MadeUpTask(3), METHODS["rlvr-multi"])
    for draw in (plots.calibration, plots.risk):
        with pytest.raises(InputError, match="silent: the run states no confidences"):
            draw(silent)
    with pytest.raises(InputError, match="silent: no set of the run states all of its confidences"):
        plots.sums(silent)
    with pytest.raises(InputError, match="silent: the run has one set of each problem; evaluate with --samples"):
        plots.budget(silent)
    with pytest.raises(InputError, match="a run folder holds"):
        plots.risk(tmp_path / "nowhere")
