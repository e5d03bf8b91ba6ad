"""Runs share a table only if they were asked the same data."""

import json
from pathlib import Path

import pytest

from setwise.cli import main
from setwise.errors import InputError
from setwise.evaluation.compare import compare
from setwise.evaluation.methods import METHODS
from setwise.records.files import read_json, write_json
from setwise.reports.document import build_document
from setwise.workflows.report import read_report
from tests.evaluation.made_up import multi_text, write_script
from tests.reports.made_up import MadeUpTask, make_run

MULTI = METHODS["rlcr-multi"]


def run(folder: Path, task: MadeUpTask, **settings: str | None) -> Path:
    make_run(folder, task, MULTI)
    config = read_json(folder / "config.json")
    write_json(folder / "config.json", {**config, "task": {**config["task"], **settings}})
    return folder


def titles(runs: list[Path]) -> dict[str, list[str]]:
    report = read_report(runs, resamples=20)
    return {section.title: [each.name for each in section.runs] for section in report.sections}


def test_two_files_of_one_name_have_tables_of_their_own(tmp_path):
    runs = [
        run(tmp_path / "a", MadeUpTask(3), path="one/qa/test.jsonl", source="1"),
        run(tmp_path / "b", MadeUpTask(4), path="two/qa/test.jsonl", source="2"),
        run(tmp_path / "c", MadeUpTask(3), path="one/qa/test.jsonl", source="1"),
    ]
    assert titles(runs) == {
        "made-up (one/qa/test.jsonl)": ["a", "c"],
        "made-up (two/qa/test.jsonl)": ["b"],
    }
    report = read_report(runs, resamples=20)
    document = build_document(report)
    assert len({section.key for section in document.sections}) == 2
    assert {row[1] for row in document.runs.rows} == set(titles(runs))
    assert [problem.task for problem in report.problems] == ["made-up (one/qa/test.jsonl)"] * 3 + [
        "made-up (two/qa/test.jsonl)"
    ] * 4


def test_a_file_that_was_moved_or_has_grown_is_still_the_same(tmp_path):
    runs = [
        run(tmp_path / "a", MadeUpTask(3), path="qa.jsonl", source="1"),
        run(tmp_path / "moved", MadeUpTask(3), path="/data/qa.jsonl", source="1", fingerprint="other"),
        run(tmp_path / "grown", MadeUpTask(4), path="qa.jsonl", source="2"),
    ]
    assert titles(runs) == {"made-up": ["a", "grown", "moved"]}


def test_splits_of_one_folder_are_told_apart(tmp_path):
    runs = [
        run(tmp_path / split, MadeUpTask(size), path="qa", split=split, source=split)
        for size, split in ((3, "test"), (4, "dev"))
    ]
    assert titles(runs) == {"made-up (test)": ["test"], "made-up (dev)": ["dev"]}


def test_runs_that_do_not_say_what_they_read_stay_together(tmp_path):
    runs = [run(tmp_path / str(size), MadeUpTask(size)) for size in (3, 4)]
    assert titles(runs) == {"made-up": ["3", "4"]}


def asked(root: Path, place: str, gold: str) -> Path:
    """A run of `setwise eval` on a file of one's own."""
    file = root / place
    file.parent.mkdir(parents=True)
    rows = [{"id": str(i), "question": f"{gold} {i}?", "golds": [f"{gold} {i}", "also"]} for i in range(2)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    said = {str(i): [multi_text([f"{gold} {i}", "x", "y"], [0.5, 0.2, 0.1])] for i in range(2)}
    script = write_script(file.with_suffix(".script"), said)
    out = root / "runs" / file.parent.name
    words = ["eval", "--task", "jsonl", "--path", str(file), "--model", f"scripted:{script}", "--out", str(out)]
    assert main([*words, "--resamples", "20"]) == 0
    return out


def test_two_files_evaluated_by_the_command_are_told_apart_and_not_compared(tmp_path, capsys):
    runs = [asked(tmp_path, "birds/qa.jsonl", "wren"), asked(tmp_path, "trees/qa.jsonl", "elm")]
    capsys.readouterr()
    assert titles(runs) == {"qa (birds/qa.jsonl)": ["birds"], "qa (trees/qa.jsonl)": ["trees"]}
    with pytest.raises(InputError, match="problem 0: the problem has another question or other right answers"):
        compare(runs, resamples=20)
