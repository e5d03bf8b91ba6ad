"""Recipes by their names in the repository, from any folder."""

from pathlib import Path

import pytest

from setwise.config import read_recipe
from setwise.config.shipped import recipe_file, shipped_recipes
from setwise.errors import ConfigError

NAMED = "recipes/demo/rlcr-multi.yaml"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "path", [path for path in sorted(shipped_recipes().rglob("*.yaml")) if "accelerate" not in path.parts], ids=str
)
def test_every_shipped_recipe_is_found_by_its_name(path: Path):
    named = Path("recipes") / path.relative_to(shipped_recipes())
    assert recipe_file(named) == path


def test_a_shipped_recipe_brings_its_base_and_its_prompt():
    recipe = read_recipe(NAMED)
    assert recipe.optimisation.steps == 80
    assert recipe.objective.read_prompt() == "rlcr-multi\n"


def test_a_file_of_ones_own_comes_before_a_shipped_one():
    Path(NAMED).parent.mkdir(parents=True)
    Path(NAMED).write_text(
        "task: {name: clinic}\nmodel: {path: mine}\nobjective: {name: rlvr-single}\nrun: {folder: runs/x}\n"
    )
    assert read_recipe(NAMED).model.path == "mine"


@pytest.mark.parametrize("name", ["recipes/demo/rlcr-mutli.yaml", "./mine/rlcr-mutli.yml"])
def test_a_misspelt_recipe_is_answered_with_the_nearest(name: str):
    Path("mine").mkdir()
    Path("mine/rlcr-multi.yaml").touch()
    with pytest.raises(ConfigError, match=r"there is no such recipe; did you mean (recipes/demo|mine)/rlcr-multi.yaml"):
        read_recipe(name)


@pytest.mark.parametrize("name", ["recipes/demo/nothing.yaml", "demo/rlcr-multi.yaml", "recipes/../../etc/passwd"])
def test_a_name_that_is_not_shipped_is_a_missing_file(name: str):
    with pytest.raises(ConfigError, match=r"^" + name.replace(".", r"\.") + ": the recipe cannot be read"):
        read_recipe(name)
