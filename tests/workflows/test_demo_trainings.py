"""Credit per answer in the demo: the paper's recipe but for the credit, asked as the paper's is."""

from pathlib import Path
from typing import Any

import pytest

from setwise.config import read_recipe
from setwise.evaluation.methods import METHODS
from setwise.models import Completion, Sampling
from setwise.models.scripted import ScriptedModel
from setwise.objectives import OBJECTIVES
from setwise.records.run import RunFolder
from setwise.tasks import load_task
from setwise.workflows.demo import stages
from setwise.workflows.demo.findings import CLAIMS, CONFIDENT, SEEN
from setwise.workflows.demo.stages import EXAMINED, Examination, examine_one
from setwise.workflows.demo.trainings import LONGEST_FIRST, PER_ANSWER, TRAININGS

RECIPES = Path(__file__).parents[2] / "recipes" / "demo"


def recipe(name: str) -> dict[str, Any]:
    return read_recipe(RECIPES / f"{name}.yaml").to_plain()


def differing(first: dict[str, Any], second: dict[str, Any], under: str = "") -> dict[str, Any]:
    """The settings of `second` that are not those of `first`, by their path."""
    found = {}
    for key in first.keys() | second.keys():
        own, other = first.get(key), second.get(key)
        if isinstance(own, dict) and isinstance(other, dict):
            found |= differing(own, other, f"{under}{key}.")
        elif own != other:
            found[f"{under}{key}"] = other
    return found


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("rlvr-multi-per-answer", {"optimisation.credit": "answer"}),
        (
            "rlcr-multi-per-answer",
            {
                "optimisation.credit": "answer",
                "optimisation.confidence_entropy_bonus": 0.16,
                "reward.weights.calibration": 2.0,
            },
        ),
    ],
)
def test_the_recipes_with_credit_per_answer_differ_in_the_credit_alone(name: str, changed: dict[str, Any]):
    folder = {"run.folder": f"runs/demo/train/{name}"}
    assert differing(recipe(PER_ANSWER[name]), recipe(name)) == folder | changed


def test_the_demo_runs_every_recipe_of_its_folder():
    own = {path.stem for path in RECIPES.glob("*.yaml")} - {"_base"}
    assert own == set(TRAININGS) == set(LONGEST_FIRST) == set(SEEN)
    assert len(LONGEST_FIRST) == len(TRAININGS)


def test_every_row_is_of_a_known_method_and_every_sentence_of_rows():
    assert {PER_ANSWER.get(name, name) for name in EXAMINED} <= METHODS.keys()
    assert {name for claim in CLAIMS for name in (claim.first, claim.second)} | CONFIDENT.keys() <= set(EXAMINED)


@pytest.mark.parametrize(
    ("row", "trained", "method"),
    [
        ("rlcr-multi", "rlcr-multi", "rlcr-multi"),
        ("rlcr-multi-per-answer", "rlcr-multi-per-answer", "rlcr-multi"),
        ("rlvr-multi-per-answer", "rlvr-multi-per-answer", "rlvr-multi"),
        ("rlvr-zero-shot", "base", "rlvr-zero-shot"),
    ],
)
def test_each_row_asks_its_own_model_by_the_method_it_is_compared_in(
    row: str, trained: str, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    task = load_task("clinic", split="test", limit=2, seed=0)
    opened: list[str] = []

    def script(spec: str, **_: object) -> ScriptedModel:
        opened.append(spec)
        return ScriptedModel({problem.id: [Completion("nothing", "stop", 1)] for problem in task}, spec)

    monkeypatch.setattr(stages, "open_model", script)
    plan = Examination(
        task=task,
        prompts={name: f"Answer as {name}." for name in OBJECTIVES},
        models={name: tmp_path / name for name in ("base", *TRAININGS)},
        folder=tmp_path / "eval",
        sampling=Sampling(),
        seed=0,
        resamples=10,
    )
    folder, found = examine_one(plan, row)
    assert found.value == 0
    assert opened == [f"hf:{tmp_path / trained}"]
    assert folder == tmp_path / "eval" / row
    assert RunFolder(folder).read_config().method.name == method
