"""What a run folder lets a run come back to, and what it refuses."""

from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.records.manifest import Manifest
from setwise.records.run import differences
from setwise.training.run.folder import TrainingFolder


def test_a_changed_recipe_is_refused_with_the_difference(tmp_path: Path):
    folder = TrainingFolder(tmp_path / "run")
    folder.open({"optimisation": {"learning_rate": 1e-6}, "run": {"tracker": "none"}})
    folder.log.add_step(1, {})
    folder.open({"optimisation": {"learning_rate": 1e-6}, "run": {"tracker": "wandb"}})
    with pytest.raises(InputError, match=r"optimisation\.learning_rate was 1e-06, is 2e-06"):
        folder.open({"optimisation": {"learning_rate": 2e-6}, "run": {"tracker": "none"}})


def test_a_run_resumes_under_a_version_with_more_options(tmp_path: Path):
    folder = TrainingFolder(tmp_path / "run")
    folder.open({"optimisation": {"learning_rate": 1e-6}, "warm_start": None})
    folder.log.add_step(1, {})
    folder.open({"optimisation": {"learning_rate": 1e-6, "decay_fraction": 0.0}, "warm_start": None})
    with pytest.raises(InputError, match=r"recipe: optimisation\.decay_fraction was 0\.0, is 0\.25; undo"):
        folder.open({"optimisation": {"learning_rate": 1e-6, "decay_fraction": 0.25}, "warm_start": None})


def test_a_start_that_failed_binds_nobody(tmp_path: Path):
    folder = TrainingFolder(tmp_path / "run")
    folder.open({"model": {"path": "nope"}})
    folder.checkpoints.mkdir()
    folder.warm_start.mkdir()
    folder.open({"model": {"path": "right"}})
    Manifest().write(folder.warm_start)
    with pytest.raises(InputError, match=r'model\.path was "right", is "nope"'):
        folder.open({"model": {"path": "nope"}})


def test_a_folder_of_something_else_is_not_taken_over(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds other files and no config\.yaml"):
        TrainingFolder(tmp_path).open({})


def test_an_option_that_came_or_went_is_a_difference():
    assert differences({"a": {"b": 1}}, {"a": {"c": 2}}) == ["a.b was 1, is null", "a.c was null, is 2"]


def test_a_checkpoint_cut_off_while_it_was_written_is_not_resumed_from(tmp_path: Path):
    folder = TrainingFolder(tmp_path)
    for step in (2, 10, 12):
        (folder.checkpoints / f"checkpoint-{step}").mkdir(parents=True)
    for step in (2, 10):
        Manifest().write(folder.checkpoints / f"checkpoint-{step}")
    assert folder.latest_checkpoint() == folder.checkpoints / "checkpoint-10"
    folder.remove_incomplete()
    assert not (folder.checkpoints / "checkpoint-12").exists()


def test_the_log_of_a_killed_run_is_cut_back_to_its_checkpoint(tmp_path: Path):
    folder = TrainingFolder(tmp_path)
    for step in (1, 2, 3):
        folder.log.add_step(step, {})
    with (tmp_path / "log.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"step": 4, "rew')
    assert [record["step"] for record in folder.log.forget_after(2)] == [1, 2]
    assert [record["step"] for record in folder.log.forget_after(9)] == [1, 2]
