"""Small recipes to export, and the command that does it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from setwise.cli import COMMANDS, main
from tests.adapters.cases import Case

RECIPE: dict[str, Any] = {
    "model": {"path": "nobody/tiny-1m", "chat_template_options": {"enable_thinking": True}},
    "objective": {"name": "rlcr-multi", "k": 3, "think_opened": False},
    "generation": {"prompts_per_step": 2, "group_size": 4, "max_completion_tokens": 64},
    "optimisation": {"micro_batch": 2, "learning_rate": 1e-5},
    "run": {"folder": "runs/tiny-clinic"},
}


def write_recipe(folder: Path, case: Case, **sections: Any) -> Path:
    known = {name: value for name, value in case.arguments.items() if name in ("path", "split", "limit", "seed")}
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump({**RECIPE, "task": {"name": case.name, **known}, **sections}))
    return path


def export(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setitem(COMMANDS, "export", "write what another engine needs")
    return main(["export", *map(str, arguments)])
