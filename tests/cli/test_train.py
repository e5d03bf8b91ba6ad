"""`setwise train`: bad input is one line before anything is loaded; a dry run says what a run will cost."""

import argparse
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from setwise.cli import train
from setwise.errors import InputError, MissingDependency

RECIPE = {
    "task": {"name": "clinic", "limit": 96},
    "model": {"path": "Qwen/Qwen3-8B"},
    "objective": {"name": "rlcr-multi"},
    "run": {"folder": "runs/x"},
}
SMALL = ("--set", "model.path=Made/Up-1M")
"""Fits on any disk."""


def run(folder: Path, *arguments: str, **sections: object) -> int:
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump({**RECIPE, **sections}), encoding="utf-8")
    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    return train.run(parser.parse_args([str(path), *arguments]))


def test_a_dry_run_prints_the_recipe_and_its_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(tmp_path, "--dry-run", "--processes", "8") == 0
    said = capsys.readouterr().out
    resolved = yaml.safe_load(said[: said.index("\n\nThe run")])
    assert resolved["generation"]["group_size"] == 32
    for row in (
        "effective batch (completions per step)      1,536",
        "optimizer steps                                 2",
    ):
        assert row in said
    assert "tokens per step" in said
    assert "sharded" in said
    assert "Disk, about\n" in said


def test_a_dry_run_writes_nothing(tmp_path: Path):
    run(tmp_path, "--dry-run", run={"folder": str(tmp_path / "run")})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("objective.k=11", "objective.k must not exceed the 10 answers that task clinic knows, got 11"),
        ("optimisation.micro_batch=5", "optimisation.micro_batch must divide the 1536 completions"),
        ("model.path=./not/here", "model.path ./not/here: there is no model folder here"),
        ("generation.prompts_per_step=100", "the task has 96 problems, fewer than one step needs"),
        ("run.save_every=3", "run.save_every must be a multiple of generation.updates_per_generation (2)"),
    ],
)
def test_what_cannot_run_is_refused_in_one_line(tmp_path: Path, change: str, said: str):
    with pytest.raises(InputError) as caught:
        run(tmp_path, "--set", "generation.updates_per_generation=2", "--set", "run.save_every=4", "--set", change)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("objective.k=0", "k must be a whole number from 1 to 1000, got 0"),
        ("objective.name=rlvr", "an objective is one of"),
        ("task.name=clinics", 'a task of this name is not known, got "clinics"; did you mean clinic?'),
        ("task.limit=0", "limit must be a whole number of at least 1, got 0"),
        ("reward.preset=papers", "a reward preset is one of"),
        ("optimisation.micro_batch=5", "optimisation.micro_batch must divide"),
    ],
)
def test_a_mistake_in_a_recipe_is_told_with_the_recipes_name(tmp_path: Path, change: str, said: str):
    with pytest.raises(InputError) as caught:
        run(tmp_path, "--dry-run", "--set", change)
    assert str(caught.value).startswith(f"{tmp_path / 'recipe.yaml'}: {said}")


@pytest.mark.parametrize("count", ["0", "-2"])
def test_less_than_one_process_is_refused(tmp_path: Path, count: str):
    with pytest.raises(InputError, match=f"--processes: must be a whole number of at least 1, got {count}"):
        run(tmp_path, "--dry-run", "--processes", count)


def test_processes_that_would_split_a_group_are_refused(tmp_path: Path):
    with pytest.raises(InputError, match="48 prompts_per_step cannot be shared by 7 processes"):
        run(tmp_path, "--dry-run", "--processes", "7")


def test_a_task_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match=r"none\.jsonl"):
        run(tmp_path, task={"name": "jsonl", "path": str(tmp_path / "none.jsonl")})


def test_missing_vllm_is_answered_with_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("setwise.training.rollout.engines.find_spec", lambda name: None if name == "vllm" else object())
    with pytest.raises(MissingDependency, match=r"needs vllm: pip install 'setwise\[vllm\]'"):
        run(tmp_path, "--set", "generation.backend=vllm")


def test_a_format_weight_below_the_calibration_weight_is_warned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ("--dry-run", *SMALL, "--set", "model.dtype=float32", "--set", "reward.weights.format=0.2")
    run(tmp_path, *words)
    assert "can be worth less than an invalid one" in capsys.readouterr().err
    run(tmp_path, *words, "--set", "objective.name=rlvr-multi")
    assert capsys.readouterr().err == ""


def test_a_dry_run_says_what_this_machine_cannot_compute_in_and_training_refuses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("trl")
    monkeypatch.setattr("transformers.utils.import_utils.is_torch_bf16_gpu_available", lambda: False)
    monkeypatch.setattr("transformers.utils.import_utils.is_torch_xla_available", lambda: False)
    said = "model.dtype: no GPU of this machine computes in bfloat16; set model.dtype=float32"
    assert run(tmp_path, "--dry-run", *SMALL) == 0
    assert capsys.readouterr().err == f"setwise: warning: {said}, or train on another machine\n"
    with pytest.raises(InputError, match=said):
        run(tmp_path)


def test_reading_a_recipe_and_refusing_it_loads_nothing_heavy():
    program = (
        "import sys, setwise.cli.train, setwise.config; "
        "print([name for name in ('torch', 'transformers', 'trl', 'datasets', 'vllm') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
