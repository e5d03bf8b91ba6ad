"""Labels of figures as a real browser draws them: whole, and none on another."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setwise.reports.canvas import Text
from setwise.reports.canvas.marks import heading, text_width
from setwise.reports.figures import Figure, section_figures
from setwise.reports.inputs import Cloud, CloudExhibit, CloudWord, DatasetSection
from setwise.workflows.report import make_report, read_report
from tests.reports.browser import chromium, visit
from tests.reports.made_up import make_training_log

FAULTS = """() => [...document.querySelectorAll('svg')].filter((svg) => svg.querySelector('text')).flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
  const cut = boxes.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1
    || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).map(([text]) => `cut off: ${text}`);
  const crossing = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const covered = boxes.flatMap(([text, box], place) => boxes.slice(place + 1)
    .filter(([, other]) => crossing(box, other)).map(([other]) => `${text} lies on ${other}`));
  return [...cut, ...covered];
})"""
LONG = "a-folder-whose-name-says-everything-about-its-seed-and-its-learning-rate"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def long_names(paper_runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of each of some methods, told apart by long names alone, and training runs called likewise."""
    root = tmp_path_factory.mktemp("long")
    chosen = [path for path in paper_runs if path.name.endswith(("rlvr-single", "rlvr-multi", "-multi-prompt"))]
    runs = [
        shutil.copytree(path, root / f"{LONG}-{seed}" / path.name)
        for path in [*chosen, *(path for path in paper_runs if path.name.endswith("rlcr-single-prompted-multi"))]
        for seed in (1, 2)
    ]
    runs += [make_training_log(root / f"{LONG}-k{k}", k) for k in (2, 3)]
    make_report(runs, root / "out", formats=("svg",), resamples=20)
    return root / "out"


@pytest.mark.parametrize("made", ["report_folder", pytest.param("long_names", marks=pytest.mark.slow)])
def test_no_label_is_cut_off_or_lies_on_another(browser: Any, made: str, request: pytest.FixtureRequest):
    folder: Path = request.getfixturevalue(made)
    for width in (1280, 390):
        with visit(browser, folder / "report.html", width=width) as found:
            assert found.value(FAULTS) == []
            assert found.value("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
@pytest.mark.parametrize("made", ["report_folder", "long_names"])
def test_neither_is_one_in_the_files_of_the_figures(browser: Any, made: str, request: pytest.FixtureRequest):
    folder: Path = request.getfixturevalue(made)
    for path in sorted((folder / "figures").glob("*.svg")):
        with visit(browser, path, ready=False) as found:
            assert (path.name, found.value(FAULTS)) == (path.name, [])


def test_a_heading_fits_its_room_whatever_it_says():
    for text in ("RLVR multi", f"RLVR multi (asked) ({LONG})", "m" * 200, "", "(", "RLVR (a) (b)"):
        for room in (40.0, 240.0):
            lines = [line for line in heading((0, 17), text, room) if isinstance(line, Text)]
            assert 1 <= len(lines) <= 2
            assert all(text_width(line.text, line.size * 1.16) <= room + 1e-6 for line in lines)
            assert all(line.at[1] < 30 for line in lines)


def test_what_is_counted_has_whole_ticks(paper_runs: list[Path]):
    found = figures(paper_runs)
    ticks = [mark.text for panel in found["distinct"].panels for mark in panel.marks if isinstance(mark, Text)]
    assert "5" in ticks
    assert not {"2.5", "0.5"} & set(ticks)


def test_clouds_may_be_of_runs_with_another_k(paper_runs: list[Path], more_runs: list[Path]):
    [section] = read_report([*paper_runs, *more_runs], resamples=20).sections
    other = next(run for run in section.runs if run.k == 2)
    clouds = CloudExhibit("p", [Cloud(other.name, [CloudWord("flu", 2, True)])])
    drawn = {figure.key: figure for figure in section_figures(replace(section, clouds=clouds))}
    assert [panel.title for panel in drawn["clouds"].panels] == ["RLVR multi, K = 2: 1 distinct of 2"]


def figures(folders: list[Path]) -> dict[str, Figure]:
    [section] = read_report(folders, resamples=20).sections
    return {
        figure.key: figure for figure in section_figures(DatasetSection(section.task, section.regime, section.runs))
    }
