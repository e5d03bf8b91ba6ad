"""What docs/how-to/engines.md and docs/how-to/scale.md say is so."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest
import yaml

from setwise.adapters.engines import ENGINES
from setwise.cli import main
from setwise.config import read_recipe
from tests.tasks.made_up import real

ROOT = Path(__file__).parents[2]
ADAPTERS, SCALING = ((ROOT / "docs" / name).read_text() for name in ("how-to/engines.md", "how-to/scale.md"))
QWEN3_8B = {
    "hidden_size": 4096,
    "num_hidden_layers": 36,
    "vocab_size": 151936,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 12288,
    "tie_word_embeddings": False,
}


def test_the_example_prints_what_it_says() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", ADAPTERS, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block, {})
    assert f"# {printed.getvalue().strip()}" in block


def test_every_engine_and_every_hook_is_in_the_docs() -> None:
    for engine, module in ENGINES.items():
        assert re.search(rf"export [\w|-]*\b{engine}\b", ADAPTERS), engine
        assert module in ADAPTERS or engine in ("verl", "openrlhf"), module


@pytest.mark.parametrize("path", sorted((ROOT / "recipes" / "scaling").glob("*.yaml")), ids=lambda path: path.name)
def test_a_recipe_for_many_gpus_keeps_the_papers_batch(path: Path) -> None:
    recipe = read_recipe(path)
    assert recipe.generation.completions_per_step == 1536
    assert path.name in SCALING


def test_every_accelerate_config_that_is_named_is_shipped() -> None:
    named = {Path(path) for path in re.findall(r"[\w/-]+\.yaml", SCALING)}
    configs = {path.name for path in named if path.parent.name in ("", "accelerate")}
    assert len(configs) >= 5
    for name in configs - {path.name for path in (ROOT / "recipes/scaling").iterdir()}:
        assert "num_processes" in yaml.safe_load((ROOT / "recipes" / "accelerate" / name).read_text()), name


def test_the_worked_estimate_is_what_the_dry_run_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.json").write_text(json.dumps(QWEN3_8B))
    arguments = ["train", str(ROOT / "recipes/scaling/one-node-rlcr-multi.yaml"), "--dry-run", "--processes", "8"]
    changes = {"model.path": tmp_path, "task.path": real("ddxplus"), "optimisation.steps": 520}
    for name, value in changes.items():
        arguments += ["--set", f"{name}={value}"]
    assert main(arguments) == 0
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    (block,) = re.findall(r"```text\n(.*?)```", SCALING, re.DOTALL)
    for line in block.partition("The run")[2].strip().splitlines():
        assert line.split() in printed
