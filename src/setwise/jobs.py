"""One training run: what a recipe describes, and what trains it or exports it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.home import at_home
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.settings import (
    GenerationSettings,
    ModelSettings,
    OptimisationSettings,
    RunSettings,
    WarmStartSettings,
)
from setwise.tasks import Task


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """A task, an objective, a model, and the settings to train it with."""

    task: Task
    objective: Objective
    model: ModelSettings
    run: RunSettings
    generation: GenerationSettings = field(default_factory=GenerationSettings)
    optimisation: OptimisationSettings = field(default_factory=OptimisationSettings)
    warm_start: WarmStartSettings | None = None
    prompt: str | None = None
    """Replaces the shipped system prompt."""
    think_opened: bool | None = None
    """By default, read from the chat template."""
    described: Mapping[str, Any] = field(default_factory=dict)
    """The resolved recipe, kept in the run folder. A run resumes only under the same recipe."""

    @cached_property
    def problems(self) -> list[Problem]:
        return list(self.task)

    @property
    def folder(self) -> Path:
        return Path(at_home(self.run.folder))

    @property
    def steps(self) -> int:
        """Optimizer steps of the whole run. Problems that do not fill a step are dropped."""
        if self.optimisation.steps is not None:
            return self.optimisation.steps
        updates = self.generation.updates_per_generation
        batches = int(len(self.problems) * self.optimisation.epochs) // self.generation.prompts_per_step
        return batches * updates


def accumulation_steps(generation: GenerationSettings, optimisation: OptimisationSettings, processes: int) -> int:
    """Micro-batches per process and optimizer step, so that every group stays on one process.

    >>> accumulation_steps(GenerationSettings(), OptimisationSettings(micro_batch=4), processes=8)
    48
    """
    completions, group = generation.completions_per_step, generation.group_size
    share, uneven = divmod(completions, processes)
    if uneven or share % group:
        raise InputError(
            f"{generation.prompts_per_step} prompts_per_step cannot be shared by {processes} processes",
            remedy=f"make generation.prompts_per_step a multiple of {processes}",
        )
    per_update, uneven = divmod(share, generation.updates_per_generation)
    if uneven or per_update % optimisation.micro_batch:
        raise InputError(
            f"optimisation.micro_batch must divide the {share} completions that each process has for "
            f"{generation.updates_per_generation} update(s)",
            value=optimisation.micro_batch,
            remedy=f"{_largest_divisor(per_update, optimisation.micro_batch)} does",
        )
    return per_update // optimisation.micro_batch


def transcripts_per_process(settings: WarmStartSettings, processes: int) -> int:
    """What each process takes of a step of the warm start.

    >>> transcripts_per_process(WarmStartSettings(batch=64), processes=8)
    8
    """
    share, uneven = divmod(settings.batch, processes)
    if uneven:
        raise InputError(
            f"{processes} processes cannot share the transcripts of a step evenly",
            place="warm_start.batch",
            value=settings.batch,
            remedy=f"make it a multiple of {processes}",
        )
    return share


def _largest_divisor(number: int, at_most: int) -> int:
    return next((n for n in range(min(number, at_most), 0, -1) if number % n == 0), 1)
