"""What reports read directly from run folders: training logs, and what was trained."""

from pathlib import Path
from typing import Any

from setwise.errors import InputError, MissingDependency
from setwise.objectives import Objective
from setwise.records.manifest import Manifest, checkpoint_folders
from setwise.records.training_log import LOG, TrainingLog
from setwise.reports.inputs import TrainingRun


def read_training(folder: Path, name: str) -> TrainingRun | None:
    """The training log of a run folder; None if there is none."""
    log = TrainingLog(folder)
    if not log.exists:
        return None
    objective, base_model = _trained(folder)
    return TrainingRun(name, objective.name, objective.k, log.steps(), log.alarms(), base_model)


def _trained(folder: Path) -> tuple[Objective, str]:
    """What the run was trained for and from which model, from the manifest next to its weights or from its recipe."""
    for model in (folder / "model", *checkpoint_folders(folder / "checkpoints")):
        manifest = Manifest.read(model)
        if manifest is not None:
            if not manifest.taught:
                raise InputError("the objective of the training run is not recorded", place=model)
            return manifest.taught[-1].objective, manifest.base_model
    recipe = folder / "config.yaml"
    sections = read_recipe_sections(recipe)
    record, base = sections.get("objective"), sections.get("model")
    if not isinstance(record, dict) or "name" not in record:
        raise InputError("the objective of the training run is not recorded", place=recipe, value=record)
    return Objective(record["name"], record.get("k")), str(base.get("path", "")) if isinstance(base, dict) else ""


def read_recipe_sections(path: Path) -> dict[str, Any]:
    """The recipe of a training run as plain data."""
    if not path.is_file():
        raise InputError(
            f"a folder with {LOG} needs config.yaml or a finished model, which say what was trained", place=path.parent
        )
    try:
        import yaml
    except ImportError:
        raise MissingDependency("a report on an unfinished training run", package="pyyaml", extra="train") from None
    try:
        recipe = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"the file must be readable YAML ({reason})", place=path) from None
    return recipe if isinstance(recipe, dict) else {}
