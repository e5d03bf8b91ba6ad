"""`setwise.json`: written next to the weights, so that whoever loads a model knows how it was trained to answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.objectives import Objective
from setwise.records.files import Record, read_json, write_json
from setwise.records.objective import objective_from_record, objective_to_record

MANIFEST = "setwise.json"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One way a model was taught to answer."""

    objective: Objective
    system_prompt: str
    """The prompt that asks for it, word for word."""
    prompt: str | None = None
    """The user's own prompt with its marks; None if it is the shipped one."""

    def to_record(self) -> Record:
        objective = objective_to_record(self.objective)
        return {"objective": objective, "prompt": self.prompt, "system_prompt": self.system_prompt}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], place: object = "") -> "Lesson":
        objective = objective_from_record(record.get("objective") or {}, place)
        return cls(objective, record.get("system_prompt", ""), record.get("prompt"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """How a model was made, and how to ask it."""

    stage: str = ""
    base_model: str = ""
    taught: tuple[Lesson, ...] = ()
    instruction: str = ""
    task: Mapping[str, Any] = field(default_factory=dict)
    """Name, regime and fingerprint."""
    chat_template_options: Mapping[str, Any] = field(default_factory=dict)
    setwise: str = ""
    """The version that wrote it."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What else is worth knowing: the step, how a warm start was made, which path the update took."""

    def write(self, folder: str | Path) -> None:
        """Write it after all other files in the folder: it marks the model complete."""
        known = {
            "stage": self.stage,
            "setwise": self.setwise,
            "base_model": self.base_model,
            "chat_template_options": dict(self.chat_template_options),
            "taught": [lesson.to_record() for lesson in self.taught],
            "instruction": self.instruction,
            "task": dict(self.task),
        }
        write_json(Path(folder) / MANIFEST, {**known, **self.notes})

    @classmethod
    def read(cls, folder: str | Path) -> "Manifest | None":
        """None for a model that setwise did not train."""
        path = Path(folder) / MANIFEST
        if not path.is_file():
            return None
        record = read_json(path)
        taught = record.get("taught") or []
        if not isinstance(taught, list) or not all(isinstance(lesson, dict) for lesson in taught):
            raise InputError('"taught" must be a list of lessons', place=path, value=taught)
        own = ("stage", "base_model", "instruction", "task", "chat_template_options", "setwise")
        notes = {name: value for name, value in record.items() if name not in (*own, "taught", "schema")}
        lessons = tuple(Lesson.from_record(lesson, path) for lesson in taught)
        return cls(**{name: record[name] for name in own if name in record}, taught=lessons, notes=notes)

    def lesson(self, objective: str) -> Lesson | None:
        """How it was taught the objective of that name, if it was."""
        return next((lesson for lesson in self.taught if lesson.objective.name == objective), None)


def manifest_in(folder: str | Path) -> Manifest:
    """How a model was trained, from its own folder or from its training folder: the model, a checkpoint, the warm
    start."""
    place = Path(folder)
    for each in (*model_folders(place), place / "warm-start"):
        manifest = Manifest.read(each)
        if manifest and manifest.taught:
            return manifest
    raise InputError(
        f"no {MANIFEST} in this folder records how a model was trained",
        place=folder,
        remedy="name a run folder of setwise train, or the model folder in it",
    )


def model_folders(place: Path) -> list[Path]:
    """Where a model may be: in the folder itself, or complete in its training folder, later checkpoints first."""
    trained = (place / "model", *checkpoint_folders(place / "checkpoints"))
    return [place, *filter(is_complete, trained)]


def checkpoint_folders(checkpoints: Path) -> list[Path]:
    """Every `checkpoint-STEP`, complete or not, the last step first."""
    named = [each for each in checkpoints.glob("checkpoint-*") if each.name[11:].isdecimal()]
    return sorted(named, key=lambda each: int(each.name[11:]), reverse=True)


def is_complete(folder: Path) -> bool:
    """Whether a model folder was written completely."""
    return (folder / MANIFEST).is_file()


@cache
def manifest_of(model: str) -> Manifest:
    """What is known about a model's training; None for a model that setwise did not train. Read once per process."""
    return Manifest.read(model) or Manifest()
