"""Which split an evaluation asks, and what it says about it."""

import json
from pathlib import Path

import pytest

from setwise.tasks import TASKS, TaskKind
from setwise.tasks.clinic import open_task
from setwise.tasks.splits import AskedSplit, split_to_ask


def asked(task: str, path: Path | str | None = None, wished: str | None = None) -> AskedSplit:
    return split_to_ask(TASKS.find(task), None if path is None else str(path), wished)


def touch(folder: Path, *names: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).touch()
    return folder


@pytest.mark.parametrize("task", ["clinic", "mbpp", "ddxplus"])
def test_the_test_split_is_asked_unless_another_is_wished(task: str):
    assert asked(task) == AskedSplit("test", "asking split test")
    assert asked(task, wished="train") == AskedSplit("train", "asking split train")


@pytest.mark.parametrize(
    ("task", "files", "split"),
    [
        ("jsonl", ("train.jsonl", "test.csv"), "test"),
        ("jsonl", ("train.jsonl", "dev.jsonl", "notes.json"), "dev"),
        ("jsonl", ("train.parquet",), "train"),
        ("hotpotqa-modified", ("train.json", "test.json"), "test"),
        ("hotpotqa-modified", ("hotpot_train_v1.1.json", "hotpot_dev_distractor_v1.json"), "validation"),
        ("ddxplus", ("train.csv", "test.csv"), "test"),
        ("ddxplus", ("release_train_patients.zip", "validate.csv"), "validate"),
    ],
)
def test_of_a_folder_the_nearest_thing_to_a_test_split_is_asked(
    task: str, files: tuple[str, ...], split: str, tmp_path: Path
):
    folder = touch(tmp_path / "data", *files)
    found = asked(task, folder)
    assert found.split == split
    if split != "test":
        assert found.note.startswith(f"asking split {split}: {folder} has no test split, only ")
        assert found.note.endswith("; --split chooses another")
        assert "notes" not in found.note


@pytest.mark.parametrize(
    ("task", "file", "split"),
    [("jsonl", "cases.jsonl", None), ("ddxplus", "train.csv", "train"), ("ddxplus", "mine.csv", None)],
)
def test_a_file_is_asked_as_what_it_is(task: str, file: str, split: str | None, tmp_path: Path):
    path = touch(tmp_path, file) / file
    found = asked(task, path)
    assert found.split == split
    if split is None:
        assert found.note == f"asking all of {path}, a file without splits"


def test_the_hub_has_no_test_split_of_hotpotqa():
    assert asked("hotpotqa-modified", "hub:hotpotqa/hotpot_qa").split == "validation"


def test_a_task_of_another_package_needs_to_say_no_more_than_its_splits():
    kind = TaskKind("questions", open_task, ("train", "dev"))
    assert split_to_ask(kind, None, None) == AskedSplit(
        "dev", "asking split dev: the task has no test split, only train, dev; --split chooses another"
    )


def test_every_split_that_is_chosen_can_be_read(tmp_path: Path):
    row = json.dumps({"question": "?", "golds": ["x"]}) + "\n"
    for name in ("train", "val"):
        (tmp_path / f"{name}.jsonl").write_text(row * (2 if name == "train" else 1))
    from setwise.tasks import load_task

    chosen = asked("jsonl", tmp_path).split
    assert chosen == "val"
    assert len(list(load_task("jsonl", path=tmp_path, split=chosen))) == 1
