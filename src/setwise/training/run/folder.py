"""A run on disk: its recipe, its log, its checkpoints and its model.

config.yaml    the resolved recipe; the same command with the same recipe resumes
log.jsonl      every logged step
alarms.jsonl   what looked wrong, and when
checkpoints/   checkpoint-N, complete once it has a setwise.json; completions/ of logged steps, and their setwise.json
warm-start/    the model after the supervised stage, if there is one
model/         the trained model; complete once it has a setwise.json
"""

import shutil
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.records.files import replacing
from setwise.records.manifest import checkpoint_folders, is_complete
from setwise.records.run import differences
from setwise.records.training_log import TrainingLog
from setwise.settings import GenerationSettings, ModelSettings, OptimisationSettings, RunSettings, WarmStartSettings

MAY_CHANGE = frozenset(
    {
        "run.folder",
        "run.save_every",
        "run.keep_checkpoints",
        "run.log_every",
        "run.tracker",
        "run.log_completions",
        "run.metrics",
        "run.threads",
        "model.gradient_checkpointing",
        "generation.server_url",
        "generation.vllm_cache_gb",
        "generation.vllm_memory_share",
        "generation.vllm_sleeps",
    }
)
"""What may change when a run resumes, since it affects no weights."""
SECTIONS = {
    "model": ModelSettings,
    "warm_start": WarmStartSettings,
    "generation": GenerationSettings,
    "optimisation": OptimisationSettings,
    "run": RunSettings,
}


@dataclass(frozen=True, slots=True)
class TrainingFolder:
    """The paths of a run, and the rules for resuming it."""

    path: Path

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    @property
    def warm_start(self) -> Path:
        return self.path / "warm-start"

    @property
    def model(self) -> Path:
        return self.path / "model"

    def open(self, described: Mapping[str, Any]) -> None:
        """Claim the folder for a recipe. Refuses a recipe that differs from the one trained there."""
        import yaml

        config = self.path / "config.yaml"
        if config.is_file():
            before = yaml.safe_load(config.read_text(encoding="utf-8")) or {}
            changed = differences(with_all_options(before), with_all_options(described), MAY_CHANGE)
            if changed and self._has_begun():
                raise InputError(
                    "this run was begun with another recipe: " + "; ".join(changed),
                    place=self.path,
                    remedy="undo the change, or choose another run.folder",
                )
        elif self.path.is_dir() and any(self.path.iterdir()):
            raise InputError(
                "the run folder holds other files and no config.yaml", place=self.path, remedy="choose another"
            )
        with replacing(config) as stream:
            yaml.safe_dump(dict(described), stream, sort_keys=False)

    def latest_checkpoint(self) -> Path | None:
        """The last complete checkpoint. The manifest is written last, so a checkpoint without one was cut off."""
        return next(filter(is_complete, checkpoint_folders(self.checkpoints)), None)

    def remove_incomplete(self) -> None:
        for folder in (*checkpoint_folders(self.checkpoints), self.model, self.warm_start):
            if folder.is_dir() and not is_complete(folder):
                shutil.rmtree(folder)

    @property
    def log(self) -> TrainingLog:
        return TrainingLog(self.path)

    def _has_begun(self) -> bool:
        """Whether something was trained under the recipe. A failed start does not count."""
        kept = is_complete(self.warm_start) or is_complete(self.model) or self.latest_checkpoint() is not None
        return kept or self.log.exists


def with_all_options(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe with the options it lacks at their defaults. An older one lacks those that were added since, and was
    trained as their defaults do.

    >>> with_all_options({"optimisation": {"steps": 20}})["optimisation"]["decay_fraction"]
    0.0
    """
    return {
        name: {**_defaults(SECTIONS[name]), **section} if name in SECTIONS and isinstance(section, Mapping) else section
        for name, section in recipe.items()
    }


def _defaults(section: type[Any]) -> dict[str, Any]:
    return {option.name: option.default for option in fields(section) if option.default is not MISSING}
