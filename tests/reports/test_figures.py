"""The numbers behind the figures, and the small plotting library."""

import random
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setwise.records.measured import Estimate
from setwise.reports.canvas import Axes, Circle, Drawing, Line, Text, nice_scale, to_svg
from setwise.reports.canvas.axes import UNIT
from setwise.reports.canvas.files import export
from setwise.reports.figures.budget import matched_budget
from setwise.reports.figures.calibration import buckets, chance_range
from setwise.reports.figures.clouds import _free_place, _overlap
from setwise.reports.figures.confidence import by_sum, risk_coverage
from setwise.reports.figures.growth import growing_k_figure
from setwise.reports.figures.overlap import shared_runs
from setwise.reports.inputs import Run, SetSum, StatedPairs


def test_the_band_holds_a_calibrated_model_as_often_as_it_says():
    rng = np.random.default_rng(0)
    for size in (12, 90, 900):
        q = rng.uniform(0.3, 0.4, size)
        low, high = chance_range(q)
        shares = (rng.random((4000, size)) < q).mean(axis=1)
        inside = ((shares >= low) & (shares <= high)).mean()
        assert 0.94 <= inside <= 0.995


def test_buckets_hold_every_answer_once():
    rng = random.Random(0)
    pairs = StatedPairs([rng.random() for _ in range(300)] + [1.0, 0.0, 1.6], [rng.random() < 0.5 for _ in range(303)])
    found = buckets(pairs)
    assert sum(each.n for each in found) == 303
    right = sum(each.n * each.accuracy for each in found)
    assert right == pytest.approx(sum(pairs.correct))


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), st.booleans()), min_size=1, max_size=40))
def test_answering_everything_risks_the_error_rate(answers: list[tuple[float, bool]]):
    curve = risk_coverage(StatedPairs([q for q, _ in answers], [c for _, c in answers]))
    wrong = sum(not c for _, c in answers) / len(answers)
    assert curve[-1] == pytest.approx((1.0, wrong))
    assert [share for share, _ in curve] == sorted(share for share, _ in curve)


def test_confidence_that_tells_right_from_wrong_has_no_risk_at_first():
    curve = risk_coverage(StatedPairs([0.9, 0.8, 0.2, 0.1], [True, True, False, False]))
    assert curve == [(0.25, 0.0), (0.5, 0.0), (0.75, pytest.approx(1 / 3)), (1.0, 0.5)]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_a_scale_holds_every_value_and_ends_on_ticks(values: list[float]):
    scale = nice_scale(values, from_zero=False)
    slack = 1e-6 * (scale.high - scale.low)
    assert scale.low - slack <= min(values)
    assert max(values) <= scale.high + slack
    assert (scale.ticks[0], scale.ticks[-1]) == (scale.low, scale.high)
    assert 2 <= len(scale.ticks) <= 8


def test_shared_words_are_marked_only_in_runs():
    pieces = shared_runs("the cat sat on the mat and slept", "today the cat sat on a chair and slept", n=4)
    assert pieces == [("the cat sat on", True), ("the mat and slept", False)]


def test_no_word_is_lost_when_marking():
    text = "a b c d e f g a b c d"
    assert " ".join(piece for piece, _ in shared_runs(text, "x a b c d y")) == text


def a_run(name: str, budget: int, construction: str = "written") -> Run:
    analyses = {"budget": [{"answers": budget}]}
    return Run(name, "t", "inclusive", "m", "rlvr-multi", 3, construction, "none", {}, analyses=analyses)


def test_only_runs_of_one_budget_are_compared_for_distinct_answers():
    runs = [a_run("a", 30), a_run("b", 30, "sampled"), a_run("c", 3), a_run("d", 60)]
    assert [run.name for run in matched_budget(runs)] == ["a", "b"]
    assert [run.name for run in matched_budget(runs[2:])] == ["d"]
    assert matched_budget([]) == []


def test_a_method_asked_for_more_answers_is_drawn_with_its_intervals():
    numbers = {k: {"coverage": Estimate(0.8 - k / 10, 0.7 - k / 10, 0.9 - k / 10)} for k in (2, 4)}
    runs = [replace(a_run(f"k{k}", 30), k=k, numbers=own) for k, own in numbers.items()]
    figure = growing_k_figure(runs)
    assert figure is not None
    assert [row[2:] for row in figure.data.rows] == [("2", "0.600", "0.500 to 0.700"), ("4", "0.400", "0.300 to 0.500")]
    [_, coverage] = figure.panels
    dots = [mark for mark in coverage.marks if isinstance(mark, Circle)]
    bars = [mark.points for mark in coverage.marks if isinstance(mark, Line) and mark.width == 1.2]
    for dot, (low, high) in zip(dots, bars, strict=True):
        assert low[0] == high[0] == dot.centre[0]
        assert high[1] < dot.centre[1] < low[1]
    assert growing_k_figure(runs[:1]) is None


def test_sums_are_gathered_around_tenths():
    summed = replace(a_run("a", 3), sums=[SetSum(0.96, 1, False), SetSum(1.0, 0, True), SetSum(0.3, 1, False)])
    assert [(round(total, 3), right) for total, _, right in by_sum(summed)] == [(0.3, 1.0), (1.0, 0.5)]


@given(st.lists(st.tuples(st.floats(20, 150), st.floats(10, 30)), max_size=15))
@settings(max_examples=25)
def test_words_of_a_cloud_never_lie_on_each_other(sizes: list[tuple[float, float]]):
    taken: list[tuple[float, float, float, float]] = []
    for width, height in sizes:
        box = _free_place(width, height, taken)
        if box is not None:
            assert not any(_overlap(box, other) for other in taken)
            taken.append(box)


HOSTILE = '</svg><script>alert(1)</script> & "quoted" \ud800 \x00 \u2028'


def test_text_in_a_figure_is_text():
    drawing = Drawing("x", HOSTILE, 100, 50, [Text((1, 2), HOSTILE), Circle((3, 4), 2, "blue", hint=HOSTILE)])
    for themed in (True, False):
        svg = to_svg(drawing, themed=themed)
        root = ET.fromstring(svg)
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {"svg", "rect", "text", "circle", "title"}
        svg.encode("utf-8")


def test_a_figure_file_needs_no_style_sheet():
    drawing = Drawing("x", "x", 100, 50, [Line([(0, 0), (9, 9)], "blue")])
    assert "var(" in to_svg(drawing, themed=True)
    assert "var(" not in to_svg(drawing, themed=False)


def test_pdf_and_png_have_the_same_bytes_every_time(tmp_path: Path):
    pytest.importorskip("matplotlib")
    axes = Axes(UNIT, UNIT)
    marks = [
        *axes.frame("Title", "x", "y"),
        Line([axes.at(0, 0), axes.at(1, 1)], "blue", 2, (4, 2)),
        Text((50, 50), "日本"),
    ]
    drawing = Drawing("x", "x", axes.width, axes.height, marks)
    made = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        export(drawing, [folder / "x.pdf", folder / "x.png"])
        made.append([(folder / name).read_bytes() for name in ("x.pdf", "x.png")])
    assert made[0] == made[1]
    assert made[0][0].startswith(b"%PDF")
    assert b"CreationDate" not in made[0][0]
