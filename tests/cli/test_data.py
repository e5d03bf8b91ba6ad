"""`setwise data` as a user meets it."""

import json
from pathlib import Path

import pytest

from setwise.cli import main
from setwise.tasks import TASKS, load_task
from setwise.workflows import blind_guess
from tests.tasks.made_up import RENDERED, hotpot_row, patient, write_ddxplus

Capture = pytest.CaptureFixture[str]


def run(*words: object) -> int:
    return main(["data", *(str(word) for word in words)])


def test_show_prints_problems_with_their_golds(tmp_path: Path, capsys: Capture):
    assert run("show", "ddxplus", "--path", write_ddxplus(tmp_path, [patient()] * 5)) == 0
    said = capsys.readouterr().out
    assert said.count(RENDERED) == 3
    assert said.count("Golds: Glass elbow; Croup") == 3


def test_show_prints_the_prompt_of_an_objective(capsys: Capture):
    assert run("show", "clinic", "--limit", 1, "--objective", "rlcr-multi", "--k", 2) == 0
    said = capsys.readouterr().out
    assert "[system]" in said
    assert "<confidence2>" in said
    assert "<confidence3>" not in said


def test_show_says_what_the_best_model_would_answer_where_that_is_known(capsys: Capture):
    assert run("show", "clinic", "--limit", 1) == 0
    task = load_task("clinic", limit=1)
    assert task.world is not None
    name, chance = max(task.world.belief(next(iter(task)).question).items(), key=lambda item: item[1])
    assert f"Best possible answers: {name} {chance:.2f}, " in capsys.readouterr().out


def test_check_says_what_it_found_and_passes(tmp_path: Path, capsys: Capture):
    rows = [hotpot_row("a"), hotpot_row("b", paragraphs=3)]
    (tmp_path / "test.json").write_text(json.dumps(rows))
    assert run("check", "hotpotqa-modified", "--path", tmp_path, "--split", "test", "--option", "policy=rlcr") == 0
    said = capsys.readouterr().out
    assert "left out: not 10 paragraphs" in said
    assert "ESTIMATED" in said
    assert said.endswith("passed\n")


def test_check_fails_with_status_1_and_says_why(tmp_path: Path, capsys: Capture):
    (tmp_path / "cases.jsonl").write_text('{"question": "?", "answers": ["The flu", "flu"]}\n')
    assert run("check", "jsonl", "--path", tmp_path / "cases.jsonl") == 1
    captured = capsys.readouterr()
    assert "note: regime inclusive, inferred: row-1 in cases.jsonl has 2 answers" in captured.err
    assert "row-1: golds that count as one answer: 'The flu' = 'flu'; make one an alias" in captured.out
    assert "FAILED: 1 complaint" in captured.out


def test_check_says_what_the_best_constant_answers_would_earn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
):
    rows = [
        {"question": "1?", "golds": ["United States"], "aliases": {"United States": ["USA"]}},
        {"question": "2?", "golds": ["America"], "aliases": {"America": ["USA"]}},
        {"question": "3?", "golds": ["France"]},
        {"question": "4?", "golds": ["France"]},
        {"question": "5?", "golds": ["USA", "Peru"]},
    ]
    (tmp_path / "lands.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run("check", "jsonl", "--path", tmp_path / "lands.jsonl", "--k", 2) == 0
    said = capsys.readouterr().out
    assert "lands, inclusive, every gold scored, K = 2" in said
    assert "USA, France" in said
    assert "coverage 0.500, any right 1.000" in said
    assert "most frequent names" not in said
    monkeypatch.setattr(blind_guess, "MOST_PAIRS", 5)
    assert run("check", "jsonl", "--path", tmp_path / "lands.jsonl", "--k", 1, "--option", "matcher=fuzzy") == 0
    assert "sought greedily among the 2 most frequent names" in capsys.readouterr().out


def test_export_writes_a_file_the_jsonl_task_reads(tmp_path: Path, capsys: Capture):
    out = tmp_path / "out.jsonl"
    assert run("export", "clinic", "--split", "test", "--limit", 7, "--out", out) == 0
    assert "7 problems: " in capsys.readouterr().out
    assert len(out.read_text().splitlines()) == 7
    assert run("check", "jsonl", "--path", out) == 0


def test_export_to_another_format_is_refused(tmp_path: Path, capsys: Capture):
    assert run("export", "clinic", "--format", "xml", "--out", tmp_path / "out") == 2
    assert 'an export format is one of jsonl, parquet, got "xml"' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("whole", [False, True])
def test_export_never_replaces_what_it_reads(whole: bool, tmp_path: Path, capsys: Capture):
    file = tmp_path / "train.jsonl"
    file.write_text('{"question": "?", "answers": ["x"]}\n')
    before = file.read_text()
    assert run("export", "jsonl", "--path", tmp_path if whole else file, "--out", file) == 2
    assert "train.jsonl: the problems would replace a file of --path; choose another --out" in capsys.readouterr().err
    assert file.read_text() == before


def test_the_name_of_an_export_says_its_format(tmp_path: Path):
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    assert run("export", "clinic", "--limit", 2, "--out", tmp_path / "out.parquet") == 0
    assert (tmp_path / "out.parquet").read_bytes().startswith(b"PAR1")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("out.csv",), 'an export format is one of jsonl, parquet, got "csv"'),
        (("out.csv", "--format", "jsonl"), "out.csv: the name promises csv, and the format is jsonl; let the name end"),
        (("out.parquet", "--format", "jsonl"), "the name promises parquet, and the format is jsonl"),
    ],
)
def test_a_name_that_promises_another_format_is_refused(
    words: tuple[str, ...], complaint: str, tmp_path: Path, capsys: Capture
):
    assert run("export", "clinic", "--limit", 2, "--out", tmp_path / words[0], *words[1:]) == 2
    assert complaint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_bayes_prints_the_best_values_of_both_regimes(capsys: Capture):
    assert run("bayes", "clinic", "--k", 2, "--option", "findings=4") == 0
    said = capsys.readouterr().out
    assert "with K = 2 (exact)" in said
    for name in ("coverage", "pass_at_1", "pass_at_k", "top1/brier", "pooled/brier", "set/confidence"):
        (line,) = [line for line in said.splitlines() if line.split()[:1] == [name]]
        assert all(0 < float(value) <= 1 for value in line.split()[1:])
        assert len(line.split()) == 3


def test_bayes_of_a_task_without_a_known_truth_is_refused(capsys: Capture):
    assert run("bayes", "mbpp") == 2
    assert 'bayes needs a task whose truth is known, got "mbpp"; use clinic' in capsys.readouterr().err


def test_bayes_takes_no_choice_of_problems_since_it_is_about_all_of_them(capsys: Capture):
    assert run("bayes", "clinic", "--path", "zzz", "--limit", 0) == 2
    said = "setwise: setwise data bayes: --path is not an option; 'setwise data bayes --help' lists the options\n"
    assert capsys.readouterr().err == said


def test_no_problems_at_all_cannot_be_shown(capsys: Capture):
    assert run("show", "clinic", "--limit", 0) == 2
    assert "limit must be a whole number of at least 1, got 0" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["split=test", "path=x", "limit=2", "seed=1"])
def test_what_has_an_option_of_its_own_is_no_option_of_the_task(option: str, capsys: Capture):
    assert run("show", "clinic", "--option", option) == 2
    name = option.partition("=")[0]
    said = f'--option: {name} is not one of the task\'s own, got "{option}"; every task takes it: see --help'
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [("check", "clinic", "--option", "k"), ("show", "clinics"), ("check", "ddxplus")])
def test_a_wrong_wish_is_one_line_and_status_2(words: tuple[str, ...], capsys: Capture):
    assert run(*words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_task_of_another_package_that_cannot_be_loaded_breaks_neither_the_help_nor_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
):
    monkeypatch.setitem(TASKS.added, "broken", "no_such_package:TASK")
    assert run("show", "clinic", "--limit", 1) == 0
    with pytest.raises(SystemExit, match="0"):
        run("--help")
    said = capsys.readouterr().out
    assert "broken             no_such_package:TASK: a task cannot be loaded (ModuleNotFoundError" in said
    assert "clinic             patients of a made-up clinic" in said


def test_help_names_every_task(capsys: Capture):
    with pytest.raises(SystemExit):
        run("--help")
    said = capsys.readouterr().out
    assert all(name in said for name in TASKS.names())
