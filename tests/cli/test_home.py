"""`~` in a path is the home folder, also where no shell expands it."""

from pathlib import Path

import pytest
import yaml

from setwise.cli import command_parser, main
from setwise.config import read_recipe
from setwise.home import at_home
from setwise.models import open_model
from setwise.tasks import load_task

ROW = '{"id": "1", "question": "Who?", "golds": ["Pollux"]}\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "work")
    (tmp_path / "home" / "twins.jsonl").write_text(ROW)
    return tmp_path / "home"


def test_a_recipe_may_name_its_folder_data_and_prompt_from_home(home: Path):
    (home / "prompt.txt").write_text("Answer.")
    recipe = {
        "task": {"name": "jsonl", "path": "~/twins.jsonl"},
        "model": {"path": "~/model"},
        "objective": {"name": "rlvr-multi", "prompt": "~/prompt.txt"},
        "run": {"folder": "~/run"},
    }
    (home / "recipe.yaml").write_text(yaml.safe_dump(recipe))
    Path("above.yaml").write_text("extends: ~/recipe.yaml\n")
    for path in ("~/recipe.yaml", "above.yaml"):
        job = read_recipe(path).job()
        assert (job.folder, job.model.location) == (home / "run", str(home / "model"))
        assert (job.task.path, job.prompt, len(job.problems)) == (str(home / "twins.jsonl"), "Answer.", 1)


def test_the_same_data_has_one_fingerprint_however_its_path_is_written(home: Path):
    written, expanded = (load_task("jsonl", path=path) for path in ("~/twins.jsonl", home / "twins.jsonl"))
    assert written.fingerprint == expanded.fingerprint


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["warm-start", "recipe.yaml", "--out=~/x"], "out"),
        (["export", "verl", "recipe.yaml", "~/x"], "out"),
        (["data", "export", "clinic", "--out", "~/x"], "out"),
        (["eval", "--out", "runs/x", "--as", "~/x"], "taught_as"),
    ],
)
def test_every_path_of_the_command_line_may_begin_at_home(home: Path, arguments: list[str], name: str):
    assert getattr(command_parser(arguments).parse_args(arguments), name) == home / "x"


def test_an_export_and_a_scripted_evaluation_read_and_write_at_home(home: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["data", "export", "jsonl", "--path=~/twins.jsonl", "--out=~/out.jsonl"]) == 0, capsys.readouterr().err
    assert (home / "out.jsonl").is_file()
    (home / "said.jsonl").write_text('{"problem": "1", "text": "<answer1>Pollux</answer1>"}\n')
    assert open_model("scripted:~/said.jsonl").name == open_model(f"scripted:{home}/said.jsonl").name
    assert not list(Path().iterdir())


def test_the_tilde_of_an_unknown_user_stays():
    assert at_home("~nobody-of-that-name/x") == "~nobody-of-that-name/x"
