"""Exports a recipe as the small package that verifiers, and so prime-rl, finds by its id."""

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from setwise.adapters.export.credit import credit_notes, credit_of
from setwise.adapters.export.data import model_notes, settled_objective
from setwise.jobs import TrainingJob
from setwise.records.files import replacing
from setwise.records.objective import objective_to_record
from setwise.version import __version__

MODULE = '''"""{title}, as a verifiers taskset. `setwise export verifiers` wrote this file."""

from typing import Any

import verifiers.v1 as vf
from setwise.adapters.verifiers import SetwiseTask, SetwiseTaskset, SetwiseTasksetConfig

__all__ = ["RecipeTaskset"]


class RecipeConfig(SetwiseTasksetConfig):
{fields}


class RecipeTaskset(SetwiseTaskset, vf.Taskset[SetwiseTask, RecipeConfig]):
    pass
'''
PYPROJECT = """[build-system]
requires = ["hatchling>=1.25"]
build-backend = "hatchling.build"

[project]
name = "{package}"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["setwise[verifiers]>={version}"]

[tool.hatch.build.targets.wheel]
only-include = ["{module}.py"]
"""


@dataclass(frozen=True, slots=True)
class ProblemChoice:
    """Which problems, as `load_task` takes them."""

    data: str
    path: str | None
    split: str | None
    limit: int | None
    seed: int | None
    options: dict[str, Any]


def export_taskset(job: TrainingJob, choice: ProblemChoice, folder: Path) -> tuple[list[Path], list[str]]:
    """Write the package. Returns its files and notes to print."""
    objective, notes = settled_objective(job)
    record = {name: value for name, value in objective_to_record(objective).items() if name != "regime"}
    credit = credit_of(job)
    defaults = {**asdict(choice), "objective": record, "prompt": job.prompt}
    defaults["credit"] = credit.to_record() if credit else {}
    if choice.path is not None and Path(choice.path).exists():
        defaults["path"] = str(Path(choice.path).resolve())
    module = "setwise_" + re.sub(r"\W+", "_", job.folder.name).strip("_").lower()
    package = module.replace("_", "-")
    fields = "\n".join(f"    {name}: {_kind(name)} = {value!r}" for name, value in defaults.items())
    texts = {
        f"{module}.py": MODULE.format(title=package, fields=fields),
        "pyproject.toml": PYPROJECT.format(package=package, module=module, version=__version__),
    }
    for name, text in texts.items():
        with replacing(folder / name) as stream:
            stream.write(text)
    return [folder / name for name in texts], [*notes, *credit_notes(job, "verifiers"), *model_notes(job, "verifiers")]


def _kind(name: str) -> str:
    kinds = {"data": "str", "limit": "int | None", "seed": "int | None"}
    return kinds.get(name, "dict[str, Any]" if name in ("options", "objective", "credit") else "str | None")
