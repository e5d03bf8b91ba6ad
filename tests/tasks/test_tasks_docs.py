"""docs/reference/tasks.md and docs/how-to/add-a-task.md: what they show runs, and what they list is what there is."""

import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

import pytest

from setwise.cli import main
from setwise.errors import InputError
from setwise.tasks import TASKS, load_task
from setwise.workflows.data_check import check_task
from tests.docs.pages import Block, read_blocks, run_page

PAGES = Path(__file__).parents[2] / "docs"
TASKS_PAGE, ADDING = PAGES / "reference" / "tasks.md", PAGES / "how-to" / "add-a-task.md"
AMBIGQA = "ambigqa:AMBIGQA"


def block(page: Path, language: str, file: str | None = None) -> Block:
    return next(each for each in read_blocks(page) if each.language == language and each.file == file)


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a reader who did everything that the page about adding a task shows."""
    assert run_page(ADDING, tmp_path) == 2
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("ambigqa", None)


def test_the_added_task_runs_as_printed_and_gets_the_common_errors_for_free(followed: Path):
    assert check_task(load_task(AMBIGQA, path="data/ambignq", split="dev")).passed
    with pytest.raises(InputError, match=r"the folder has no file for split train: train_light.json or train.json"):
        load_task(AMBIGQA, path="data/ambignq")
    with pytest.raises(InputError, match="is a file or a folder"):
        load_task(AMBIGQA, path="hub:sewon/ambig_qa")


def test_the_added_task_is_short():
    assert len(block(ADDING, "python", "ambigqa.py").text.splitlines()) <= 100


def test_the_page_of_tasks_runs(tmp_path: Path):
    run_page(TASKS_PAGE, tmp_path)
    assert len((tmp_path / "clinic.jsonl").read_text(encoding="utf-8").splitlines()) == 500


def test_the_printed_bayes_table_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]):
    assert main(["data", "bayes", "clinic", "--k", "3"]) == 0
    assert capsys.readouterr().out == block(TASKS_PAGE, "text").text


def test_every_task_is_listed():
    listed = re.findall(r"^\| `([\w-]+)` \| (?:either|inclusive|exclusive) \|", TASKS_PAGE.read_text(), re.MULTILINE)
    assert listed == TASKS.names()


def test_the_table_of_options_is_that_of_the_code():
    shown = dict(options_shown())
    options = {(task, each.name): each for task in TASKS.names() for each in fields(TASKS.find(task).options)}
    assert shown.keys() == options.keys()
    for place, each in options.items():
        assert written(each) in (shown[place], None), place


def options_shown() -> Iterator[tuple[tuple[str, str], str]]:
    """Each task's options with their defaults, as the page has them."""
    table = TASKS_PAGE.read_text(encoding="utf-8").split("| task | option | default | meaning |")[1].split("\n\n")[0]
    task = ""
    for row in table.strip().splitlines()[1:]:
        named, names, defaults = (cell.strip() for cell in row.split("|")[1:4])
        task = named.strip("`") or task
        each = names.split(", ")
        values = defaults.split(", ") if len(each) > 1 else [defaults]
        yield from (((task, name.strip("`")), value) for name, value in zip(each, values, strict=True))


def written(option: Field[Any]) -> str | None:
    """A default as the page writes it; None for one that depends on something else, which the page explains."""
    assert option.default is not MISSING
    if option.default is None:
        return None
    return f"`{option.default}`" if isinstance(option.default, str) else f"{option.default}".lower().removesuffix(".0")


def test_the_own_file_example_loads(tmp_path: Path):
    (tmp_path / "cases.jsonl").write_text(block(TASKS_PAGE, "json").text)
    (problem,) = load_task("jsonl", path=tmp_path / "cases.jsonl")
    assert problem.id == "t1"
