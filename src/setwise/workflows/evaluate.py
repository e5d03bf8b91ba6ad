"""The one loop of an evaluation: claim a folder, ask for what is missing, judge it, measure it.

`setwise eval`, the demo and the scripts of the recipes all go through here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from setwise.errors import InputError, ModelError
from setwise.evaluation.generation import Inquiry, generate
from setwise.evaluation.lessons import as_taught, taught_k
from setwise.evaluation.methods import named_method
from setwise.evaluation.score_run import score_run
from setwise.matching import Matcher
from setwise.models import Model, Sampling
from setwise.objectives import Regime
from setwise.records.manifest import Manifest, manifest_of
from setwise.records.measured import Metrics
from setwise.records.method import Confidence
from setwise.records.run import AskedTask, RunConfig, RunFolder
from setwise.records.sample_file import SampleFile
from setwise.statistics import RESAMPLES
from setwise.tasks import Task

OnProgress = Callable[[int], None]
Progress = Callable[[str, int | None], AbstractContextManager[OnProgress]]
"""`progress(what, total)`: while something takes its time, called with how much is done."""


def silent(what: str, total: int | None) -> AbstractContextManager[OnProgress]:
    return nullcontext(lambda done: None)


@dataclass(frozen=True, kw_only=True)
class HowAsked:
    """What a user may choose about the asking; what is left open comes from the method and the model's manifest."""

    k: int | None = None
    samples: int | None = None
    confidence: Confidence | None = None
    """`prompt` or `continue`: ask a model for confidences that was trained without."""
    prompt: str | None = None
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    think_opened: bool = False


def inquiry_of(
    task: Task, method: str, model: str, how: HowAsked, task_settings: Mapping[str, Any] | None = None
) -> Inquiry:
    """A method of the table, made ready to ask one model: with its prompt, its K, its template."""
    chosen = named_method(method)
    if how.confidence:
        chosen = chosen.asking(how.confidence)
    kind, _, path = model.partition(":")
    if chosen.confidence == "continue" and kind == "scripted":
        raise InputError("a script cannot go on from a forced tag", place=chosen.name, remedy="ask by +prompt")
    manifest = manifest_of(path) if path else Manifest()
    chosen = chosen.sized(taught_k(chosen, manifest, task.regime) if how.k is None else how.k, how.samples)
    if how.prompt is not None:
        chosen = replace(chosen, prompt=how.prompt)
    chosen, think_opened = as_taught(chosen, manifest, task.regime)
    opened = how.think_opened or think_opened
    return Inquiry(task, chosen, how.sampling, how.seed, opened, task_settings or {})


def evaluate_model(
    model: Model,
    inquiries: Sequence[tuple[RunFolder, Inquiry]],
    matcher: Matcher,
    *,
    resamples: int = RESAMPLES,
    progress: Progress = silent,
) -> Iterator[tuple[RunFolder, Metrics]]:
    """Ask and judge one run after another; each folder with its numbers as soon as they are there.

    Every folder is claimed before anything is asked. Raises `ModelError` where completions are still missing.
    """
    sizes: dict[int, int] = {}
    for folder, inquiry in inquiries:
        if id(inquiry.task) not in sizes:
            sizes[id(inquiry.task)] = sum(1 for _ in inquiry.task)
        folder.claim(inquiry.config(model.name, sizes[id(inquiry.task)]))
    for folder, inquiry in inquiries:
        ask_for_missing(inquiry, model, folder, sizes[id(inquiry.task)], progress)
        yield folder, judge(folder, matcher, resamples=resamples, progress=progress)


def ask_for_missing(inquiry: Inquiry, model: Model, folder: RunFolder, problems: int, progress: Progress) -> None:
    """Add the completions that a run lacks."""
    file = SampleFile.opened(folder.samples)
    missing = problems * inquiry.method.samples - len(file)
    with progress(f"{inquiry.method.name}, completions", missing) as on_progress:
        result = generate(inquiry, model, file, lambda added, failed: on_progress(added))
    if result.failed:
        raise ModelError(
            f"{folder.path}: {result.failed} requests got no answer ({result.first_failure}); {result.added} "
            "completions were added; the same command again asks for the rest, --rescore scores what is there"
        )


def judge(
    folder: RunFolder,
    matcher: Matcher,
    *,
    config: RunConfig | None = None,
    resamples: int = RESAMPLES,
    progress: Progress = silent,
) -> Metrics:
    """Score what a run has. `config` is needed for completions that another program stored."""
    asked = config or folder.read_config()
    with progress("scoring", asked.task.problems) as on_progress:
        return score_run(folder, matcher, config=asked, resamples=resamples, on_progress=on_progress)


def config_of_stored(task: str, method: str, regime: Regime, how: HowAsked, matcher: str) -> RunConfig:
    """What to take completions for that came without a config: a file of another program, put into a run folder."""
    chosen = named_method(method)
    if how.confidence:
        chosen = chosen.asking(how.confidence)
    chosen = chosen.sized(how.k, how.samples)
    return RunConfig(
        task=AskedTask(name=task, regime=regime, settings={}),
        model="stored",
        method=chosen,
        objective=chosen.read_objective(regime, think_opened=how.think_opened),
        sampling={},
        prompt_fingerprint="",
        matcher=matcher,
    )
