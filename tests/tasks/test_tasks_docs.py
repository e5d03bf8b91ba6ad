"""docs/tasks.md and docs/adding-a-task.md: the example task runs as printed, and its numbers are the ones we get."""

import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from setwise.cli import main
from setwise.errors import InputError
from setwise.tasks import TASKS, load_task
from setwise.workflows.data_check import check_task

PAGES = Path(__file__).parents[2] / "docs"
DOCS = "".join((PAGES / name).read_text(encoding="utf-8") for name in ("tasks.md", "adding-a-task.md"))


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCS, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The folder and the module of the example as a reader would make them; the code that uses them."""
    _, module, use = blocks("python")
    (tmp_path / "data" / "ambignq").mkdir(parents=True)
    (tmp_path / "data" / "ambignq" / "dev_light.json").write_text(blocks("json")[1])
    (tmp_path / "ambigqa.py").write_text(module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield use
    TASKS.added.pop("ambigqa", None)
    sys.modules.pop("ambigqa", None)


def test_the_fourth_task_runs_as_printed(example: str, capsys: pytest.CaptureFixture[str]):
    exec(example, {})
    assert capsys.readouterr().out == "[('1', ['1812', 'May 1954']), ('2', ['Ida Vale'])]\n{'not annotated': 1}\n"
    assert check_task(load_task("ambigqa", path="data/ambignq", split="dev")).passed
    by_its_place = load_task("ambigqa:AMBIGQA", path="data/ambignq", split="dev")
    assert [problem.id for problem in by_its_place] == ["1", "2"]


def test_the_fourth_task_gets_the_common_errors_for_free(example: str):
    exec(example, {})
    with pytest.raises(InputError, match=r"the folder has no file for split train: train_light.json or train.json"):
        load_task("ambigqa", path="data/ambignq")
    with pytest.raises(InputError, match="the path of ambigqa is a file or a folder"):
        load_task("ambigqa", path="hub:sewon/ambig_qa")


def test_the_fourth_task_is_about_a_hundred_lines():
    assert len(blocks("python")[1].splitlines()) <= 100


def test_the_printed_bayes_table_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]):
    assert main(["data", "bayes", "clinic", "--k", "3"]) == 0
    assert capsys.readouterr().out == blocks("text")[0]


def test_every_task_and_every_option_is_in_the_docs():
    for name in TASKS.names():
        assert f"| `{name}` |" in DOCS
        for option in fields(TASKS.find(name).options):
            assert f"`{option.name}`" in DOCS, (name, option.name)


def test_the_own_file_example_loads(tmp_path: Path):
    (tmp_path / "cases.jsonl").write_text(blocks("json")[0])
    (problem,) = load_task("jsonl", path=tmp_path / "cases.jsonl")
    assert problem.id == "t1"
