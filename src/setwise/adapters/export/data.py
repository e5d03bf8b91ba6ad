"""A training run for another engine: its data, reward file and launch command, in one folder."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from setwise.adapters.engines import engine_named
from setwise.adapters.examples import DEFAULT_SPLIT, Example, ExportAsking, examples
from setwise.adapters.export.credit import credit_notes, credit_of
from setwise.adapters.rows_file import write_rows
from setwise.errors import InputError
from setwise.jobs import TrainingJob
from setwise.matching.broken import broken_problems, name_broken
from setwise.matching.protocol import let_go_after
from setwise.models.local_text import opens_thinking
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.records.files import replacing
from setwise.tasks import Task

REWARD_FILE = '''"""The reward of this run. Each row of the data carries all that it needs."""

from setwise.adapters.{engine} import {function}

__all__ = ["{function}"]
'''
REWARD_FUNCTIONS = {"verl": "compute_score", "openrlhf": "reward_func"}
"""For engines that load their reward from a file. The others take an import path."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and notes to print."""

    folder: Path
    files: list[Path]
    rows: int
    """Problems to train on."""
    longest_prompt: int
    """In characters."""
    notes: list[str]


def export_job(
    job: TrainingJob,
    engine: str,
    folder: Path,
    validation: Iterable[Problem],
    on_progress: Callable[[int], None] = lambda count: None,
) -> Exported:
    """Write what `engine` needs to train on the problems of a job."""
    layout = engine_named(engine)
    credit = credit_of(job)
    objective, notes = settled_objective(job)
    train, val = folder / f"train.{layout.format}", folder / f"val.{layout.format}"
    asking = ExportAsking(job.task.name, objective, job.task.matcher, job.task.instruction, job.prompt, credit)
    tally = _Tally(on_progress)
    taught, tested = (_unbroken(problems, job.task, notes) for problems in (job.problems, list(validation)))
    write_rows(map(layout.row, tally.counted(examples(taught, asking, DEFAULT_SPLIT))), train, layout.format)
    write_rows(map(layout.row, examples(tested, asking, "validation")), val, layout.format)
    files = [train, val]
    if function := REWARD_FUNCTIONS.get(engine):
        files.append(_written(folder / "reward.py", REWARD_FILE.format(engine=engine, function=function)))
    if engine == "nemo-rl":
        files.append(_written(folder / "system_prompt.txt", tally.system))
    notes += credit_notes(job, engine)
    if engine != "verl":
        notes += model_notes(job, engine)
    return Exported(folder, files, tally.rows, tally.longest_prompt, notes)


def _unbroken(problems: Sequence[Problem], task: Task, notes: list[str]) -> list[Problem]:
    """The problems that can be judged, since most engines stop at one that cannot."""
    with let_go_after(task.matcher) as matcher:
        found = broken_problems(problems, matcher)
    broken = {each.problem: str(each) for each in found if each is not None}
    if broken:
        notes.append(name_broken(broken))
    return [problem for problem, why in zip(problems, found, strict=True) if why is None]


def settled_objective(job: TrainingJob) -> tuple[Objective, list[str]]:
    """The objective with `think_opened` decided, as a row must carry it."""
    opened, notes = job.think_opened, []
    if opened is None and Path(job.model.location).is_dir():
        opened = _template_opens_thinking(job)
    if opened is None:
        opened = False
        notes.append(
            "objective.think_opened is not set and the chat template is not available, so completions are expected "
            "to write <think> themselves; set it if the template does"
        )
    return replace(job.objective, think_opened=opened), notes


def model_notes(job: TrainingJob, engine: str) -> list[str]:
    """For an engine whose files name no model: how the recipe loads and asks it."""
    model = job.model
    own = {"model.revision": model.revision, "model.chat_template_options": model.chat_template_options}
    told = [f"{name} {json.dumps(value)}" for name, value in own.items() if value]
    return [f"the files name no model, so set in {engine} yourself: {', '.join(told)}"] if told else []


def first_problems(task: Task, count: int) -> list[Problem]:
    """The first problems of a split, for engines that need something to validate on."""
    problems = list(islice(task, count))
    if not problems:
        raise InputError("the validation split has no problem", value=task.name)
    return problems


def write_launch(folder: Path, name: str, command: str) -> Path:
    path = _written(folder / name, command)
    path.chmod(0o755)
    return path


@dataclass(slots=True)
class _Tally:
    """What is recorded about the examples as they stream by."""

    on_progress: Callable[[int], None]
    rows: int = 0
    longest_prompt: int = 0
    system: str = ""

    def counted(self, stream: Iterator[Example]) -> Iterator[Example]:
        for example in stream:
            self.rows += 1
            self.on_progress(self.rows)
            self.longest_prompt = max(self.longest_prompt, len(example.system) + len(example.question))
            self.system = example.system
            yield example


def _template_opens_thinking(job: TrainingJob) -> bool:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(job.model.location, trust_remote_code=job.model.trust_remote_code)
    return opens_thinking(tokenizer, job.model.chat_template_options)


def _written(path: Path, text: str) -> Path:
    with replacing(path) as stream:
        stream.write(text)
    return path
