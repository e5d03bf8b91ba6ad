"""Refuses what cannot run before anything heavy is loaded."""

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from setwise.credit import credit_named
from setwise.errors import InputError, MissingDependency, show
from setwise.home import at_home
from setwise.jobs import TrainingJob, accumulation_steps, transcripts_per_process
from setwise.matching.needs import require_judgeable
from setwise.metrics import METRICS
from setwise.models.model_path import CONFIG_FILE, require_model
from setwise.records.manifest import is_complete
from setwise.rewards import terms_of
from setwise.settings import OptimisationSettings
from setwise.training.rollout.engines import check_backend
from setwise.training.run.cost import disk_gb, model_shape
from setwise.training.run.folder import TrainingFolder
from setwise.training.run.precision import require_precision
from setwise.training.watch.trackers import check_tracker

TRAINING_PACKAGES = ("torch", "transformers", "trl", "accelerate", "datasets")
DEMO_MODEL = "runs/demo/blank"
"""What the recipes of the demo begin with."""


def check_job(job: TrainingJob, processes: int = 1) -> list[str]:
    """Refuse what cannot run. Returns warnings about what can."""
    accumulation_steps(job.generation, job.optimisation, processes)
    if job.warm_start is not None:
        transcripts_per_process(job.warm_start, processes)
    terms_of(job.objective)
    for name in job.run.metrics:
        METRICS.find(name)
    _check_candidates(job)
    _check_boundaries(job)
    _check_credit(job)
    for problem in job.problems:
        require_judgeable(problem, job.task.matcher)
    check_model_path(job.model.path)
    if job.steps < 1:
        raise InputError(
            f"the task has {len(job.problems)} problems, fewer than one step needs",
            value=job.generation.prompts_per_step,
            remedy="lower generation.prompts_per_step, or raise optimisation.epochs",
        )
    return _warnings(job)


def check_installed(job: TrainingJob) -> None:
    """Refuse a run whose packages are missing, with how to install them, or that no device here can compute."""
    for package in TRAINING_PACKAGES:
        if find_spec(package) is None:
            raise MissingDependency("training", package=package, extra="train")
    check_backend(job.generation.backend)
    check_tracker(job.run.tracker)
    require_precision(job.model.dtype)


def check_model_path(path: str) -> None:
    """A folder must exist and contain a whole model. A name on the hub is only known to work when loaded."""
    folder, place = Path(at_home(path)), f"model.path {path}"
    if folder.is_dir() and not (folder / CONFIG_FILE).is_file():
        raise InputError(f"a model folder holds a {CONFIG_FILE}, and this one does not", place=place)
    if path == DEMO_MODEL and not folder.exists():
        remedy = "`setwise demo` makes it, or set model.path to a model of your own"
        raise InputError("there is no model folder here", place=place, remedy=remedy)
    require_model(path, place)


def _check_candidates(job: TrainingJob) -> None:
    names, k = job.task.answer_names, job.objective.k
    if names and k > len(names):
        raise InputError(
            f"objective.k must not exceed the {len(names)} answers that task {job.task.name} knows", value=k
        )


def _check_credit(job: TrainingJob) -> None:
    optimisation = job.optimisation
    credit = credit_named(optimisation.credit, job.objective)
    for name in ("confidence_score", "confidence_gradient", "confidence_entropy_bonus", "calibration_warmup"):
        value, unset = getattr(optimisation, name), getattr(OptimisationSettings, name)
        if value != unset and (credit is None or not job.objective.confidences):
            raise InputError(
                f"optimisation.{name} needs confidences and credit per answer",
                value=value,
                remedy="set optimisation.credit to answer and choose an rlcr objective, or take it out",
            )
    if optimisation.confidence_gradient == "expected":
        _check_expected(optimisation)


def _check_expected(optimisation: OptimisationSettings) -> None:
    for name, needed in (("credit", "answer"), ("loss", "bnpo"), ("shared_prompt", True)):
        value = getattr(optimisation, name)
        if value != needed:
            raise InputError(
                f"optimisation.confidence_gradient expected needs optimisation.{name} {show(needed)}",
                value=value,
                remedy="change it, or set confidence_gradient to sampled",
            )


def _check_boundaries(job: TrainingJob) -> None:
    """The rollout buffer is not saved, so a checkpoint within a generation could not be resumed exactly."""
    updates = job.generation.updates_per_generation
    if job.run.save_every % updates:
        raise InputError(
            f"run.save_every must be a multiple of generation.updates_per_generation ({updates})",
            value=job.run.save_every,
        )


def _warnings(job: TrainingJob) -> list[str]:
    said = [*job.task.notes, *_short_of_disk(job)]
    preset = job.objective.preset
    together = job.optimisation.credit == "completion"
    if together and job.objective.confidences and preset.valid_may_lose_to_invalid:
        low, high = preset.weights.get("format", 0.0), preset.weights["calibration"]
        said.append(
            f"reward: the format weight {low:g} is below the calibration weight {high:g}, so a badly calibrated valid "
            "answer can be worth less than an invalid one"
        )
    micro_batch, group = job.optimisation.micro_batch, job.generation.group_size
    if job.optimisation.shared_prompt and micro_batch % group:
        said.append(
            f"optimisation.micro_batch {micro_batch} cuts through groups of {group}, so prompts run more often than "
            f"once; a multiple of {group} runs each once"
        )
    return said


def _short_of_disk(job: TrainingJob) -> Iterator[str]:
    """A full disk shows late, at the second or third checkpoint. A run that has saved one has shown what it needs."""
    shape, begun = model_shape(job.model.path), TrainingFolder(job.folder)
    if shape is None or is_complete(begun.model) or begun.latest_checkpoint():
        return
    needed = sum(disk_gb(job, shape).values())
    path = job.folder.absolute()
    free = shutil.disk_usage(next(each for each in (path, *path.parents) if each.exists())).free / 1e9
    if free < needed:
        yield (
            f"{job.folder}: this run will hold about {needed:.1f} GB, and {free:.1f} GB are free; choose another "
            "run.folder, or keep fewer checkpoints with run.save_every and run.keep_checkpoints"
        )
