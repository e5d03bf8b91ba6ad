"""`setwise train`: trains a model from a recipe."""

import argparse
import os
import sys

from setwise.cli.options import add_recipe_arguments, require_at_least
from setwise.cli.terminal import print_table
from setwise.config import Recipe, read_recipe
from setwise.errors import InputError
from setwise.jobs import TrainingJob
from setwise.training import Cost, TrainingOutcome, check_installed, check_job, cost_of, require_precision, train

HELP = """Train a causal language model with one of the four objectives, as described by a recipe.

  setwise train recipes/small/ddxplus/rlcr-multi.yaml --set task.path=data/ddxplus
  setwise train recipe.yaml --dry-run
  accelerate launch --config_file recipes/accelerate/zero3.yaml -m setwise train recipe.yaml

The same command resumes a run that was stopped or killed. SIGINT and SIGTERM save a checkpoint and stop."""

STOPPED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_recipe_arguments(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print the resolved recipe and its estimated cost, then exit"
    )
    parser.add_argument("--processes", type=int, help="with --dry-run: number of processes that will share the work")


def run(args: argparse.Namespace) -> int:
    recipe = read_recipe(args.recipe, args.changes)
    processes = _processes(args.processes)
    try:
        job = recipe.job()
        warnings = check_job(job, processes)
    except InputError as error:
        raise error.at(args.recipe) from None
    if os.environ.get("RANK", "0") == "0":
        for warning in warnings:
            print(f"setwise: warning: {warning}", file=sys.stderr)  # noqa: T201
    if args.dry_run:
        _say_what_this_machine_lacks(job)
        _print_plan(recipe, cost_of(job, processes))
        return 0
    check_installed(job)
    return _say(train(job), job)


def _say_what_this_machine_lacks(job: TrainingJob) -> None:
    """Warn only, since the plan may be for another machine."""
    try:
        require_precision(job.model.dtype)
    except InputError as error:
        print(f"setwise: warning: {error}, or train on another machine", file=sys.stderr)  # noqa: T201


def _processes(given: int | None) -> int:
    if given is None:
        return int(os.environ.get("WORLD_SIZE", "1"))
    require_at_least(1, "--processes", given)
    return given


def _print_plan(recipe: Recipe, plan: Cost) -> None:
    import yaml

    print(yaml.safe_dump(recipe.to_plain(), sort_keys=False), end="")  # noqa: T201
    rows = [
        ("problems", f"{plan.problems:,}"),
        ("processes", f"{plan.processes}"),
        ("effective batch (completions per step)", f"{plan.completions_per_step:,}"),
        ("prompts sampled at a time", f"{plan.prompts_per_step:,}"),
        ("accumulation steps per process", f"{plan.accumulation_steps:,}"),
        ("optimizer steps", f"{plan.steps:,}"),
        ("tokens per prompt, about", f"{plan.prompt_tokens:,}"),
        ("tokens per step, at most", f"{plan.tokens_per_step:,}"),
    ]
    print_table("\nThe run", rows)
    if plan.shape is None:
        print("Memory and disk: unknown, because neither the model's config nor its name gives its size")  # noqa: T201
        return
    source = "its config" if plan.shape.exact else "its name"
    rows = [(part, f"{size:.2f} GB") for part, size in plan.memory_gb.items()]
    rows.append(("one process, nothing sharded", f"{plan.total_memory_gb:.2f} GB"))
    if plan.processes > 1:
        rows.append(("one process, sharded (ZeRO-3, FSDP2)", f"{plan.sharded_memory_gb:.2f} GB"))
    print_table(f"Memory, for {plan.shape.parameters / 1e9:.2g} B parameters (from {source})", rows)
    rows = [(part, f"{size:.2f} GB") for part, size in plan.disk_gb.items()]
    print_table("Disk, about", [*rows, ("the run folder, at most", f"{sum(plan.disk_gb.values()):.2f} GB")])


def _say(outcome: TrainingOutcome, job: TrainingJob) -> int:
    if os.environ.get("RANK", "0") != "0":
        return 0 if outcome.model else STOPPED
    if outcome.model is None:
        print(f"stopped at step {outcome.step} of {outcome.steps}; the same command continues from there")  # noqa: T201
        return STOPPED
    done = "already finished" if outcome.was_finished else f"trained for {outcome.step} steps"
    print(f"{done}: {outcome.model}")  # noqa: T201
    print(f"log: {job.folder / 'log.jsonl'}")  # noqa: T201
    return 0
