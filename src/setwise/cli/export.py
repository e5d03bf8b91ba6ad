"""`setwise export`: turns a recipe into what another engine needs to run it."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from setwise.adapters.engines import ENGINES
from setwise.adapters.export.data import Exported, export_job, first_problems, write_launch
from setwise.adapters.export.verifiers import ProblemChoice, export_taskset
from setwise.adapters.export.verl import Cluster, check_verl, verl_command, verl_flags, verl_notes
from setwise.cli.options import add_recipe_arguments
from setwise.cli.terminal import progress
from setwise.config import Recipe, read_recipe
from setwise.errors import InputError
from setwise.jobs import TrainingJob
from setwise.questions import Problem
from setwise.tasks import TASKS, load_task

TARGETS = (*ENGINES, "verifiers")
VALIDATION_PROBLEMS = 256

HELP = f"""Write a folder with what another engine needs to train a recipe.

  setwise export verl recipes/paper/ddxplus/rlcr-multi.yaml out --set task.path=data/ddxplus
  sh out/launch.sh trainer.n_gpus_per_node=4
  setwise export verifiers recipe.yaml my-taskset && pip install ./my-taskset

engines: {", ".join(TARGETS)}

Each row carries its golds or tests, the objective and the matcher, so the reward function needs nothing else.
docs/how-to/engines.md describes how to start each engine."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("engine", metavar="ENGINE", choices=TARGETS, help=f"one of {', '.join(TARGETS)}")
    add_recipe_arguments(parser)
    parser.add_argument("out", metavar="OUT", type=Path, help="folder to write")
    parser.add_argument("--val-split", help="split to validate on (default: the task's second)")
    parser.add_argument("--nodes", type=int, default=1, help="number of machines (verl only; default: 1)")
    parser.add_argument("--gpus", type=int, default=8, help="GPUs per machine (verl only; default: 8)")


def run(args: argparse.Namespace) -> int:
    recipe = read_recipe(args.recipe, args.changes)
    try:
        job = recipe.job()
    except InputError as error:
        raise error.at(args.recipe) from None
    files, notes = (
        export_taskset(job, _choice(recipe), args.out)
        if args.engine == "verifiers"
        else _export_data(args, recipe, job)
    )
    for note in [*job.task.notes, *notes]:
        print(f"note: {note}", file=sys.stderr)  # noqa: T201
    for path in files:
        print(path)  # noqa: T201
    return 0


def _export_data(args: argparse.Namespace, recipe: Recipe, job: TrainingJob) -> tuple[list[Path], list[str]]:
    if args.engine == "verl":
        check_verl(job)
    validation = _validation(recipe, args.val_split, job)
    with progress(f"exporting {job.task.name}", len(job.problems)) as on_progress:
        exported = export_job(job, args.engine, args.out, validation, on_progress)
    notes = [*exported.notes, *(verl_notes(job) if args.engine == "verl" else ())]
    files = exported.files
    if args.engine == "verl":
        files = [*files, _launch_file(args, job, exported, notes)]
    return files, notes


def _launch_file(args: argparse.Namespace, job: TrainingJob, exported: Exported, notes: list[str]) -> Path:
    flags = verl_flags(job, exported, Cluster(args.nodes, args.gpus))
    return write_launch(exported.folder, "launch.sh", verl_command(flags, notes))


def _validation(recipe: Recipe, split: str | None, job: TrainingJob) -> Iterable[Problem]:
    """The first problems of another split, or of the training split if the task has no other."""
    splits = TASKS.find(recipe.task.name).splits
    chosen = split or (splits[1] if len(splits) > 1 else None)
    if chosen is None:
        return job.problems[:VALIDATION_PROBLEMS]
    section = recipe.task
    task = load_task(section.name, path=section.path, split=chosen, seed=section.seed, **section.options)
    return first_problems(task, VALIDATION_PROBLEMS)


def _choice(recipe: Recipe) -> ProblemChoice:
    task = recipe.task
    return ProblemChoice(task.name, task.path, task.split, task.limit, task.seed, task.options)
