"""`setwise ask`: a table or JSON, from an argument, a file or standard input."""

import io
import json
from pathlib import Path

import pytest

from setwise.cli import main
from tests.serving.made_up import COUGH, MUMBLE, TOE, scripted, write_script
from tests.serving.made_up_profile import made_up_profile


@pytest.fixture
def script(tmp_path: Path) -> str:
    return write_script(tmp_path / "script.jsonl")


@pytest.fixture
def profile(tmp_path: Path) -> str:
    made_up_profile().write(tmp_path / "profile.json")
    return str(tmp_path / "profile.json")


def test_a_question_gets_a_table(script: str, capsys: pytest.CaptureFixture[str]):
    assert main(["ask", script, COUGH]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == COUGH
    assert [line.split() for line in out.splitlines()[3:]] == [
        ["Pneumonia", "0.60"],
        ["Bronchitis", "0.25"],
        ["Influenza", "0.10"],
    ]


def test_json_is_what_python_gets(script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["ask", script, COUGH, "--samples", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == scripted(tmp_path).ask(COUGH, samples=2).to_record()


def test_a_profile_adds_calibrated_confidences_and_the_decision(
    script: str, profile: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["ask", script, TOE, "--profile", profile, "--alpha", "0.4"]) == 0
    out = capsys.readouterr().out
    assert "calibrated" in out
    assert "one of these is right: 0." in out
    assert "enough for 60 %" in out


def test_a_file_may_hold_text_and_json(script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    lines = [TOE, "", json.dumps({"question": COUGH}), json.dumps({"problem": {"id": "1", "question": MUMBLE}})]
    (tmp_path / "questions").write_text("\n".join(lines))
    assert main(["ask", script, "--file", str(tmp_path / "questions"), "--json"]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["question"] for each in said] == [TOE, COUGH, MUMBLE]
    assert said[2]["answers"] == []


def test_questions_are_read_from_standard_input(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{TOE}\n{MUMBLE}\n".encode())))
    assert main(["ask", script]) == 0
    out = capsys.readouterr().out
    assert "Gout" in out
    assert "no answer could be read: missing_think" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([TOE, "--alpha", "0.1"], "needs a profile"),
        ([TOE, "--samples", "0"], "samples must be a whole number"),
        ([TOE, "--file", "x"], "not both"),
        ([" "], "must not be empty"),
        (["--file", "nothing"], "cannot be read"),
        ([TOE, "--profile", "nothing"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    script: str, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["ask", script, *arguments]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_a_line_without_a_question_is_named(script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "questions").write_text('{"text": "?"}\n')
    assert main(["ask", script, "--file", str(tmp_path / "questions")]) == 2
    assert 'questions:1: a line needs its "question"' in capsys.readouterr().err


def test_json_has_text_as_it_is_and_odd_characters_as_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    question = "Fièvre, 雪 \ud800\u2028?"
    answer = "<think>x</think> <answer1> Grippe é </answer1> <confidence1> 0.5 </confidence1>"
    script = write_script(tmp_path / "script.jsonl", {question: [answer]})
    (tmp_path / "questions").write_text(json.dumps({"question": question}))
    options = ["--objective", "rlcr-single", "--file", str(tmp_path / "questions"), "--json"]
    assert main(["ask", script, *options]) == 0
    out = capsys.readouterr().out
    assert "Fièvre, 雪 \\ud800\\u2028?" in out
    assert "Grippe é" in out
    assert json.loads(out)["question"] == question


def test_json_is_ascii_where_output_is(script: str, monkeypatch: pytest.MonkeyPatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    monkeypatch.setattr("setwise.serving.answers.Answered.to_record", lambda self: {"question": "雪"})
    assert main(["ask", script, TOE, "--json"]) == 0
    stream.seek(0)
    assert stream.read() == '{"question": "\\u96ea"}\n'
