"""What a report says of its own tables: rows told apart, runs left out, numbers that so few problems cannot give."""

from dataclasses import replace
from pathlib import Path

import pytest

from setwise.evaluation.methods import METHODS
from setwise.models import Completion
from setwise.reports.document import build_document
from setwise.reports.inputs import DatasetSection, Report, Run
from setwise.reports.left_out import left_out_of_tables
from setwise.reports.tables import section_tables
from setwise.workflows.report import make_report, read_report
from tests.reports.made_up import MadeUpTask, make_run

TASK = MadeUpTask(6)
MULTI = METHODS["rlcr-multi"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three runs of one method: one states every confidence, one half of them, one cannot be read at all."""
    root = tmp_path_factory.mktemp("asked")
    refused = {problem.id: [Completion("I refuse.", "stop", 2)] for problem in TASK}
    half = dict(list(refused.items())[:3])
    asked = {"whole": {}, "half": half, "unread": refused}
    return [make_run(root / name, TASK, MULTI, replies) for name, replies in asked.items()]


@pytest.fixture(scope="module")
def section(runs: list[Path]) -> DatasetSection:
    [found] = read_report(runs, resamples=50).sections
    return found


def test_rows_of_one_method_have_their_folders_names_whatever_else_they_say(section: DatasetSection):
    table = next(each for each in section_tables(section) if each.key == "calibration-k3")
    assert len({row.label for row in table.rows}) == 1
    notes = {row.run: row.note for row in table.rows}
    assert notes.keys() == {"whole", "half"}
    assert notes["half"] == "confidences as trained; 67 % of first answers state none, half"
    assert notes["whole"].endswith(", whole")


def test_a_run_that_a_table_leaves_out_is_named_with_the_reason(section: DatasetSection):
    assert left_out_of_tables(section) == [
        "Not in the calibration tables: unread (where no answer states a confidence that can be read)."
    ]


def test_every_run_is_in_a_table_or_said_to_be_left_out(section: DatasetSection):
    run = section.runs[0]
    plain = replace(
        run, name="plain", method="rlvr-multi", confidence="none", numbers={"coverage": run.numbers["coverage"]}
    )
    asked = replace(run, name="asked", method="rlvr-multi+prompt", confidence="prompt")
    swept = [replace(run, name=f"k{k}", k=k) for k in (2, 5)]
    notes = left_out_of_tables(replace(section, runs=[*section.runs, plain, asked, *swept]))
    assert notes == [
        "Not in the calibration tables: plain (which asked for no confidences); "
        "unread (where no answer states a confidence that can be read).",
        "Not in the tables on correctness: asked (which ask a method for confidences that has a run without).",
        "Not in any table but that by K: k2, k5 (each the only run with its K).",
    ]


def test_runs_that_no_one_asked_for_confidences_need_no_word(section: DatasetSection):
    numbers = {"coverage": section.runs[0].numbers["coverage"]}
    silent = [replace(run, confidence="none", numbers=numbers) for run in section.runs]
    assert left_out_of_tables(replace(section, runs=silent)) == []


def captions(section: DatasetSection) -> dict[str, str]:
    return {table.key: table.caption for table in section_tables(section)}


def test_tables_of_few_problems_say_that_nothing_can_be_bold(tmp_path: Path):
    few = [make_run(tmp_path / name, MadeUpTask(3), METHODS[name]) for name in ("rlcr-multi", "rlcr-zero-shot")]
    [section] = read_report(few, resamples=50).sections
    for caption in captions(section).values():
        assert not caption or "3 problems cannot show a difference at 0.05: the least p possible is 0.25" in caption
    assert not any(cell.bold for table in section_tables(section) for row in table.rows for cell in row.cells)


def test_tables_of_many_problems_say_nothing_of_the_kind(paper_runs: list[Path]):
    [section] = read_report(paper_runs[:3], resamples=2000).sections
    assert not any("cannot show" in caption for caption in captions(section).values())


def test_numbers_without_spread_are_named_in_every_file(runs: list[Path], tmp_path: Path):
    make_report(runs, tmp_path, formats=(), resamples=50)
    for name in ("report.md", "tables.tex", "report.html"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "Intervals without width, " in text
        assert "no resample of the problems gives another value, so they cannot show how sure it is" in text
    assert 'data-doubt="no resample' in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_only_what_a_table_shows_is_named_as_without_spread(section: DatasetSection):
    told = build_document(Report([section])).sections[0].notes[-1]
    flat = {(run.name, metric) for run in section.runs for metric, each in run.numbers.items() if not each.has_spread}
    assert ("unread", "uniqueness") in flat
    assert "unread (" in told
    assert "Distinct answers" in told
    assert ("unread", "tokens") in flat
    assert "coverage" not in told


def test_one_problem_is_said_to_give_no_intervals(tmp_path: Path):
    [section] = read_report([make_run(tmp_path / "one", MadeUpTask(1), MULTI)], resamples=50).sections
    assert "one: one problem gives no intervals." in build_document(Report([section])).sections[0].notes


def test_a_judge_that_is_not_on_record_is_said(section: DatasetSection):
    def notes(runs: list[Run]) -> list[str]:
        return list(build_document(Report([replace(section, runs=runs)])).sections[0].notes)

    assert notes(list(section.runs))[0] == "Judged by exact."
    unknown = [replace(section.runs[0], matcher=""), *section.runs[1:]]
    assert any(
        note.startswith(f"{unknown[0].name}: which matcher judged it is not on record") for note in notes(unknown)
    )
