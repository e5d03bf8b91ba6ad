"""`setwise demo`: trains, evaluates and reports on the embedded task, on two CPU cores."""

import argparse
import sys
import time
from pathlib import Path

from setwise.cli import main
from setwise.cli.options import require_at_least
from setwise.cli.terminal import print_table
from setwise.config import Recipe, read_recipe
from setwise.errors import InputError
from setwise.models import Sampling
from setwise.objectives import OBJECTIVES
from setwise.prompting import lesson
from setwise.records.files import replacing
from setwise.records.holding import held
from setwise.records.manifest import Lesson
from setwise.tasks import Task
from setwise.training import check_installed
from setwise.workflows.demo.lanes import run_lanes
from setwise.workflows.demo.processes import Command, prepare_processes
from setwise.workflows.demo.trainings import LONGEST_FIRST, TRAININGS

HELP = """Train a small model six ways on patients of a made-up clinic, evaluate every method of the paper, and report.

  setwise demo
  setwise demo --seed 1 --out runs/demo-1

Takes a few minutes on two CPU cores; needs no data, no network and no GPU. docs/start/demo.md explains the output."""

DEMO_RESAMPLES = 2000
IMPORTS = (
    "setwise.cli.train",
    "setwise.models.shared_prompt.completions",
    "setwise.tasks.clinic",
    "setwise.training.run.trainer",
    "setwise.workflows.demo.stages",
    "setwise.workflows.report",
    "transformers.models.llama.modeling_llama",
)
"""What trainings and evaluations import, together with what these import."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--recipes", type=Path, default=Path("recipes/demo"), metavar="DIR", help="folder with the six recipes"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("runs/demo"), metavar="DIR", help="folder to write (default: runs/demo)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the model, the patients and the sampling (default: 0)"
    )
    parser.add_argument("--lanes", type=int, default=2, help="training runs at a time (default: 2)")
    parser.add_argument("--problems", type=int, default=400, help="number of patients to evaluate on (default: 400)")


def run(args: argparse.Namespace) -> int:
    _check(args)
    with held(args.out):
        return _demo(args)


def _demo(args: argparse.Namespace) -> int:
    from setwise.training.warm_start.word_model import WordModelSize
    from setwise.workflows.demo.examples import LOOKED_THROUGH
    from setwise.workflows.demo.findings import COLUMNS, find
    from setwise.workflows.demo.serving import Service, prepare_service
    from setwise.workflows.demo.stages import Examination, Start, examine, make_start
    from setwise.workflows.report import make_report

    begun = time.monotonic()
    recipes = {name: _recipe(args, name) for name in TRAININGS}
    first = recipes[OBJECTIVES[0]]
    if first.warm_start is None:
        raise InputError("the demo's recipes must have a warm_start", place=args.recipes)
    task = first.task.load()
    check_installed(first.job())
    lessons = [_lesson(recipes[name], task) for name in OBJECTIVES]
    processes = prepare_processes(main, IMPORTS)
    _say(begun, f"teaching a new model the four formats ({first.warm_start.steps} steps)")
    start = make_start(
        Start(
            task=task,
            lessons=lessons,
            settings=first.warm_start,
            folder=args.out,
            size=WordModelSize(),
            seed=args.seed,
        ),
        lambda line: _say(begun, line),
    )
    _say(begun, f"training {len(TRAININGS)} ways, {args.lanes} at a time, one thread each")
    run_lanes([_training(args, name) for name in LONGEST_FIRST], args.lanes, processes, lambda line: _say(begun, line))
    _say(begun, f"asking {args.problems} new patients' questions in every way of the paper")
    test = _test_task(first, args.problems)
    sampling = Sampling(first.generation.temperature, 1.0, first.generation.max_completion_tokens)
    examination = Examination(
        task=test,
        prompts={lesson.objective.name: lesson.prompt or "" for lesson in lessons},
        models={"base": start, **{name: args.out / "train" / name / "model" for name in TRAININGS}},
        folder=args.out / "eval",
        sampling=sampling,
        seed=args.seed,
        resamples=DEMO_RESAMPLES,
    )
    with processes.pool(args.lanes) as pool:
        runs = examine(examination, pool, lambda line: _say(begun, line))
        everything = [*runs, *(args.out / "train" / name for name in TRAININGS)]
        report = pool.submit(make_report, everything, args.out / "report", formats=("svg",), resamples=DEMO_RESAMPLES)
        findings = find(runs, test, DEMO_RESAMPLES)
        written = report.result()
    title = f"\n{args.problems} patients, seed {args.seed}; 95 % intervals over patients"
    print_table(title, findings.rows, ["method", *COLUMNS.values()])
    lines = ["", "What these numbers show:", *(f"  {sentence}" for sentence in findings.sentences)]
    print("\n".join(lines))  # noqa: T201
    with replacing(args.out / "findings.txt") as stream:
        stream.write("\n".join([*(" | ".join(row) for row in findings.rows), *lines]) + "\n")
    _say(begun, f"report: {written.page}")
    patients = _test_task(first, args.problems + LOOKED_THROUGH)
    service = Service(folder=args.out, patients=patients, evaluated=args.problems, sampling=sampling)
    for line in prepare_service(service):
        _say(begun, line)
    return 0


def _check(args: argparse.Namespace) -> None:
    """Catch early what would otherwise fail minutes later."""
    for name, least in (("lanes", 1), ("problems", 1), ("seed", 0)):
        require_at_least(least, f"--{name}", getattr(args, name))
    in_the_way = next((path for path in (args.out, *args.out.parents) if path.exists() and not path.is_dir()), None)
    if in_the_way:
        raise InputError("a file is in the way of the folder", place=f"--out {args.out}", remedy="choose another")


def _recipe(args: argparse.Namespace, name: str) -> Recipe:
    return read_recipe(args.recipes / f"{name}.yaml", _changes(args, name))


def _changes(args: argparse.Namespace, name: str) -> list[str]:
    return [
        f"run.folder={args.out / 'train' / name}",
        f"run.seed={args.seed}",
        f"task.seed={args.seed}",
        f"model.path={args.out / 'start'}",
    ]


def _lesson(recipe: Recipe, task: Task) -> Lesson:
    return lesson(recipe.objective.build(task.regime, recipe.reward.build()), recipe.objective.read_prompt())


def _training(args: argparse.Namespace, name: str) -> Command:
    changes = [word for change in _changes(args, name) for word in ("--set", change)]
    recipe = str(args.recipes / f"{name}.yaml")
    arguments = ("train", recipe, *changes, "--set", "warm_start=null")
    return Command(name, arguments, args.out / "logs" / f"{name}.log")


def _test_task(recipe: Recipe, patients: int) -> Task:
    return recipe.task.model_copy(update={"split": "test", "limit": patients}).load()


def _say(begun: float, line: str) -> None:
    minutes, seconds = divmod(round(time.monotonic() - begun), 60)
    print(f"{minutes:2d}:{seconds:02d}  {line}", file=sys.stderr, flush=True)  # noqa: T201
