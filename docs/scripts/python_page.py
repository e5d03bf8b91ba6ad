"""The public names, for mkdocstrings to fill in from their docstrings."""

import inspect
from collections.abc import Iterator

import setwise
import setwise.calibration
import setwise.plots
import setwise.serving

BESIDE = {
    "Decisions": (setwise.calibration, ("Profile",)),
    "A client for the server": (setwise.serving, ("AnswerSetClient",)),
    "Plots": (setwise.plots, tuple(setwise.plots.__all__)),
}
"""Public modules beside the package itself, and what they offer."""


def python_page() -> Iterator[str]:
    """Functions first, then types and errors, then what lies in modules."""
    yield "# Python"
    yield ""
    yield "This page is generated from the docstrings of the public names;"
    yield "[Use from Python](../how-to/python.md) shows them at work."
    public = {name: getattr(setwise, name) for name in setwise.__all__ if not name.startswith("__")}
    errors = {name: each for name, each in public.items() if inspect.isclass(each) and issubclass(each, Exception)}
    types = {name: each for name, each in public.items() if inspect.isclass(each) and name not in errors}
    functions = {name: each for name, each in public.items() if name not in errors and name not in types}
    for heading, names in (("Functions", functions), ("Types", types), ("Errors", errors)):
        yield from _section(heading, list(names.values()))
    for heading, (module, names) in BESIDE.items():
        yield from _section(heading, [getattr(module, name) for name in names])


def _section(heading: str, named: list[type]) -> Iterator[str]:
    yield ""
    yield f"## {heading}"
    for each in named:
        yield ""
        yield f"::: {each.__module__}.{each.__qualname__}"
