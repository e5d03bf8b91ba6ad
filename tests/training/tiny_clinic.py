"""A clinic small enough to be learned in seconds, and training jobs for it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from setwise.jobs import TrainingJob
from setwise.objectives import Objective
from setwise.settings import GenerationSettings, ModelSettings, OptimisationSettings, RunSettings
from setwise.tasks import Task, load_task

K = 2
THINKING = "hm"


def make_task() -> Task:
    return load_task("clinic", limit=256, conditions=4, findings=4, seen=1.0)


def objective_named(name: str, task: Task) -> Objective:
    return Objective(name, K if name.endswith("multi") else 1, regime=task.regime)


def model_settings(path: Path, **changes: Any) -> ModelSettings:
    return ModelSettings(path=str(path), dtype="float32", gradient_checkpointing=False, **changes)


def make_job(start: Path, folder: Path, name: str = "rlvr-multi", **changes: Any) -> TrainingJob:
    task = make_task()
    job = TrainingJob(
        task=task,
        objective=objective_named(name, task),
        prompt=name,
        model=model_settings(start),
        run=RunSettings(folder=str(folder), threads=1, save_every=2),
        generation=GenerationSettings(prompts_per_step=8, group_size=8, temperature=1.0, max_completion_tokens=40),
        optimisation=OptimisationSettings(steps=6, micro_batch=32, learning_rate=3e-3, warmup_fraction=0),
        described={"objective": name},
    )
    return replace(job, **changes)


def paper_job() -> TrainingJob:
    """The paper's batch and settings, for a model that need not be there."""
    job = make_job(Path("Qwen/Qwen3-8B"), Path("runs/x"))
    model = replace(job.model, dtype="bfloat16", gradient_checkpointing=True)
    generation, optimisation = GenerationSettings(), OptimisationSettings(steps=10)
    return replace(job, generation=generation, optimisation=optimisation, model=model)
