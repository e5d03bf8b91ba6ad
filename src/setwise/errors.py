"""What can go wrong, and whose fault it is.

    SetwiseError
    ├── InputError (ValueError)         unusable input; one line: where, which rule, what, and the remedy
    │   └── ConfigError                 the same, for a config file or a --set option
    ├── MissingDependency (ImportError) an optional package is missing; the line has the command to install it
    └── MachineryError (RuntimeError)   our own failure; never counted as a wrong answer
        ├── BrokenProblem               no answer to this problem can be judged, so it is left out
        ├── SandboxError                a program could not be judged
        ├── JudgeError                  a judge model did not give a verdict
        └── ModelError                  a model or its server did not answer

Malformed model output is not in this tree: it is a value (`setwise.Malformed`), scored and counted.
"""

import json
from typing import Any

_NOT_GIVEN: Any = object()
_SHOWN_CHARACTERS = 80


class SetwiseError(Exception):
    """Base class of everything this package raises on purpose."""


class InputError(SetwiseError, ValueError):
    """Bad input. `str(error)` is one line: `place: rule, got value; remedy`.

    >>> print(InputError("k must be at least 1", value=0, place="recipe.yaml"))
    recipe.yaml: k must be at least 1, got 0
    """

    def __init__(self, rule: str, *, place: object = "", value: Any = _NOT_GIVEN, remedy: str = "") -> None:
        self.rule, self.place, self.remedy = rule, str(place), remedy
        self.value = None if value is _NOT_GIVEN else value
        where = f"{self.place}: " if self.place else ""
        got = "" if value is _NOT_GIVEN else f", got {show(value)}"
        super().__init__(_one_line(where + rule + got + (f"; {remedy}" if remedy else "")))

    def at(self, place: object) -> "InputError":
        """The same error with its location."""
        located = type(self)(self.rule, place=place, remedy=self.remedy)
        located.value = self.value
        located.args = (_one_line(f"{place}: {self.args[0]}"),)
        return located


class ConfigError(InputError):
    """A config key or value that cannot be used."""


class MissingDependency(SetwiseError, ImportError):
    """An optional package is needed but not installed.

    >>> print(MissingDependency('backend "vllm"', package="vllm", extra="vllm"))
    backend "vllm" needs vllm: pip install 'setwise[vllm]'
    """

    def __init__(self, what: str, *, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}: pip install 'setwise[{extra}]'")


class MachineryError(SetwiseError, RuntimeError):
    """Our own machinery failed, so there is no verdict. Never counted as a wrong answer."""


class BrokenProblem(MachineryError):
    """A problem whose own reference does not pass its tests, or whose tests cannot be judged.

    >>> print(BrokenProblem("7", "failed", "failed: 1 of 2 asserts"))
    problem 7: its reference does not pass its own tests (failed: 1 of 2 asserts)
    """

    def __init__(self, problem: str, status: str, detail: str) -> None:
        super().__init__(problem, status, detail)
        self.problem, self.status, self.detail = problem, status, detail

    def __str__(self) -> str:
        unsupported = self.status == "unsupported_test"
        what = "its tests cannot be judged" if unsupported else "its reference does not pass its own tests"
        return _one_line(f"problem {self.problem}: {what} ({self.detail})")


class SandboxError(MachineryError):
    """A program could not be judged."""


class JudgeError(MachineryError):
    """A judge model gave no usable verdict."""


class ModelError(MachineryError):
    """A model or its server did not answer."""


def _one_line(message: str) -> str:
    """Names and paths from users may contain line breaks."""
    return " ".join(message.splitlines())


def show(value: Any) -> str:
    """A value, shortened to fit on one line of an error message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
