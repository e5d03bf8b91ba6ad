"""The one loop of an evaluation: claim a folder, ask for what is missing, judge it, measure it.

`setwise eval`, the demo and the recipes' scripts all use it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from setwise.errors import InputError, ModelError
from setwise.evaluation.generation import Inquiry, Problems, generate
from setwise.evaluation.lessons import as_taught, taught_k
from setwise.evaluation.methods import named_method
from setwise.evaluation.score_run import score_run
from setwise.matching import Matcher, spec_of
from setwise.matching.needs import require_judgeable
from setwise.models import Model, Sampling, folder_of, is_served
from setwise.objectives import Regime
from setwise.records.manifest import Manifest, manifest_of
from setwise.records.measured import Metrics
from setwise.records.method import Confidence
from setwise.records.run import AskedTask, RunConfig, RunFolder
from setwise.records.sample_file import SampleFile
from setwise.records.unused import left_as_found
from setwise.statistics import RESAMPLES
from setwise.tasks import Task

OnProgress = Callable[[int], None]
Progress = Callable[[str, int | None], AbstractContextManager[OnProgress]]
"""`progress(what, total)` gives a function that is called with how much is done."""


def silent(what: str, total: int | None) -> AbstractContextManager[OnProgress]:
    return nullcontext(lambda done: None)


@dataclass(frozen=True, kw_only=True)
class HowAsked:
    """What a user may choose about the asking. The method and the model's manifest decide the rest."""

    k: int | None = None
    samples: int | None = None
    confidence: Confidence | None = None
    """`prompt` or `continue`: how to get confidences from a model trained without them."""
    prompt: str | None = None
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    think_opened: bool = False
    taught: Manifest | None = None
    """How the model was trained, if no manifest next to it records that."""


def inquiry_of(
    task: Task, method: str, model: str, how: HowAsked, task_settings: Mapping[str, Any] | None = None
) -> Inquiry:
    """A method prepared to ask one model: with its prompt, its K and its template."""
    chosen = named_method(method)
    if how.confidence:
        chosen = chosen.asking(how.confidence)
    if chosen.confidence == "continue" and model.startswith("scripted:"):
        raise InputError("a script cannot continue a forced tag", place=chosen.name, remedy="use a +prompt method")
    manifest = teaching_of(model, how)
    chosen = chosen.sized(taught_k(chosen, manifest, task.regime) if how.k is None else how.k, how.samples)
    if how.prompt is not None:
        chosen = replace(chosen, prompt=how.prompt)
    chosen, think_opened = as_taught(chosen, manifest, task.regime)
    opened = how.think_opened or think_opened
    loaded = {"kind": task.kind, "path": task.path, "source": task.source, **(task_settings or {})}
    # A model in this process reads those from its own manifest.
    told = how.taught is not None or (is_served(model) and manifest.chat_template_options)
    options = manifest.chat_template_options if told else None
    return Inquiry(task, chosen, how.sampling, how.seed, opened, loaded, options)


def teaching_of(model: str, how: HowAsked) -> Manifest:
    """How a model was trained: as the user says, else from the manifest next to its weights or at its served name."""
    folder = folder_of(model)
    return how.taught or (manifest_of(folder) if folder else Manifest())


def evaluate_model(
    model: Model,
    inquiries: Sequence[tuple[RunFolder, Inquiry]],
    matcher: Matcher,
    *,
    resamples: int = RESAMPLES,
    progress: Progress = silent,
) -> Iterator[tuple[RunFolder, Metrics]]:
    """Ask and judge one run at a time. Yields each folder with its metrics as soon as they are ready.

    What the matcher cannot judge is refused, and every folder claimed, before anything is asked. Raises `ModelError` if
    completions are still missing; a folder that was new and got none is gone again.
    """
    sizes: dict[int, int] = {}
    for _, inquiry in inquiries:
        if id(inquiry.task) not in sizes:
            sizes[id(inquiry.task)] = _judgeable(inquiry.task, matcher)
    with left_as_found([folder for folder, _ in inquiries]):
        for folder, inquiry in inquiries:
            config = inquiry.config(model.name, sizes[id(inquiry.task)])
            folder.claim(replace(config, matcher=spec_of(matcher) or matcher.name))
        for folder, inquiry in inquiries:
            ask_for_missing(inquiry, model, folder, sizes[id(inquiry.task)], progress)
            yield folder, judge(folder, matcher, resamples=resamples, progress=progress)


def _judgeable(task: Problems, matcher: Matcher) -> int:
    """The number of problems, checking that the matcher can judge each."""
    count = 0
    for problem in task:
        require_judgeable(problem, matcher)
        count += 1
    return count


def ask_for_missing(inquiry: Inquiry, model: Model, folder: RunFolder, problems: int, progress: Progress) -> None:
    """Add the completions that a run lacks."""
    file = SampleFile.opened(folder.samples)
    missing = problems * inquiry.method.samples - len(file)
    with progress(f"{inquiry.method.name}, completions", missing) as on_progress:
        result = generate(inquiry, model, file, lambda added, failed: on_progress(added))
    if result.failed and not len(file):
        raise ModelError(f"{folder.path}: none of {result.failed} requests got an answer ({result.first_failure})")
    if result.failed:
        raise ModelError(
            f"{folder.path}: {result.failed} requests got no answer ({result.first_failure}); {result.added} "
            "completions were added; the same command asks for the rest, and --rescore scores what is there"
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
    """The config for completions that came without one: a file of another program, put into a run folder."""
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
