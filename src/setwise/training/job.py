"""One training run, put together and checked before anything heavy is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.objectives import Objective
from setwise.problems import Problem
from setwise.tasks import Task
from setwise.training.backends import check_backend, check_tracker, check_training_packages
from setwise.training.settings import (
    GenerationSettings,
    ModelSettings,
    OptimisationSettings,
    RunSettings,
    WarmStartSettings,
)


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """A task, an objective, a model and how to move its weights."""

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
    """None reads it off the chat template."""
    described: Mapping[str, Any] = field(default_factory=dict)
    """The resolved recipe, for the run folder; a run is resumed only under the same one."""

    @cached_property
    def problems(self) -> list[Problem]:
        return list(self.task)

    @property
    def folder(self) -> Path:
        return Path(self.run.folder)

    @property
    def steps(self) -> int:
        """Optimizer steps of the whole run; what does not fill a step is left over."""
        if self.optimisation.steps is not None:
            return self.optimisation.steps
        updates = self.generation.updates_per_generation
        batches = int(len(self.problems) * self.optimisation.epochs) // self.generation.prompts_per_step
        return batches * updates


def accumulation_steps(generation: GenerationSettings, optimisation: OptimisationSettings, processes: int) -> int:
    """Micro-batches per process and optimizer step, such that every group stays whole on one process.

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


def check_job(job: TrainingJob, processes: int = 1) -> list[str]:
    """Refuse what cannot run; return what can but should be said aloud."""
    accumulation_steps(job.generation, job.optimisation, processes)
    _check_candidates(job)
    _check_boundaries(job)
    check_model_path(job.model.path)
    if job.steps < 1:
        raise InputError(
            f"the task has {len(job.problems)} problems, fewer than one step needs",
            value=job.generation.prompts_per_step,
            remedy="lower generation.prompts_per_step, or raise optimisation.epochs",
        )
    return _warnings(job)


def check_installed(job: TrainingJob) -> None:
    """Refuse a run whose packages are not there, with how to get them."""
    check_training_packages()
    check_backend(job.generation.backend)
    check_tracker(job.run.tracker)


def check_model_path(path: str) -> None:
    """A folder must be there and hold a model; a name on the hub can only be tried."""
    folder = Path(path).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise InputError("a model folder holds a config.json, and this one does not", place=f"model.path {path}")
        return
    looks_local = path.startswith((".", "/", "~")) or path.count("/") > 1 or not path.strip()
    if looks_local or folder.exists():
        raise InputError("there is no model folder here", place=f"model.path {path}", remedy="check model.path")


def _check_candidates(job: TrainingJob) -> None:
    names, k = job.task.answer_names, job.objective.k
    if names and k > len(names):
        raise InputError(
            f"objective.k must not exceed the {len(names)} answers that task {job.task.name} knows", value=k
        )


def _check_boundaries(job: TrainingJob) -> None:
    """The rollout buffer is not saved, so a checkpoint inside a generation could not be resumed exactly."""
    updates = job.generation.updates_per_generation
    if job.run.save_every % updates:
        raise InputError(
            f"run.save_every must be a multiple of generation.updates_per_generation ({updates})",
            value=job.run.save_every,
        )


def _warnings(job: TrainingJob) -> list[str]:
    said = list(job.task.notes)
    preset = job.objective.preset
    if job.objective.has_confidences and preset.valid_may_lose_to_invalid:
        said.append(
            f"reward: the format weight {preset.format_weight:g} is below the calibration weight "
            f"{preset.calibration_weight:g}, so a badly calibrated valid answer can be worth less than an invalid one"
        )
    micro_batch, group = job.optimisation.micro_batch, job.generation.group_size
    if job.optimisation.shared_prompt and micro_batch % group:
        said.append(
            f"optimisation.micro_batch {micro_batch} cuts through groups of {group}, so prompts run more often than "
            f"once; a multiple of {group} runs each once"
        )
    return said


def _largest_divisor(number: int, at_most: int) -> int:
    return next((n for n in range(min(number, at_most), 0, -1) if number % n == 0), 1)
