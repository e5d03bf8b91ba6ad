"""The table of tasks, and the one function that loads them.

A task is a `TaskKind`: what opens it, its splits and its options. To add one of ours, add a module and a row here. Your
own needs neither (docs/how-to/extend.md).
"""

from dataclasses import fields, replace
from hashlib import blake2b
from json import dumps
from typing import Any, get_args, get_type_hints

from setwise.errors import InputError
from setwise.home import at_home
from setwise.plugins import Registry, suggestion
from setwise.tasks.task import Task, TaskKind, TaskRequest

TASKS: Registry[TaskKind] = Registry(
    TaskKind,
    "a task",
    "setwise.tasks",
    {
        "clinic": "setwise.tasks.clinic:CLINIC",
        "ddxplus": "setwise.tasks.ddxplus:DDXPLUS",
        "hotpotqa-modified": "setwise.tasks.hotpotqa:HOTPOTQA",
        "mbpp": "setwise.tasks.mbpp:MBPP",
        "jsonl": "setwise.tasks.jsonl:JSONL",
    },
)


def load_task(
    name: str,
    *,
    path: Any = None,
    split: str | None = None,
    limit: int | None = None,
    seed: int | None = None,
    **options: Any,
) -> Task:
    """The problems of a task, which can be iterated over repeatedly.

    `name` is one of our tasks, one of an installed package, or `module:name`. `path` is a file, a folder or
    `hub:OWNER/NAME`. `limit` takes the first rows or, with a `seed`, a random sample that is the same on every machine.
    `task.kind` is `name`, and so is `task.name`, unless the data is a file with its own name.

    >>> task = load_task("clinic", limit=2)
    >>> [problem.id for problem in task], task.regime.value
    (['clinic-train-0-0', 'clinic-train-0-1'], 'exclusive')
    """
    kind = TASKS.find(name)
    request = TaskRequest(
        task=name,
        options=make_options(kind.options, options, name),
        path=None if path is None else at_home(str(path)),
        split=_checked_split(split, kind.splits, name),
        limit=_checked_count(limit, "limit", 1),
        seed=_checked_count(seed, "seed", 0),
    )
    task = kind.open(request)
    identity = dumps([request.described(), task.source], sort_keys=True)
    return replace(
        task,
        name=_shown_name(task, name),
        kind=name,
        path=request.path,
        fingerprint=blake2b(identity.encode(), digest_size=16).hexdigest(),
    )


def _shown_name(task: Task, kind: str) -> str:
    """The task's own name; `ddxplus-jsonl` for a file ddxplus.jsonl, so that it is not taken for the task ddxplus."""
    return f"{task.name}-{kind}" if task.name != kind and task.name in TASKS else task.name


def make_options(kind: type, given: dict[str, Any], task: str) -> Any:
    """A task's options with the user's values, each checked by name and type."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    for name, value in given.items():
        if name not in names:
            known = f"; its options are {', '.join(names)}" if names else ""
            raise InputError(f"{name} is not an option of {task}{known}", place=task, remedy=suggestion(name, names))
        if not _fits(value, hints[name]):
            raise InputError(f"option {name} must be {_described(hints[name])}", place=task, value=value)
    try:
        return kind(**given)
    except InputError as error:
        raise error.at(task) from None


def _fits(value: Any, hint: Any) -> bool:
    kinds = get_args(hint) or (hint,)
    if isinstance(value, bool):
        return bool in kinds
    if isinstance(value, int) and float in kinds:
        return True
    return isinstance(value, kinds)


def _described(hint: Any) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return " or ".join(words[kind] for kind in (get_args(hint) or (hint,)) if kind in words)


def _checked_split(split: str | None, splits: tuple[str, ...], task: str) -> str | None:
    if split is None or not splits or split in splits:
        return split
    raise InputError(f"a split of {task} is one of {', '.join(splits)}", value=split, remedy=suggestion(split, splits))


def _checked_count(value: Any, name: str, least: int) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
        raise InputError(f"{name} must be a whole number of at least {least}", value=value)
    return value
