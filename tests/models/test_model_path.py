"""A misspelt folder is told from a name of the hub before any library is asked."""

from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.models import folder_of, open_model


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in ("runs/first/model", "home/tiny"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "config.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("")
    return tmp_path


@pytest.mark.parametrize("kind", ["hf", "vllm"])
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("runs/frist/model", "there is no model folder here; did you mean runs/first/model?"),
        ("runs/frist", "there is no model folder here; did you mean runs/first?"),
        ("./rums/first/model", "there is no model folder here; did you mean runs/first/model?"),
        ("/no/such/place", "there is no model folder here; a model of the hub is written OWNER/NAME"),
        ("~/tinny", "/home/tiny?"),
        ("a/b/c", "there is no model folder here"),
        ("tiny/", "there is no model folder here"),
        ("runs/first", "a model folder holds a config.json, and this one does not; did you mean runs/first/model?"),
        ("notes.txt", "a model is a folder, and this is a file"),
    ],
)
def test_a_folder_that_is_not_there_is_one_line_with_the_nearest(here: Path, kind: str, path: str, said: str):
    with pytest.raises(InputError) as caught:
        open_model(f"{kind}:{path}")
    assert str(caught.value).startswith(f"{kind}:{path}: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("path", ["Qwen/Qwen3-8B", "gpt2", "runs/first/model", "./runs/first/model"])
def test_a_name_of_the_hub_and_a_folder_that_is_there_are_taken(here: Path, path: str):
    assert open_model(f"hf:{path}").name == f"hf:{path}"


def test_the_home_folder_is_read_out(here: Path):
    assert open_model("hf:~/tiny").name == f"hf:{here / 'home/tiny'}" == f"hf:{folder_of('hf:~/tiny')}"
