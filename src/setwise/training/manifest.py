"""What is written beside the weights, so that whoever loads them knows how the model was taught to answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from setwise.objectives import Objective
from setwise.prompting import system_prompt
from setwise.records import objective_to_record
from setwise.tasks import Task
from setwise.training.settings import ModelSettings
from setwise.version import __version__


@dataclass(frozen=True, slots=True)
class Lesson:
    """One way the model was taught to answer."""

    objective: Objective
    prompt: str | None = None
    """Replaces the shipped system prompt."""


def manifest(stage: str, task: Task, lessons: Sequence[Lesson], model: ModelSettings, **notes: Any) -> dict[str, Any]:
    """The record of a model: `taught` lists each objective with the prompt that asks for it."""
    return {
        "stage": stage,
        "setwise": __version__,
        "base_model": model.path,
        "chat_template_options": dict(model.chat_template_options),
        "taught": [
            {
                "objective": objective_to_record(lesson.objective),
                "prompt": lesson.prompt,
                "system_prompt": system_prompt(lesson.objective, lesson.prompt),
            }
            for lesson in lessons
        ],
        "instruction": task.instruction,
        "task": {"name": task.name, "regime": str(task.regime), "fingerprint": task.fingerprint},
        **notes,
    }
