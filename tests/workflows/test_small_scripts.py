"""The scripts behind the published results, run whole on a made-up clinic with a tiny model."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from setwise.config import read_recipe
from setwise.objectives import OBJECTIVES, Objective
from setwise.tasks import load_task
from tests.tasks.made_up import patient, write_ddxplus

pytestmark = pytest.mark.slow

SCRIPTS = Path(__file__).parents[2] / "recipes" / "small"
ON_A_CPU = (
    "model.dtype=float32",
    "model.gradient_checkpointing=false",
    "generation.backend=transformers",
    "generation.vllm_cache_gb=null",
    "generation.prompts_per_step=2",
    "generation.group_size=2",
    "generation.max_completion_tokens=8",
    "optimisation.micro_batch=4",
    "optimisation.steps=1",
    "run.save_every=1",
)

EVERY_METHOD = {
    *OBJECTIVES,
    *("rlvr-zero-shot", "rlcr-zero-shot", "rlvr-single-prompted-multi", "rlcr-single-prompted-multi"),
    *("rlvr-single+prompt", "rlvr-single+continue", "rlvr-multi+prompt", "rlvr-multi+continue"),
}


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Patients to train on and to test on, and a model that knows their words."""
    pytest.importorskip("trl")
    from setwise.records.manifest import Lesson
    from setwise.training.warm_start.word_model import WordModelSize, build_word_model, task_words

    folder = tmp_path_factory.mktemp("clinic")
    for split in ("train", "test"):
        write_ddxplus(folder / "data", [patient(AGE=str(age)) for age in range(20, 26)], f"{split}.csv")
    task = load_task("ddxplus", path=folder / "data", split="train")
    lesson = Lesson(Objective("rlcr-multi", 4, regime=task.regime), "rlcr-multi")
    words = task_words(task, list(task), [lesson], "hm")
    build_word_model(words, folder / "model", WordModelSize(layers=1, hidden=16, heads=2))
    return folder


def run(script: str, clinic: Path, out: Path, *changes: str, **settings: str) -> str:
    command = [SCRIPTS / script, "ddxplus", clinic / "data", out, clinic / "model"]
    options = [part for setting in (*ON_A_CPU, *changes) for part in ("--set", setting)]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "ENGINE": "hf", "LIMIT": "2", "LANES": "2", **settings}
    done = subprocess.run([*command, *options], env=environment, capture_output=True, text=True, timeout=600)
    logs = "".join(log.read_text(encoding="utf-8") for log in (out / "logs").glob("*.log"))
    assert done.returncode == 0, done.stderr + logs
    return done.stdout


def evaluated(out: Path) -> dict[str, str]:
    return {path.parent.name: path.read_text(encoding="utf-8") for path in (out / "eval").glob("*/metrics.json")}


@pytest.mark.parametrize("recipe", ["rlvr-multi", "rlcr-multi-per-answer"])
def test_sets_of_several_sizes_are_trained_asked_for_and_reported(recipe: str, clinic: Path, tmp_path: Path):
    run("k-sweep.sh", clinic, tmp_path, KS="2 4", RECIPE=recipe)
    asked = {name: json.loads(metrics) for name, metrics in evaluated(tmp_path).items()}
    assert {name: (each["k"], each["method"]) for name, each in asked.items()} == {
        f"k{k}": (k, recipe.removesuffix("-per-answer")) for k in (2, 4)
    }
    report = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "### Coverage by K" in report
    assert "\n| K = 2 |" in report
    assert "\n| K = 4 |" in report


def test_the_table_holds_every_method_and_the_same_command_goes_on_where_it_stopped(clinic: Path, tmp_path: Path):
    run("table.sh", clinic, tmp_path)
    first = evaluated(tmp_path)
    assert first.keys() == EVERY_METHOD
    (tmp_path / "eval" / "rlcr-multi" / "metrics.json").unlink()
    run("table.sh", clinic, tmp_path)
    assert evaluated(tmp_path) == first


def test_every_seed_is_evaluated_once_and_of_its_training_the_weights_alone_go(clinic: Path, tmp_path: Path):
    wanted = {"RECIPES": "rlvr-multi-vpo rlcr-single-per-answer", "SEEDS": "0 1"}
    options = ("run.log_completions=true", "warm_start.steps=1", "warm_start.batch=2")
    run("seeds.sh", clinic, tmp_path, *options, **wanted)
    first = evaluated(tmp_path)
    told = {name: json.loads(metrics) for name, metrics in first.items()}
    methods = {
        "rlvr-multi-vpo": "rlvr-multi",
        "rlvr-multi+prompt-vpo": "rlvr-multi+prompt",
        "rlcr-single-per-answer": "rlcr-single",
    }
    assert {name: each["method"] for name, each in told.items()} == {
        f"{name}-seed{seed}": method for name, method in methods.items() for seed in (0, 1)
    }
    trained = sorted((tmp_path / "train").iterdir())
    assert [read_recipe(each / "config.yaml").run.seed for each in trained] == [0, 1, 0, 1]
    for each in trained:
        assert (each / "log.jsonl").is_file()
        assert [*each.glob("checkpoints/completions/*.parquet")]
        assert not [*each.rglob("*.safetensors"), *each.glob("warm-start"), *each.glob("checkpoints/checkpoint-*")]
    run("seeds.sh", clinic, tmp_path, *options, **wanted)
    assert evaluated(tmp_path) == first
