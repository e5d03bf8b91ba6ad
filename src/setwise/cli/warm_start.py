"""`setwise warm-start`: teaches a model the formats of several recipes, so that all of them can start from it."""

import argparse
from pathlib import Path

from setwise.cli.options import add_recipe_changes
from setwise.config import read_recipe
from setwise.errors import InputError
from setwise.jobs import TrainingJob
from setwise.training import check_installed, shared_start

HELP = """Teach a model the formats of several recipes, so that their trainings can start from the same model.

  setwise warm-start recipes/small/ddxplus/rl*.yaml --set warm_start.steps=100 --out runs/start
  setwise train recipes/small/ddxplus/rlcr-multi.yaml --set model.path=runs/start

The recipes must agree on the task, the model and the warm start."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipes", metavar="RECIPE", nargs="+", help="recipes that will start from the model")
    add_recipe_changes(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the model")


def run(args: argparse.Namespace) -> int:
    jobs = [_job(recipe, args.changes) for recipe in args.recipes]
    check_installed(jobs[0])
    print(f"taught {len(jobs)} recipes: {shared_start(jobs, args.out)}")  # noqa: T201
    return 0


def _job(recipe: str, changes: list[str]) -> TrainingJob:
    try:
        return read_recipe(recipe, changes).job()
    except InputError as error:
        raise error.at(recipe) from None
