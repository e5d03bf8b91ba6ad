"""`setwise score` as a user meets it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from setwise import Objective
from setwise.cli import main
from setwise.records.files import read_records
from tests.completions import completion

SETS = Objective("rlvr-multi", k=2)
EXAMPLES = Path(__file__).parents[2] / "examples" / "completions.jsonl"


def line(answers: list[str], **problem: object) -> str:
    problem = {"id": "1", "question": "?", "golds": ["Gout", "Croup"], **problem}
    return json.dumps({"text": completion(SETS, answers), "problem": problem})


def run(*words: object) -> int:
    return main([str(word) for word in ("score", *words, "--objective", "rlvr-multi", "--k", 2)])


def test_completions_become_scored_records_and_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join([line(["Gout", "Croup"]), "", line(["Gout", "gout."]), line(["x", "y"])]) + "\n")
    assert run(file) == 0
    records = [record for _, record in read_records(tmp_path / "cases.scored.jsonl")]
    assert [record["score"]["reward"] for record in records] == [3.0, 0.0, 1.0]
    assert records[0]["score"]["labels"] == [True, True]
    assert records[0]["problem"]["golds"] == ["Gout", "Croup"], "the line travels with its score"
    table = capsys.readouterr().out
    assert "3 completions, rlvr-multi, K = 2" in table
    assert "rule/duplicates" in table
    assert re.search(r"^  coverage +0\.500$", table, re.MULTILINE)


def test_problems_may_stand_in_a_file_of_their_own(tmp_path: Path):
    problem = {"id": 7, "question": "?", "golds": ["Gout"], "aliases": {"Gout": ["podagra"]}}
    (tmp_path / "problems.jsonl").write_text(json.dumps(problem) + "\n")
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({"problem": 7, "text": completion(SETS, ["Podagra", "x"])}) + "\n")
    assert run(file, "--problems", tmp_path / "problems.jsonl", "--out", tmp_path / "out.jsonl") == 0
    ((_, record),) = read_records(tmp_path / "out.jsonl")
    assert record["score"]["matches"][0]["evidence"] == "Gout"


def test_each_completion_is_shown_by_its_problem_wherever_that_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "problems.jsonl").write_text('{"id": "case-7", "question": "?", "golds": ["Gout"]}\n')
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({"problem": "case-7", "text": completion(SETS, ["Gout", "x"])}) + "\n")
    assert run(file, "--problems", tmp_path / "problems.jsonl", "--each") == 0
    assert "  case-7 " in capsys.readouterr().out


def test_the_problems_are_never_replaced_by_the_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    problems = tmp_path / "problems.jsonl"
    problems.write_text("precious")
    assert run(EXAMPLES, "--problems", problems, "--out", problems) == 2
    assert "problems.jsonl: the scored records would replace the problems; choose another" in capsys.readouterr().err
    assert problems.read_text() == "precious"


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ("{not json", 'cases.jsonl:2: a line must be one JSON object (Expecting property name'),
        ("[1, 2]", "cases.jsonl:2: a line must be one JSON object, got [1, 2]"),
        ('{"problem": {}}', 'cases.jsonl:2: a completion needs "text", what the model wrote, got null'),
        ('{"problem": "1", "text": null}', 'cases.jsonl:2: a completion needs "text", what the model wrote, got null'),
        ('{"problem": "1", "completion": "x"}', 'what the model wrote, got null; rename "completion" to "text"'),
        ('{"text": "x"}', 'cases.jsonl:2: a completion needs its "problem", or the id of one, got ["text"]'),
        ('{"text": "x", "id": 1, "golds": ["a"]}', 'got ["golds", "id", "text"]; put "question" and "golds" into it'),
        ('{"text": "x", "problem": "1"}', "cases.jsonl:2: question 1: nothing says which answers are right; put"),
        (line(["a", "b"], golds=[]), 'cases.jsonl:2: "golds" must be a non-empty list of strings, got []'),
        (line(["a", "b"], golds=["x", ""]), 'cases.jsonl:2: "golds" must be a non-empty list of strings, got ""'),
        (line(["a", "b"], golds=None), 'cases.jsonl:2: question 1: nothing says which answers are right; put "golds"'),
        ('{"text": "x", "problem": {"id": 1, "answers": ["a"]}}', 'cases.jsonl:2: what is right is called "golds"; "'),
        (line(["a", "b"], golds=[["x"]]), 'cases.jsonl:2: "golds" must be a non-empty list of strings, got ["x"]'),
        (line(["a", "b"], golds=[{"text": "x", "aliases": None}]), 'of "x" must be a list of strings, got null'),
        (line(["a", "b"], golds=[{"text": "x", "aliases": 3}]), 'the aliases of "x" must be a list of strings, got 3'),
        (line(["a", "b"], golds=["x"], aliases={"x": 4}), 'the aliases of "x" must be a list of strings, got 4'),
        (line(["a", "b"], question=3), 'cases.jsonl:2: "question" must be a string, got 3'),
        ('{"schema": 99, "text": "x"}', "cases.jsonl:2: schema must be 2, got 99; upgrade setwise"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_nothing_is_written(
    bad: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "cases.jsonl"
    file.write_text(line(["Gout", "Croup"]) + "\n" + bad + "\n")
    assert run(file) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert os.listdir(tmp_path) == ["cases.jsonl"], "no half-written output, no draft"  # noqa: PTH208


def test_of_two_completions_for_one_problem_the_bad_one_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "cases.jsonl"
    file.write_text(line(["a", "b"], golds=None) + "\n" + line(["Gout", "Croup"]) + "\n")
    assert run(file) == 2
    assert "cases.jsonl:1: question 1: nothing says which answers are right" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["--objective", "rlvr"],
            'rlvr-single, rlcr-single, rlvr-multi, rlcr-multi, got "rlvr"',
        ),
        (["--objective", "rlvr-multi", "--k", "0"], "k must be a whole number from 1 to 1000, got 0"),
        (["--objective", "rlvr-multi", "--matcher", "psychic"], "a matcher is one of exact, fuzzy, math, code"),
        (["--objective", "rlvr-multi", "--regime", "both"], 'a regime is one of exclusive, inclusive, got "both"'),
    ],
)
def test_a_bad_option_is_named(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]):
    assert main(["score", str(EXAMPLES), *words]) == 2
    assert complaint in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(tmp_path / "gone.jsonl") == 2
    assert "gone.jsonl: the file cannot be read (No such file or directory)" in capsys.readouterr().err
    (tmp_path / "empty.jsonl").write_text("\n")
    assert run(tmp_path / "empty.jsonl") == 2
    assert "empty.jsonl: there is no completion in this file" in capsys.readouterr().err
    assert run(tmp_path / "empty.jsonl", "--out", tmp_path / "empty.jsonl") == 2
    assert "would replace the completions" in capsys.readouterr().err


def test_a_line_that_is_not_utf8_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "cases.jsonl").write_bytes(b'{"text": "\xff"}\n')
    assert run(tmp_path / "cases.jsonl") == 2
    assert "cases.jsonl:1: a line must be UTF-8" in capsys.readouterr().err


def test_an_old_result_survives_a_failed_run(tmp_path: Path):
    file, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    file.write_text(line(["a", "b"]) + "\n{\n")
    out.write_text("precious")
    assert run(file, "--out", out) == 2
    assert out.read_text() == "precious"


def test_lone_surrogates_survive_the_round_trip(tmp_path: Path):
    file = tmp_path / "cases.jsonl"
    file.write_text(line(["\ud800", "x"]) + "\n")
    assert run(file) == 0
    ((_, record),) = read_records(tmp_path / "cases.scored.jsonl")
    assert record["score"]["answers"] == ["\ud800", "x"]


def test_the_shipped_examples_show_each_kind_of_outcome(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "out.jsonl"
    assert main(["score", str(EXAMPLES), "--objective", "rlcr-multi", "--each", "--out", str(out)]) == 0
    table = capsys.readouterr().out
    for expected in ("duplicates", "bad_confidence", "missing_think", "truncated", "extra_text", "+ Pneumonia"):
        assert expected in table


def test_completions_that_end_inside_a_tag_are_not_said_to_be_cut_off_unless_a_finish_reason_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "cases.jsonl"
    cut = {**json.loads(line(["Gout", "Croup"])), "text": "<think>hm"}
    file.write_text(json.dumps(cut) + "\n" + line(["Gout", "Croup"]) + "\n")
    assert run(file) == 0
    table = capsys.readouterr().out
    assert re.search(r"^  parse/truncated \(unreadable: a tag left open\) +1$", table, re.MULTILINE)
    assert "token limit" not in table, "the file does not say why the completions ended"
    ended = [{**cut, "finish_reason": reason} for reason in ("length", "stop", "stop", "stop")]
    file.write_text("".join(json.dumps(each) + "\n" for each in ended))
    assert run(file) == 0
    table = capsys.readouterr().out
    assert re.search(r"^  truncated \(by the token limit\) +0\.250$", table, re.MULTILINE)
    assert re.search(r"^  parse/truncated \(unreadable: a tag left open\) +4$", table, re.MULTILINE)


def test_help_is_there_for_every_command(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        main(["score", "--help"])
    assert stop.value.code == 0
    assert "No model is asked" in capsys.readouterr().out
    assert main([]) == 2
    assert "score stored completions" in capsys.readouterr().out


def test_importing_setwise_stays_light():
    heavy = ["torch", "transformers", "trl", "vllm", "datasets", "matplotlib", "pandas", "scipy", "pydantic", "rich"]
    program = f"import sys, setwise, setwise.cli.score; print([m for m in {heavy} if m in sys.modules])"
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "[]"
