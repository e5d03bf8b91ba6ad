"""`setwise warm-start`: one start for several recipes, which can be asked for each of their formats."""

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from setwise.cli import main, warm_start
from setwise.errors import InputError
from setwise.records.holding import held
from setwise.records.manifest import Manifest
from setwise.tasks import load_task
from setwise.training import small_model

OPTIONS = {"conditions": 4, "findings": 4, "seen": 1.0}


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blank") / "model"
    small_model(load_task("clinic", limit=64, **OPTIONS), folder)
    return folder


def recipe(folder: Path, name: str, blank: Path, **changes: object) -> str:
    sections = {
        "task": {"name": "clinic", "limit": 64, "options": OPTIONS},
        "model": {"path": str(blank), "dtype": "float32", "gradient_checkpointing": False},
        "objective": {"name": name},
        "warm_start": {"steps": 2, "batch": 8},
        "run": {"folder": str(folder / "run")},
        **changes,
    }
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(sections), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    warm_start.add_arguments(parser)
    return warm_start.run(parser.parse_args(arguments))


def test_one_model_is_taught_the_formats_of_all_recipes(
    tmp_path: Path, blank: Path, capsys: pytest.CaptureFixture[str]
):
    names = ("rlvr-single", "rlcr-multi")
    recipes = [recipe(tmp_path, name, blank) for name in names]
    out = tmp_path / "start"
    assert main(["warm-start", *recipes, recipes[0], "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert str(out) in said.out
    steps = re.findall(r"^warm start: step (\d+)/2  loss [\d.]+$", said.err, re.MULTILINE)
    assert steps == ["1", "2"]
    manifest = Manifest.read(out)
    assert manifest is not None
    assert [lesson.objective.name for lesson in manifest.taught] == list(names)
    written = (out / "model.safetensors").stat().st_mtime_ns
    assert run(*recipes, "--out", str(out)) == 0
    assert (out / "model.safetensors").stat().st_mtime_ns == written


def test_a_finished_start_is_not_taken_for_one_that_was_made_otherwise(tmp_path: Path, blank: Path):
    out, prompt = tmp_path / "start", tmp_path / "prompt.txt"
    prompt.write_text("Answer.")

    def teach(name: str = "rlcr-multi", seed: int = 0, **warm_start: object) -> None:
        sections = {
            "objective": {"name": name, "prompt": str(prompt)},
            "warm_start": {"steps": 1, "batch": 8, **warm_start},
            "run": {"folder": str(tmp_path / "run"), "seed": seed},
        }
        run(recipe(tmp_path, name, blank, **sections), "--out", str(out))

    def refused(**changes: Any) -> str:
        with pytest.raises(
            InputError, match=rf"^{out}: .* made otherwise: .*; undo the change, or choose another"
        ) as said:
            teach(**changes)
        return str(said.value)

    teach()
    teach()
    assert "otherwise: steps was 1, is 3; undo" in refused(steps=3)
    assert "otherwise: seed was 0, is 1; undo" in refused(seed=1)
    assert 'taught.1.objective was "rlcr-multi", is "rlvr-multi"' in refused(name="rlvr-multi")
    prompt.write_text("Reply.")
    assert 'otherwise: taught.1.prompt was "Answer.", is "Reply."; undo' in refused()
    made = Manifest.read(out)
    assert made is not None
    replace(made, notes={"warm_start": {"imitation": 0.0, "steps": 1}}).write(out)
    teach()
    assert "otherwise: steps was 1, is 3; undo" in refused(steps=3)
    replace(made, stage="trained", notes={}).write(out)
    assert 'otherwise: stage was "trained", is "warm-start"; undo' in refused()


def test_two_commands_do_not_teach_into_one_folder(tmp_path: Path, blank: Path):
    out = tmp_path / "start"
    with held(out), pytest.raises(InputError, match=f"^{out}: another process is writing here"):
        run(recipe(tmp_path, "rlvr-single", blank), "--out", str(out))
    assert not any(out.iterdir())


def test_recipes_that_differ_in_what_they_share_are_refused(tmp_path: Path, blank: Path):
    first = recipe(tmp_path, "rlvr-single", blank)
    other = recipe(tmp_path, "rlcr-multi", blank, warm_start={"steps": 3, "batch": 8})
    with pytest.raises(InputError, match="rlcr-multi: recipes that start from one model need the same warm_start"):
        run(first, other, "--out", str(tmp_path / "start"))
    assert not (tmp_path / "start").exists()


def test_recipes_without_a_warm_start_are_told_how_to_ask_for_one(tmp_path: Path, blank: Path):
    plain = recipe(tmp_path, "rlvr-single", blank, warm_start=None)
    with pytest.raises(InputError, match=r"no warm_start section.*--set warm_start\.steps=200"):
        run(plain, "--out", str(tmp_path / "start"))
