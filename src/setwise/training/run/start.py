"""What a training starts from: the model of its recipe, or one that was taught the format first."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from setwise.errors import InputError
from setwise.jobs import TrainingJob
from setwise.models.local_text import opens_thinking
from setwise.objectives import Objective
from setwise.prompting import lesson
from setwise.records.manifest import Lesson
from setwise.training.run.folder import TrainingFolder
from setwise.training.run.launched import held_by_first, processes_and_rank
from setwise.training.run.policy import hide_progress_bars, load_tokenizer
from setwise.training.warm_start.stage import WarmStart, warm_start
from setwise.training.watch.listeners import View
from setwise.training.watch.view import open_view

SHARED = ("task", "model", "warm_start")
"""The sections that recipes must agree on to start from one model."""


def adapted_objective(job: TrainingJob) -> Objective:
    """The objective, adapted to the chat template."""
    opened = job.think_opened
    if opened is None:
        opened = opens_thinking(load_tokenizer(job.model), job.model.chat_template_options)
    return replace(job.objective, think_opened=opened)


def after_warm_start(job: TrainingJob, objective: Objective, view: View, processes: int = 1) -> TrainingJob:
    """The job with the model that its own warm start made, if it asks for one."""
    if job.warm_start is None:
        return job
    start = _taught(job, [lesson(objective, job.prompt)], TrainingFolder(job.folder).warm_start, view, processes)
    return replace(job, model=replace(job.model, path=str(start), revision=None))


def shared_start(jobs: Sequence[TrainingJob], folder: Path) -> Path:
    """A model that was taught the formats of all these jobs, in turn. A folder that is already complete is left
    unchanged, and refused if something else was asked for."""
    first = jobs[0]
    for section in SHARED:
        described = [job.described.get(section) for job in jobs]
        odd = next((job for job, own in zip(jobs, described, strict=True) if own != described[0]), None)
        if odd is not None:
            raise InputError(
                f"recipes that start from one model need the same {section}",
                place=odd.objective.name,
                remedy="change it with --set, or make a start for each",
            )
    if first.warm_start is None:
        raise InputError("the recipes have no warm_start section", remedy="add one, or --set warm_start.steps=200")
    lessons = dict.fromkeys(lesson(adapted_objective(job), job.prompt) for job in jobs)
    hide_progress_bars()
    processes, rank = processes_and_rank()
    with held_by_first(folder, rank), open_view(quiet=rank != 0) as view:
        return _taught(first, list(lessons), folder, view, processes)


def _taught(job: TrainingJob, lessons: Sequence[Lesson], folder: Path, view: View, processes: int) -> Path:
    assert job.warm_start is not None
    return warm_start(
        WarmStart(
            task=job.task,
            problems=job.problems,
            lessons=lessons,
            model=job.model,
            settings=job.warm_start,
            folder=folder,
            seed=job.run.seed,
            processes=processes,
        ),
        view.note,
    )
