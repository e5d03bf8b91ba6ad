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
