"""What every command does when the machine, and not the input, is at fault."""

import errno
import importlib

import pytest

from setwise.cli import main

SCORE = ["score", "cases.jsonl", "--objective", "rlvr-multi"]


def raising(error: BaseException):
    def fail(*_: object) -> int:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "runs/x"), "runs/x: No space left on device"),
        (PermissionError(errno.EACCES, "Permission denied", "a", None, "b"), "b: Permission denied"),
        (OSError("no such model\n\nlook it up"), "no such model look it up"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_what_the_system_refuses_is_one_line_and_status_1(
    error: OSError, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("setwise.cli.score.run", raising(error))
    assert main(SCORE) == 1
    assert capsys.readouterr().err == f"setwise: {said}\n"


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("setwise.cli.score.run", raising(TypeError("ours")))
    with pytest.raises(TypeError, match="ours"):
        main(SCORE)


def test_an_interrupt_while_a_command_is_imported_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(importlib, "import_module", raising(KeyboardInterrupt()))
    assert main(["train", "recipe.yaml"]) == 130
    assert capsys.readouterr().err == "setwise: interrupted\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["eval", "--tsk", "clinic"], "setwise eval: --tsk is not an option; did you mean --task?"),
        (["eval", "--tsk=clinic", "--out", "runs/x"], "setwise eval: --tsk is not an option; did you mean --task?"),
        (["doctor", "--frobnicate"], "setwise doctor: --frobnicate is not an option; 'setwise doctor --help' lists"),
        (
            ["data", "check", "clinic", "--limt", "3"],
            "setwise data check: --limt is not an option; did you mean --limit",
        ),
        (["data", "chekc", "clinic"], 'must be one of show, check, export, bayes, got "chekc"; did you mean check?'),
        (["evl", "--task", "clinic"], 'got "evl"; did you mean eval?'),
        (["eval", "--out", "x", "--confidence", "promt"], 'got "promt"; did you mean prompt?'),
    ],
)
def test_a_misspelt_word_is_one_line_with_the_nearest_known_one(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
):
    assert main(words) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("setwise: ")
    assert said in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize("words", [["eval"], ["eval", "--task", "clinic"], ["data", "check"]])
def test_what_is_missing_is_still_said_with_the_usage(words: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "the following arguments are required" in capsys.readouterr().err
