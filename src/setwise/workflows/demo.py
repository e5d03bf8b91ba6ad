"""The main job on the embedded task: one start, four trainings, every method of the paper, one report.

Everything it says comes out of the files it writes. The clinic's exact beliefs are known, so each number can stand
beside the best possible one.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from setwise.evaluation.generate import Plan, generate
from setwise.evaluation.methods import Method, named_method
from setwise.evaluation.run import RunFolder, claim, config_of, score_run, write_json
from setwise.evaluation.samples import SampleFile
from setwise.models import Sampling, open_model
from setwise.tasks import Task
from setwise.tasks.clinic_bayes import bayes_best
from setwise.training.manifest import Lesson
from setwise.training.policy import hide_progress_bars
from setwise.training.settings import ModelSettings, WarmStartSettings
from setwise.training.warm_start import WarmStart, warm_start
from setwise.training.word_model import WordModelSize, build_word_model, task_words

AT_ONCE = 256
METHODS = (
    "rlvr-single",
    "rlvr-single-prompted-multi",
    "rlvr-zero-shot",
    "rlvr-multi",
    "rlcr-single",
    "rlcr-single-prompted-multi",
    "rlcr-zero-shot",
    "rlcr-multi",
    "rlvr-single+continue",
    "rlvr-multi+continue",
)
"""The eight rows of the paper's tables, and two for models trained without confidences, which state them because the
tag is forced behind each of their answers. Asked by the prompt alone, they have mostly forgotten how."""

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Start:
    """What all four trainings begin with."""

    task: Task
    lessons: Sequence[Lesson]
    settings: WarmStartSettings
    folder: Path
    size: WordModelSize
    seed: int


@dataclass(frozen=True, kw_only=True)
class Examination:
    """Who is asked what, once training is done."""

    task: Task
    prompts: dict[str, str]
    """The system prompt of each objective."""
    models: dict[str, Path]
    """The trained model of each objective, and the start under `base`."""
    folder: Path
    sampling: Sampling
    seed: int
    resamples: int


def make_start(plan: Start) -> Path:
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
        )
    )


def examine(plan: Examination, say: Say) -> list[Path]:
    """Every method of the paper on the same patients; the folders of the runs, in the paper's order."""
    hide_progress_bars()
    return [examine_one(plan, named_method(name), say) for name in METHODS]


def examine_one(plan: Examination, method: Method, say: Say) -> Path:
    method = replace(method, prompt=plan.prompts[method.asked_objective(plan.task.regime).name])
    folder = RunFolder(plan.folder / method.name)
    asked = Plan(plan.task, method, plan.sampling, plan.seed)
    model = open_model(f"hf:{plan.models[method.trained_as]}", at_once=AT_ONCE)
    folder.path.mkdir(parents=True, exist_ok=True)
    claim(folder, config_of(asked, model.name))
    generate(asked, model, SampleFile.opened(folder.samples))
    _write_best_possible(folder, plan.task, method.k)
    metrics = score_run(folder, plan.task.matcher, resamples=plan.resamples)
    say(f"{method.name}: any of three right {metrics['pass_at_k']}")
    return folder.path


def _write_best_possible(folder: RunFolder, task: Task, k: int) -> None:
    """Where the report looks for the best any model could do."""
    if task.world is not None:
        values = {name: asdict(value) for name, value in bayes_best(task.world, k).values.items()}
        write_json(folder.path / "bayes.json", {"k": k, "values": values})
