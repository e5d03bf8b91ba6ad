"""Recipes: what is read, what is refused, and that every YAML file shipped is one."""

from pathlib import Path

import pytest
import yaml

from setwise.config import Recipe, read_recipe, recipe_from
from setwise.errors import ConfigError
from setwise.objectives import Regime

RECIPES = Path(__file__).parents[1] / "recipes"
SMALLEST = {
    "task": {"name": "clinic"},
    "model": {"path": "some/model"},
    "objective": {"name": "rlvr-multi"},
    "run": {"folder": "runs/x"},
}
SHIPPED = [path for path in sorted(RECIPES.rglob("*.yaml")) if path.parent.name != "accelerate"]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def recipe_file(folder: Path, **sections: object) -> Path:
    return write(folder / "train.yaml", yaml.safe_dump({**SMALLEST, **sections}))


def complaint(tree: dict[str, object]) -> str:
    with pytest.raises(ConfigError) as caught:
        recipe_from({**SMALLEST, **tree}, place="train.yaml")
    return str(caught.value)


def test_a_recipe_needs_little_and_takes_the_papers_numbers_for_the_rest():
    recipe = recipe_from(SMALLEST)
    assert recipe.generation.completions_per_step == 1536
    assert recipe.optimisation.learning_rate == 1e-6
    assert (recipe.optimisation.loss, recipe.optimisation.divide_by_std) == ("bnpo", False)


def test_a_misspelt_key_is_answered_with_the_right_one():
    said = complaint({"reward": {"calibraton": 1.0}})
    assert said == "train.yaml: reward.calibraton is not an option; did you mean reward.weights.calibration?"


def test_a_misspelt_key_of_a_nested_section_is_found_too():
    said = complaint({"model": {"path": "x", "lora": {"rnk": 4}}})
    assert "model.lora.rnk is not an option; did you mean model.lora.rank?" in said


def test_a_key_in_the_wrong_section_is_sent_to_the_right_one():
    assert "did you mean generation.temperature?" in complaint({"optimisation": {"temperature": 1}})


@pytest.mark.parametrize(
    ("section", "rule"),
    [
        ({"generation": {"group_size": 1}}, "generation: group_size must be at least 2, got 1"),
        ({"generation": {"backend": "vlm"}}, "generation.backend"),
        (
            {"generation": {"server_url": "http://h:99999"}},
            "generation: server_url: a base URL is http(s)://host[:port][/path] (Port out of range 0-65535), got",
        ),
        ({"optimisation": {"learning_rate": 0}}, "learning_rate must be a number above 0"),
        ({"optimisation": {"steps": "many"}}, "optimisation.steps"),
        ({"optimisation": {"steps": True}}, "optimisation.steps must be a number, got true"),
        ({"model": {"path": "x", "lora": {"dropout": False}}}, "model.lora.dropout must be a number, got false"),
        ({"run": {}}, "run.folder must be given"),
        ({"run": {"folder": "x", "keep_checkpoints": 1}}, "keep_checkpoints must be at least 2"),
        ({"reward": []}, "reward is a section of options"),
        ({"reward": {"weights": {"format": -1}}}, "reward.weights.format"),
        ({"reward": {"weights": {"format": True}}}, "reward.weights.format must be a number, got true"),
        ({"warm_start": {"imitation": 2}}, "imitation must lie between 0 and 1"),
        (
            {"task": {"name": "clinic", "options": {"split": "test"}}},
            "task.options: split is not one of the task's own; set task.split",
        ),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_rule(section: dict[str, object], rule: str):
    said = complaint(section)
    assert said.startswith("train.yaml: ")
    assert rule in said
    assert "\n" not in said


def test_a_change_on_the_command_line_wins_over_the_file(tmp_path: Path):
    path = recipe_file(tmp_path, optimisation={"learning_rate": 1e-6, "steps": 7})
    recipe = read_recipe(path, ["optimisation.learning_rate=3e-5", "model.lora.rank=4", "task.options={seen: 0.7}"])
    assert (recipe.optimisation.learning_rate, recipe.optimisation.steps) == (3e-5, 7)
    assert recipe.model.lora is not None
    assert recipe.model.lora.rank == 4
    assert recipe.task.options == {"seen": 0.7}


def test_a_change_without_an_equals_sign_is_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match=r"a change is written a\.b=c"):
        read_recipe(recipe_file(tmp_path), ["run.seed"])


def test_a_recipe_may_extend_another_key_by_key(tmp_path: Path):
    recipe_file(tmp_path, optimisation={"learning_rate": 1e-5, "steps": 9})
    above = write(tmp_path / "above.yaml", "extends: train.yaml\noptimisation: {steps: 3}\n")
    assert (read_recipe(above).optimisation.learning_rate, read_recipe(above).optimisation.steps) == (1e-5, 3)


def test_a_recipe_that_extends_itself_is_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match="cannot extend itself"):
        read_recipe(write(tmp_path / "a.yaml", "extends: a.yaml\n"))


def test_a_prompt_file_lies_beside_the_recipe_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "below").mkdir()
    (tmp_path / "elsewhere").mkdir()
    recipe_file(tmp_path / "below", objective={"name": "rlvr-multi", "prompt": "p.txt"})
    above = write(tmp_path / "above.yaml", "extends: below/train.yaml\n")
    monkeypatch.chdir(tmp_path / "elsewhere")
    write(Path("p.txt"), "in the working directory")
    assert read_recipe(above).objective.read_prompt() == "in the working directory"
    write(tmp_path / "below" / "p.txt", "beside the recipe")
    assert read_recipe(above).objective.read_prompt() == "beside the recipe"
    assert read_recipe(above, ["objective.prompt=p.txt"]).objective.read_prompt() == "in the working directory"


def test_a_key_given_twice_is_refused_with_its_line(tmp_path: Path):
    path = write(tmp_path / "twice.yaml", "task: {name: clinic}\nrun:\n  seed: 1\n  seed: 2\n")
    with pytest.raises(ConfigError, match=r"twice.yaml:3: not valid YAML \(seed is given twice\)"):
        read_recipe(path)


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b"a: " + b"[" * 3000 + b"]" * 3000, ":1: not valid YAML (more than 50 levels deep)"),
        (b"{a: " * 3000 + b"1" + b"}" * 3000, ":1: not valid YAML (more than 50 levels deep)"),
        (b"task: &a\n  options: *a\n", ":1: not valid YAML (more than 50 levels deep)"),
        (BOMB.encode(), "not valid YAML (more than 10,000 values, aliases read out)"),
        (b"a: 1\nb: \0c\n", ":2: not valid YAML (the character U+0000 is not allowed)"),
        (b'a: 1\nextends: "b\\0c"\n', ":2: not valid YAML (a text must not hold a NUL character)"),
        (b"a: 1\nb: \xe9\n", ":2: a recipe must be UTF-8 (invalid continuation byte at byte 8); save the"),
        (b"a:\n\tb: 1\n", ":2: not valid YAML (found character '\\t' that cannot start any token)"),
        (b"a: 2020-13-01\n", ':1: not valid YAML ("2020-13-01" cannot be read as timestamp)'),
        (b"a: " + b"1" * 5000, "cannot be read as int)"),
        (b'"a\\nb": 1\n', ": a b is not an option"),
    ],
    ids=["lists", "maps", "itself", "bomb", "NUL", "escaped NUL", "Latin-1", "tab", "date", "digits", "line end"],
)
def test_yaml_that_cannot_be_a_recipe_is_one_line_with_its_place(tmp_path: Path, written: bytes, said: str):
    path = tmp_path / "train.yaml"
    path.write_bytes(written)
    with pytest.raises(ConfigError) as caught:
        read_recipe(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_change_that_is_no_yaml_is_one_line_too(tmp_path: Path):
    with pytest.raises(ConfigError, match=r"--set run: the value is not valid YAML \(more than 50 levels deep\)"):
        read_recipe(recipe_file(tmp_path), ["run=" + "[" * 3000])


def test_an_alias_of_modest_size_is_read(tmp_path: Path):
    text = yaml.safe_dump(SMALLEST) + "warm_start: &steps {steps: 7}\noptimisation: *steps\n"
    assert read_recipe(write(tmp_path / "train.yaml", text)).optimisation.steps == 7


def test_a_recipe_that_is_not_there_is_one_line(tmp_path: Path):
    with pytest.raises(ConfigError, match="the recipe cannot be read"):
        read_recipe(tmp_path / "none.yaml")


def test_weights_of_a_recipe_replace_those_of_its_preset():
    preset = recipe_from({**SMALLEST, "reward": {"weights": {"calibration": 0.5}}}).reward.build()
    assert not isinstance(preset, str)
    assert preset.weights == {"format": 1.0, "correctness": 1.0, "calibration": 0.5}


def test_a_resolved_recipe_reads_back_as_itself():
    recipe = recipe_from({**SMALLEST, "model": {"path": "x", "lora": {"rank": 2}}})
    assert recipe_from(recipe.to_plain()) == recipe


@pytest.mark.parametrize("path", [path for path in SHIPPED if not path.name.startswith("_")], ids=str)
def test_every_shipped_recipe_is_one(path: Path):
    recipe = read_recipe(path)
    assert isinstance(recipe, Recipe)
    recipe.objective.read_prompt()
    objective = recipe.objective.build(Regime.INCLUSIVE, recipe.reward.build())
    assert objective.name in path.stem or path.stem in objective.name


def test_the_papers_recipes_are_three_datasets_by_four_objectives_with_its_numbers():
    recipes = [read_recipe(path) for path in SHIPPED if path.parts[-3] == "paper"]
    assert len({(r.task.name, r.objective.name) for r in recipes}) == 12
    for recipe in recipes:
        generation, optimisation = recipe.generation, recipe.optimisation
        assert (generation.completions_per_step, generation.group_size, generation.temperature) == (1536, 32, 0.7)
        assert (generation.max_completion_tokens, recipe.model.path) == (1536, "Qwen/Qwen3-8B")
        assert (optimisation.learning_rate, optimisation.warmup_fraction, optimisation.epochs) == (1e-6, 0.05, 1)
        assert (optimisation.loss, optimisation.divide_by_std, optimisation.kl_weight) == ("bnpo", False, 0)


@pytest.mark.parametrize("path", sorted((RECIPES / "accelerate").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_accelerate_config_is_understood_by_accelerate(path: Path):
    config = pytest.importorskip("accelerate.commands.config.config_args")
    known = config.load_config_from_file(str(path))
    assert known.num_processes == yaml.safe_load(path.read_text(encoding="utf-8"))["num_processes"]
