"""Options that several commands share, and how they are read.

Tasks are imported only by the commands that need one, so that `setwise score` starts fast.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from setwise.errors import InputError
from setwise.home import at_home
from setwise.metrics import METRICS

if TYPE_CHECKING:
    from setwise.tasks import Task


def add_task_arguments(group: Any, *, seed: str = "--seed", split: str = "train") -> None:
    """Options that select a task's problems; each command adds its own option for the task's name."""
    group.add_argument(
        "--path", type=at_home, help="the task's data: a file, a folder, or hub:OWNER/NAME for a dataset on the hub"
    )
    group.add_argument("--split", help=f"split to use (default: {split})")
    group.add_argument("--limit", type=int, help=f"use this many problems: the first, or a random sample with {seed}")
    group.add_argument(
        seed,
        dest="task_seed",
        type=int,
        help="seed of the sample; the same seed gives the same problems on any machine",
    )
    add_option_argument(group)


def add_option_argument(group: Any) -> None:
    group.add_argument(
        "--option",
        "--task-option",
        dest="options",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the task, such as min_probability=0.05 or policy=rlcr; repeatable",
    )


def task_name_help() -> str:
    from setwise.tasks import TASKS

    return f"one of {TASKS.listed()}, or your own as module:name"


def task_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The task's settings except its path, as `load_task` takes them."""
    settings = {"split": args.split, "limit": args.limit, "seed": args.task_seed}
    return {**settings, **task_options(args.options)}


def open_task(name: str, path: str | None, settings: Mapping[str, Any]) -> "Task":
    """Load the task, and print what was decided for the user on stderr."""
    from setwise.tasks import load_task

    task = load_task(name, path=path, **settings)
    for note in task.notes:
        print(f"note: {note}", file=sys.stderr)  # noqa: T201
    return task


def task_options(pairs: Sequence[str]) -> dict[str, Any]:
    """A task's own options. JSON values such as `0.1`, `true` and `null` are read as such, everything else as text.

    >>> task_options(["regime=inclusive", "findings=8"])
    {'regime': 'inclusive', 'findings': 8}
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        key, mark, value = pair.partition("=")
        if not mark or not key:
            raise InputError("an option is written KEY=VALUE", place="--option", value=pair)
        if key in ("name", "path", "split", "limit", "seed"):
            rule = f"{key} is not one of the task's own"
            raise InputError(rule, place="--option", value=pair, remedy="every task takes it: see --help for its name")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    return options


def add_metric_argument(parser: Any) -> None:
    parser.add_argument(
        "--metric",
        dest="metrics",
        action="append",
        default=[],
        metavar="MODULE:NAME",
        help="your own metric; metrics of installed packages are always included; repeatable",
    )


def load_metrics(args: argparse.Namespace) -> None:
    for name in args.metrics:
        METRICS.find(name)


def add_recipe_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "recipe", metavar="RECIPE", help="a YAML file, or a shipped recipe such as recipes/demo/rlvr-multi.yaml"
    )
    add_recipe_changes(parser)


def add_recipe_changes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="A.B=C",
        help="change one option of the recipe; repeatable",
    )


def require_at_least(least: int, option: str, value: int) -> None:
    if value < least:
        raise InputError(f"must be a whole number of at least {least}", place=option, value=value)
