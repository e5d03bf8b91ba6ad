"""The engines that data can be exported for, by name."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from setwise.adapters.examples import Example
from setwise.errors import InputError

ENGINES = {
    "verl": "setwise.adapters.verl",
    "openrlhf": "setwise.adapters.openrlhf",
    "skyrl": "setwise.adapters.skyrl",
    "slime": "setwise.adapters.slime",
    "nemo-rl": "setwise.adapters.nemo_rl",
    "open-instruct": "setwise.adapters.open_instruct",
}


@dataclass(frozen=True, slots=True)
class Engine:
    """The row format of one engine."""

    name: str
    format: str
    row: Callable[[Example], dict[str, Any]]


def engine_named(name: str) -> Engine:
    """An engine by name.

    >>> engine_named("verl").format
    'parquet'
    """
    if name not in ENGINES:
        raise InputError(f"an engine is one of {', '.join(ENGINES)}", value=name)
    module = importlib.import_module(ENGINES[name])
    return Engine(name, module.FORMAT, module.row)
