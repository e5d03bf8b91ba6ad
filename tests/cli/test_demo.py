"""`setwise demo` refuses at once what it could only trip over after minutes of training."""

from pathlib import Path

import pytest

from setwise.cli import main
from setwise.records.holding import held

RECIPES = Path(__file__).parents[2] / "recipes" / "demo"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--lanes", "0"), "--lanes: must be a whole number of at least 1, got 0"),
        (("--problems", "0"), "--problems: must be a whole number of at least 1, got 0"),
        (("--seed", "-1"), "--seed: must be a whole number of at least 0, got -1"),
        (("--out", "notes.txt"), "--out notes.txt: a file is in the way of the folder; choose another"),
        (("--out", "notes.txt/demo"), "--out notes.txt/demo: a file is in the way of the folder; choose another"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_made(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["demo", "--recipes", str(RECIPES), *words]) == 2
    assert capsys.readouterr().err == f"setwise: {said}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_two_demos_do_not_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with held(tmp_path):
        assert main(["demo", "--recipes", str(RECIPES), "--out", str(tmp_path)]) == 2
    assert f"{tmp_path}: another process is writing here" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
