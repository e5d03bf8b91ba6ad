"""The table of tasks, and the one function that loads them.

A task is a module with `SPLITS`, an `Options` dataclass of defaults and `open_task(request) -> Task`.
Adding one is such a module and a row here; docs/tasks.md walks through it.
"""

import importlib
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from hashlib import blake2b
from json import dumps
from typing import Any, get_args, get_type_hints

from setwise.errors import InputError
from setwise.tasks.task import Request, Task


@dataclass(frozen=True, slots=True)
class Row:
    """Where a task lives and what it is about."""

    module: str
    summary: str


TASKS = {
    "clinic": Row(
        "setwise.tasks.clinic", "patients of a made-up clinic whose exact posterior is known; needs no files"
    ),
    "ddxplus": Row("setwise.tasks.ddxplus", "DDXPlus patients; the answers are the differential diagnosis"),
    "hotpotqa-modified": Row("setwise.tasks.hotpotqa", "HotpotQA with supporting paragraphs withheld; one answer"),
    "mbpp": Row("setwise.tasks.mbpp", "short Python programs, graded by their asserts"),
    "jsonl": Row("setwise.tasks.jsonl", "your own questions and answers: JSON lines, CSV or Parquet"),
}


def load_task(
    name: str,
    *,
    path: Any = None,
    split: str | None = None,
    limit: int | None = None,
    seed: int | None = None,
    **options: Any,
) -> Task:
    """The problems of a task, to iterate over as often as needed.

    `path` is a file, a folder or `hub:OWNER/NAME`. `limit` with a `seed` is a random sample of that size, the
    same on every machine; without one it is the first rows.

    >>> task = load_task("clinic", limit=2)
    >>> [problem.id for problem in task], task.regime.value
    (['clinic-train-0-0', 'clinic-train-0-1'], 'exclusive')
    """
    if name not in TASKS:
        raise InputError(f"a task is one of {', '.join(TASKS)}", value=name, remedy=suggestion(name, TASKS))
    module = importlib.import_module(TASKS[name].module)
    request = Request(
        task=name,
        options=make_options(module.Options, options, name),
        path=None if path is None else str(path),
        split=_checked_split(split, module.SPLITS, name),
        limit=_checked_count(limit, "limit", 1),
        seed=_checked_count(seed, "seed", 0),
    )
    task = module.open_task(request)
    identity = dumps([request.described(), task.source], sort_keys=True)
    return replace(task, fingerprint=blake2b(identity.encode(), digest_size=16).hexdigest())


def make_options(kind: type, given: dict[str, Any], task: str) -> Any:
    """A task's options with what the user gave, each known by name and of the declared type."""
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


def suggestion(word: str, known: Any) -> str:
    """`did you mean ...?` where something close is known, else nothing.

    >>> suggestion("ddxpls", ["clinic", "ddxplus"])
    'did you mean ddxplus?'
    """
    close = get_close_matches(str(word), list(known), n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else ""


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
