"""The published commands, run with stand-ins, train and ask as the archives record."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from results.rebuild import DOCS, HERE
from setwise.cli.eval import add_arguments
from setwise.config import read_recipe
from setwise.evaluation.methods import named_method
from setwise.records.run import RunFolder
from tests.stand_ins import standing_in

STAND_IN = f"""#!{sys.executable}
import json, os, sys
with open(os.environ["SAID"], "a") as said:
    said.write(json.dumps(sys.argv[1:]) + "\\n")
"""
COPIED = {"ddxplus-k/k3", "ddxplus-seed0-half/calibration-1"}
LEFT_OUT = "ddxplus-seed0-micro16"
"""The page says so."""
ENGINE_AND_PLACES = {"generation.backend", "run.folder", "run.save_every"}
BEFORE_THESE_OPTIONS = {"optimisation.calibration_warmup": 0, "optimisation.confidence_score": "brier"}
ALWAYS = {
    "task.name",
    "objective.name",
    "generation.prompts_per_step",
    "generation.group_size",
    "optimisation.steps",
    "optimisation.learning_rate",
    "optimisation.micro_batch",
    "run.seed",
}


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What `setwise` is called with by the page's block."""
    folder = tmp_path_factory.mktemp("commands")
    (folder / "recipes").symlink_to(HERE.parent / "recipes")
    nothing = "#!/bin/sh\n"
    path = standing_in({"setwise": STAND_IN, "python": nothing, "cp": nothing}, folder / "bin")
    page = (DOCS / "results" / "published-runs.md").read_text(encoding="utf-8")
    block = page.partition("## Commands")[2].partition("```sh\n")[2].partition("```")[0]
    said = folder / "said"
    environment = {**path, "SAID": str(said)}
    subprocess.run(["bash", "-euc", block], cwd=folder, env=environment, check=True, capture_output=True, timeout=120)
    return [json.loads(line) for line in said.read_text(encoding="utf-8").splitlines()]


def test_every_training_of_the_archives_is_made_by_the_commands(commands: list[list[str]], unpacked: dict[str, Path]):
    made = {}
    for arguments in (each for each in commands if each[0] == "train"):
        changes = [value for option, value in pairwise(arguments) if option == "--set"]
        recipe = read_recipe(HERE.parent / arguments[1], changes)
        archive, name = Path(recipe.run.folder).parts[1::2]
        made[f"{archive}/{name}"] = leaves(recipe.model_dump(mode="json"))
    configs = {
        f"{archive}/{run.name}": run / "config.yaml"
        for archive, folder in unpacked.items()
        for run in (folder / "train").iterdir()
    }
    published = {
        name: leaves(yaml.safe_load(config.read_text(encoding="utf-8")))
        for name, config in configs.items()
        if name not in COPIED and not name.startswith(f"{LEFT_OUT}/")
    }
    assert made.keys() == published.keys()
    for name, told in published.items():
        told = {**BEFORE_THESE_OPTIONS, **told}
        asked = {option: made[name][option] for option in told if option in made[name]}
        assert asked == {option: told[option] for option in asked}, name
        assert asked.keys() > ALWAYS
        assert made[name]["reward.weights"].get("calibration", 1) == weight_of_calibration(told)


def test_every_evaluation_of_the_archives_is_asked_by_the_commands(
    commands: list[list[str]], unpacked: dict[str, Path]
):
    made = dict(each for arguments in commands if arguments[0] == "eval" for each in asked(arguments[1:]))
    published = {
        f"{archive}/{run.name}": as_recorded(RunFolder(run))
        for archive, folder in unpacked.items()
        for run in (folder / "eval").glob("*")
        if f"{archive}/{run.name}" not in COPIED and archive != LEFT_OUT
    }
    assert {name: made.get(name) for name in published} == published


def asked(arguments: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """By archive and name: how a command asks."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    told = parser.parse_args(arguments)
    for method in told.method:
        name, _, samples = method.partition(":")
        out = told.out / name if len(told.method) > 1 else told.out
        yield (
            f"{out.parts[1]}/{out.name}",
            {
                "task": told.task,
                "split": told.split,
                "limit": told.limit,
                "method": name,
                "k": told.k,
                "samples": int(samples or named_method(name).samples),
                "temperature": told.temperature,
                "max_tokens": told.max_tokens,
            },
        )


def as_recorded(run: RunFolder) -> dict[str, Any]:
    config = json.loads(run.config.read_text(encoding="utf-8"))
    return {
        **{name: config["task"][name] for name in ("split", "limit")},
        "task": config["task"]["name"],
        "method": config["method"]["name"],
        **{name: config["method"][name] for name in ("k", "samples")},
        **{name: config["sampling"][name] for name in ("temperature", "max_tokens")},
    }


def leaves(tree: dict[str, Any]) -> dict[str, Any]:
    """By path, without a run's engine, which the page tells, and its places. Older records have fewer options."""
    return {
        f"{section}.{option}": value
        for section, options in tree.items()
        if isinstance(options, dict)
        for option, value in options.items()
        if f"{section}.{option}" not in ENGINE_AND_PLACES and not option.startswith("vllm")
    }


def weight_of_calibration(told: dict[str, Any]) -> float:
    """Under its old name or its new one."""
    return (told.get("reward.weights") or {}).get("calibration") or told.get("reward.calibration") or 1
