"""What cannot run is refused before anything heavy is loaded."""

from importlib.util import find_spec
from pathlib import Path

from setwise.errors import InputError, MissingDependency
from setwise.jobs import TrainingJob, accumulation_steps
from setwise.metrics import METRICS
from setwise.rewards import terms_of
from setwise.training.rollout.engines import check_backend
from setwise.training.watch.trackers import check_tracker

TRAINING_PACKAGES = ("torch", "transformers", "trl", "accelerate", "datasets")


def check_job(job: TrainingJob, processes: int = 1) -> list[str]:
    """Refuse what cannot run; return what can but should be said aloud."""
    accumulation_steps(job.generation, job.optimisation, processes)
    terms_of(job.objective)
    for name in job.run.metrics:
        METRICS.find(name)
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
    for package in TRAINING_PACKAGES:
        if find_spec(package) is None:
            raise MissingDependency("training", package=package, extra="train")
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
    if job.objective.confidences and preset.valid_may_lose_to_invalid:
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
