"""A run on disk: its recipe, its log, its checkpoints and what it ends with.

config.yaml    the resolved recipe; the same command under the same one resumes
log.jsonl      every logged step
alarms.jsonl   what looked wrong, and when
checkpoints/   checkpoint-N, each complete once it holds a setwise.json
warm-start/    the model after the supervised stage, where there is one
model/         what the run ends with; complete once it holds a setwise.json
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError, show
from setwise.records import SCHEMA, dump_record, naming, replacing

MANIFEST = "setwise.json"
MAY_CHANGE = frozenset(
    {
        "run.folder",
        "run.save_every",
        "run.keep_checkpoints",
        "run.log_every",
        "run.tracker",
        "run.log_completions",
        "run.threads",
        "model.gradient_checkpointing",
        "generation.server_url",
        "generation.vllm_cache_gb",
        "generation.vllm_memory_share",
        "generation.vllm_sleeps",
    }
)
"""What a resumed run may do differently, since it moves no weight."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Paths of a run, and the rules for coming back to it."""

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
        """Claim the folder for a recipe, or refuse one that differs from the recipe of what was trained there."""
        import yaml

        config = self.path / "config.yaml"
        if config.is_file():
            before = yaml.safe_load(config.read_text(encoding="utf-8"))
            changed = list(differences(before, described))
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
        """The last complete one. A manifest is written last, so a checkpoint without one was cut off."""
        complete = [folder for folder in self._checkpoint_folders() if is_complete(folder)]
        return max(complete, key=_step, default=None)

    def remove_incomplete(self) -> None:
        for folder in (*self._checkpoint_folders(), self.model, self.warm_start):
            if folder.is_dir() and not is_complete(folder):
                shutil.rmtree(folder)

    def append(self, name: str, record: Mapping[str, Any]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / name
        with naming(file), file.open("a", encoding="utf-8") as stream:
            stream.write(dump_record(record))

    def forget_after(self, step: int) -> list[dict[str, Any]]:
        """Cut the log back to a checkpoint's step, so that a resumed run logs no step twice; return what is left."""
        kept: list[dict[str, Any]] = []
        for name in ("alarms.jsonl", "log.jsonl"):
            if not (self.path / name).is_file():
                continue
            lines = (self.path / name).read_text(encoding="utf-8").splitlines()
            kept = [record for line in lines if (record := _record(line)) and record["step"] <= step]
            with replacing(self.path / name) as stream:
                stream.writelines(dump_record(record) for record in kept)
        return kept

    def _has_begun(self) -> bool:
        """Whether something was trained under the recipe; a start that failed binds nobody."""
        kept = is_complete(self.warm_start) or is_complete(self.model) or self.latest_checkpoint() is not None
        return kept or (self.path / "log.jsonl").is_file()

    def _checkpoint_folders(self) -> list[Path]:
        return [folder for folder in self.checkpoints.glob("checkpoint-*") if folder.name[11:].isdigit()]


def is_complete(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    with replacing(folder / MANIFEST) as stream:
        json.dump({"schema": SCHEMA, **manifest}, stream, indent=2)
        stream.write("\n")


def read_manifest(folder: str | Path) -> dict[str, Any] | None:
    """How a model was taught to answer: objective, prompt, instruction and task; None for a model of others."""
    path = Path(folder) / MANIFEST
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """`optimisation.learning_rate was 1e-06 and is 2e-06`, for every leaf that matters.

    >>> list(differences({"run": {"seed": 0}}, {"run": {"seed": 1, "tracker": "wandb"}}))
    ['run.seed was 0 and is 1']
    """
    old, new = dict(_leaves(before)), dict(_leaves(after))
    for path in sorted(old.keys() | new.keys()):
        if path not in MAY_CHANGE and old.get(path) != new.get(path):
            yield f"{path} was {show(old.get(path))} and is {show(new.get(path))}"


def _record(line: str) -> dict[str, Any] | None:
    """A logged step; nothing for the half line that a killed process leaves."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _leaves(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield above + name, value


def _step(folder: Path) -> int:
    return int(folder.name.rpartition("-")[2])
