"""No two rows of a table and no two lines of a figure may be taken for each other."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from setwise.reports import Report, write_report
from setwise.reports.canvas.palette import METHOD_COLOURS
from setwise.reports.figures import section_figures, styles_of
from setwise.reports.inputs import DatasetSection, Run
from setwise.reports.rows import Table
from setwise.reports.tables import section_tables
from setwise.workflows.report import read_report

ASKED, FORCED = "confidences asked for by the prompt", "confidence tag forced behind each answer"


def forced(run: Run) -> Run:
    """The same numbers, as if the tag had been forced."""
    name, method = (text.replace("prompt", "continue") for text in (run.name, run.method))
    return replace(run, name=name, method=method, confidence="continue")


@pytest.fixture(scope="module")
def runs(paper_runs: list[Path], more_runs: list[Path]) -> list[Run]:
    """Every method, asked in every way, and some of them with several K; every answer states a confidence."""
    [section] = read_report([*paper_runs, *more_runs], resamples=20).sections
    found = [replace(run, counts={**run.counts, "top1/n_excluded": 0}) for run in section.runs]
    return [*found, *(forced(run) for run in found if run.method.endswith("+prompt"))]


def seeds(runs: Sequence[Run], count: int = 2) -> list[Run]:
    return [replace(run, name=f"seed-{seed}/{run.name}") for seed in range(count) for run in runs]


def without_own(runs: Sequence[Run]) -> list[Run]:
    """As if the models trained without confidences had been run only to state some."""
    return [run for run in runs if run.method not in ("rlvr-single", "rlvr-multi")]


def tables_of(runs: Sequence[Run]) -> dict[str, Table]:
    return {table.key: table for table in section_tables(DatasetSection("ddxplus", "inclusive", runs))}


def noted(table: Table, method: str) -> list[str]:
    return [row.note for row in table.rows if row.run.removeprefix("ddxplus-").startswith(method)]


def test_no_two_rows_of_a_table_are_named_alike(runs: list[Run]):
    for some in (runs, without_own(runs), seeds(runs), seeds(without_own(runs))):
        for table in tables_of(some).values():
            named = [(row.block, row.label, row.note) for row in table.rows]
            assert len(set(named)) == len(named)


def test_no_two_lines_of_a_written_table_begin_alike(runs: list[Run], tmp_path: Path):
    write_report(Report([DatasetSection("ddxplus", "inclusive", seeds(runs))]), tmp_path, formats=())
    written = [(tmp_path / name).read_text(encoding="utf-8") for name in ("report.md", "tables.tex")]
    tables = [
        *re.split(r"^#+ .*$", written[0], flags=re.MULTILINE),
        *re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", written[1], re.DOTALL),
    ]
    checked = 0
    for table in tables:
        lines = [line.strip("| ") for line in table.splitlines() if " & " in line or " | " in line]
        rows = [re.split(r" [|&]( |$)", line)[0] for line in lines if not line.startswith("---")]
        if "Method" in rows[:1]:
            assert len(set(rows)) == len(rows)
            checked += 1
    assert checked >= 10


def test_a_row_about_confidences_says_how_they_were_got(runs: list[Run]):
    tables = tables_of(runs)
    for key in ("calibration-k3", "beside-calibration-k3", "sums-k3"):
        assert noted(tables[key], "rlvr-multi") == [ASKED, FORCED]
        assert noted(tables[key], "rlcr-multi") == ["confidences as trained"]
        assert noted(tables[key], "self-consistency") == ["vote shares as confidences"]


def test_a_row_does_not_say_what_its_method_is_anyway(runs: list[Run]):
    table = tables_of(runs)["calibration-k3"]
    for method in ("rlcr-zero-shot", "base-rlcr-single", "verbalised-sampling"):
        assert noted(table, method) == [""]


def test_a_row_about_confidences_says_how_many_answers_lack_one(runs: list[Run]):
    some = [replace(run, counts={"top1/n": 40, "top1/n_excluded": 60}) for run in runs if "+" not in run.method]
    table = tables_of(some)["calibration-k3"]
    assert noted(table, "rlcr-multi") == ["confidences as trained; 60 % of first answers state none"]
    assert noted(table, "rlcr-zero-shot") == ["60 % of first answers state none"]


def test_a_floor_is_explained_where_sums_can_exceed_one(runs: list[Run]):
    for regime, said in (("exclusive", True), ("inclusive", False)):
        [table] = (each for each in section_tables(DatasetSection("x", regime, runs)) if each.key == "calibration-k3")
        assert (", plus what sums exceed 1 by. Base rate" in table.caption) == said


def test_correctness_is_that_of_the_methods_own_prompt_where_it_was_used(runs: list[Run]):
    for key in ("correctness-k3", "more-correctness-k3"):
        shown = {row.run.removeprefix("ddxplus-") for row in tables_of(runs)[key].rows}
        assert shown >= {"rlvr-single", "rlvr-multi"}
        assert not any(name.endswith(("-prompt", "-continue")) for name in shown)
        assert noted(tables_of(without_own(runs))[key], "rlvr-multi") == [ASKED, FORCED]


def test_the_table_by_k_names_the_method_of_each_row(runs: list[Run]):
    swept = [replace(run, name=f"{run.name}-k{k}", k=k) for run in runs for k in (2, 4) if run.k == 3]
    table = tables_of(swept)["by-k"]
    assert len({row.block for row in table.rows}) > 2
    assert not any("+" in run.method for run in swept for row in table.rows if row.run == run.name)


def test_no_two_entries_of_a_legend_have_one_label_or_one_look(runs: list[Run]):
    for some in (runs, without_own(runs), seeds([run for run in runs if run.method.startswith("rlvr")])):
        for figure in section_figures(DatasetSection("ddxplus", "inclusive", some)):
            labels = [style.label for style in figure.styles]
            looks = [(style.colour, tuple(style.dash), style.filled) for style in figure.styles]
            assert len(set(labels)) == len(labels)
            assert len(set(looks)) == len(looks)


def test_another_training_of_a_method_looks_like_no_other_run(runs: list[Run]):
    plain = {run.method: run for run in runs if run.method in METHOD_COLOURS and run.k == 3}
    assert plain.keys() == METHOD_COLOURS.keys()
    again = [replace(plain[method], name=f"{method}-again") for method in ("rlvr-multi", "rlcr-multi")]
    looks = [(each.colour, tuple(each.dash), each.filled) for each in styles_of([*plain.values(), *again]).values()]
    assert len(set(looks)) == len(looks) == 10


def test_no_two_panels_of_a_figure_have_one_title(runs: list[Run]):
    for some in (runs, seeds(runs)):
        for figure in section_figures(DatasetSection("ddxplus", "inclusive", some)):
            titles = [panel.title for panel in figure.panels]
            assert len(set(titles)) == len(titles)


def test_a_figure_about_confidences_explains_its_short_labels(runs: list[Run]):
    captions = {each.key: each.caption for each in section_figures(DatasetSection("ddxplus", "inclusive", runs))}
    for key in ("calibration-top1", "calibration-pooled", "sums", "risk"):
        assert f"Asked: {ASKED}. Forced: {FORCED}." in captions[key]
    assert not any("Forced:" in captions[key] for key in ("pareto", "tokens", "golds"))


def test_a_method_keeps_its_colour_however_it_was_asked(runs: list[Run]):
    styles = styles_of(seeds(runs))
    for seed in ("seed-0", "seed-1"):
        own = [style.colour for name, style in styles.items() if name.startswith(f"{seed}/ddxplus-rlvr-multi")]
        assert len(own) == 3
        assert len(set(own)) == 1
