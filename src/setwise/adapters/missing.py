"""Imports an engine when it is first needed, or explains in one line how to install it."""

import importlib
from typing import Any

from setwise.errors import MissingDependency, SetwiseError


class MissingEngine(MissingDependency):
    """An engine that is installed from its own repository, and so is in none of our extras.

    >>> print(MissingEngine("the nemo-rl adapter", package="nemo_rl"))
    the nemo-rl adapter needs nemo_rl: install it as its own documentation says, and setwise beside it
    """

    def __init__(self, what: str, *, package: str) -> None:
        remedy = "install it as its own documentation says, and setwise beside it"
        SetwiseError.__init__(self, f"{what} needs {package}: {remedy}")


def imported(module: str, *, adapter: str, extra: str | None = None) -> Any:
    """A module of an optional package.

    >>> imported("no_such_engine", adapter="none", extra="none")
    Traceback (most recent call last):
    setwise.errors.MissingDependency: the none adapter needs no_such_engine: pip install 'setwise[none]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        if extra is None:
            raise MissingEngine(f"the {adapter} adapter", package=package) from None
        raise MissingDependency(f"the {adapter} adapter", package=package, extra=extra) from None
