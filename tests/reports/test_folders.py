"""What a report reads of the folder of a training."""

import json
import shutil
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.reports.folders import read_training
from tests.reports.made_up import make_training_log


def test_a_training_log_is_read_up_to_its_last_whole_line(tmp_path: Path):
    training = read_training(make_training_log(tmp_path / "train", 4, steps=7), "train")
    assert training is not None
    assert (training.objective, training.k) == ("rlvr-multi", 4)
    assert [step["step"] for step in training.steps] == list(range(1, 8))
    assert [alarm.step for alarm in training.alarms] == [12]


@pytest.mark.parametrize("content", [b"objective: {name: [", b"objective: \xff\xfe"])
def test_a_recipe_that_cannot_be_read_is_named(tmp_path: Path, content: bytes):
    pytest.importorskip("yaml")
    folder = make_training_log(tmp_path / "train", 4)
    shutil.rmtree(folder / "model")
    (folder / "config.yaml").write_bytes(content)
    with pytest.raises(InputError, match=r"config\.yaml: the file must be readable YAML \(.*\)$"):
        read_training(folder, "train")


def test_an_unfinished_training_run_says_what_it_trains_in_its_recipe(tmp_path: Path):
    pytest.importorskip("yaml")
    folder = make_training_log(tmp_path / "train", 4)
    shutil.rmtree(folder / "model")
    (folder / "config.yaml").write_text("objective: {name: rlcr-multi, k: null}\n", encoding="utf-8")
    training = read_training(folder, "train")
    assert training is not None
    assert (training.objective, training.k) == ("rlcr-multi", 3)


def test_a_training_log_of_version_1_is_read_under_the_names_of_the_metrics(tmp_path: Path):
    folder = make_training_log(tmp_path / "train", 4, steps=1)
    line = {"schema": 1, "step": 2, "reward": 1.5, "set/coverage": 0.5, "set/distinct": 2, "parse/valid": 0.9}
    (folder / "log.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    training = read_training(folder, "train")
    assert training is not None
    assert training.steps == [{"step": 2, "reward": 1.5, "coverage": 0.5, "uniqueness": 2, "strictly_valid": 0.9}]
