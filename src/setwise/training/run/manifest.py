"""The manifest of a model that is being trained."""

from collections.abc import Sequence
from typing import Any

from setwise.matching import spec_of
from setwise.records.manifest import Lesson, Manifest
from setwise.settings import ModelSettings
from setwise.tasks import Task
from setwise.version import __version__


def manifest_of_training(
    stage: str, task: Task, lessons: Sequence[Lesson], model: ModelSettings, **notes: Any
) -> Manifest:
    return Manifest(
        stage=stage,
        setwise=__version__,
        base_model=model.path,
        chat_template_options=dict(model.chat_template_options),
        taught=tuple(lessons),
        instruction=task.instruction,
        task={
            "name": task.name,
            "regime": str(task.regime),
            "fingerprint": task.fingerprint,
            "matcher": spec_of(task.matcher),
        },
        notes=notes,
    )
