"""The stages of the demo: one starting model, six training runs, every method of the paper, one report.

Everything it reports comes from the files it writes. The clinic's exact beliefs are known, so each number can be
compared with the best possible one.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from setwise.evaluation.methods import named_method
from setwise.models import Sampling, open_model
from setwise.records.manifest import Lesson
from setwise.records.measured import Estimate
from setwise.records.run import RunFolder
from setwise.settings import ModelSettings, WarmStartSettings
from setwise.tasks import Task
from setwise.training.run.policy import hide_progress_bars
from setwise.training.warm_start.stage import WarmStart, warm_start
from setwise.training.warm_start.word_model import WordModelSize, build_word_model, task_words
from setwise.workflows.clinic_bayes import bayes_best
from setwise.workflows.demo.trainings import PER_ANSWER
from setwise.workflows.evaluate import HowAsked, evaluate_model, inquiry_of

AT_ONCE = 256
EXAMINED = (
    "rlvr-single",
    "rlvr-single-prompted-multi",
    "rlvr-zero-shot",
    "rlvr-multi",
    "rlvr-multi-per-answer",
    "rlcr-single",
    "rlcr-single-prompted-multi",
    "rlcr-zero-shot",
    "rlcr-multi",
    "rlcr-multi-per-answer",
    "rlvr-single+continue",
    "rlvr-multi+continue",
)
"""The eight rows of the paper's tables; two for credit per answer; and two for models trained without confidences,
which state them because the tag is appended to each of their answers. Asked by the prompt alone, they have mostly
forgotten how."""

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Start:
    """What all training runs begin with."""

    task: Task
    lessons: Sequence[Lesson]
    settings: WarmStartSettings
    folder: Path
    size: WordModelSize
    seed: int


@dataclass(frozen=True, kw_only=True)
class Examination:
    """Which models are asked what after training."""

    task: Task
    prompts: dict[str, str]
    """The system prompt of each objective."""
    models: dict[str, Path]
    """The model of each training run, and the starting model under `base`."""
    folder: Path
    sampling: Sampling
    seed: int
    resamples: int


def make_start(plan: Start, say: Say) -> Path:
    """A small causal LM with a token for every word of the task, taught all four formats."""
    import torch

    torch.set_num_threads(1)
    hide_progress_bars()
    problems = list(plan.task)
    words = task_words(plan.task, problems[:1000], plan.lessons, plan.settings.thinking)
    blank = build_word_model(words, plan.folder / "blank", plan.size, plan.seed)
    return warm_start(
        WarmStart(
            task=plan.task,
            problems=problems,
            lessons=plan.lessons,
            model=ModelSettings(path=str(blank), dtype="float32", gradient_checkpointing=False),
            settings=plan.settings,
            folder=plan.folder / "start",
            seed=plan.seed,
        ),
        say,
    )


def examine(plan: Examination, pool: Executor, say: Say) -> list[Path]:
    """Evaluate every model on the same patients in every way. Returns the run folders, in the paper's order."""
    folders: list[Path] = []
    for name, (folder, found) in zip(EXAMINED, pool.map(partial(examine_one, plan), EXAMINED), strict=True):
        say(f"{name}: any of three right {found}")
        folders.append(folder)
    return folders


def examine_one(plan: Examination, name: str) -> tuple[Path, Estimate]:
    """The run's folder, and the share with any of three right."""
    hide_progress_bars()
    method = named_method(PER_ANSWER.get(name, name))
    prompt = plan.prompts[method.asked_objective(plan.task.regime).name]
    how = HowAsked(prompt=prompt, sampling=plan.sampling, seed=plan.seed)
    trained = name if name in PER_ANSWER else method.trained_as
    model = open_model(f"hf:{plan.models[trained]}", at_once=AT_ONCE)
    folder = RunFolder(plan.folder / name)
    inquiry = inquiry_of(plan.task, method.name, model.name, how)
    [(_, metrics)] = evaluate_model(model, [(folder, inquiry)], plan.task.matcher, resamples=plan.resamples)
    if plan.task.world is not None:
        bayes_best(plan.task.world, inquiry.method.k).write(folder.path)
    return folder.path, metrics["pass_at_k"]
