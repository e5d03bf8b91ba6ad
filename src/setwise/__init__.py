"""Answer sets with honest confidences: train language models to write them, and measure how well they do.

>>> from setwise import Objective, Problem, Regime, score
>>> problem = Problem(id="1", question="...", golds=["Pneumonia", "Bronchitis"])
>>> text = "<think>hm</think><answer1>Bronchitis</answer1><confidence1>0.8</confidence1>"
>>> score(text, problem, Objective("rlcr-multi", k=1, regime=Regime.INCLUSIVE)).labels
[True]

What is listed in `__all__` is the public face; everything else may move.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from setwise.answers import AnswerSet, Candidate, Malformed, Match
from setwise.errors import InputError, MachineryError, SetwiseError
from setwise.objectives import Objective, Regime, RewardPreset
from setwise.parsing import parse
from setwise.questions import Gold, Problem, Question
from setwise.scoring import Score, score, score_batch
from setwise.version import __version__

if TYPE_CHECKING:
    from setwise.config import read_recipe
    from setwise.evaluation.compare import compare
    from setwise.evaluation.frame import problem_frame
    from setwise.evaluation.measure import evaluate
    from setwise.metrics import metric
    from setwise.rewards import term
    from setwise.serving.model import load
    from setwise.tasks import Task, TaskKind, load_task
    from setwise.training import train

__all__ = [
    "AnswerSet",
    "Candidate",
    "Gold",
    "InputError",
    "MachineryError",
    "Malformed",
    "Match",
    "Objective",
    "Problem",
    "Question",
    "Regime",
    "RewardPreset",
    "Score",
    "SetwiseError",
    "Task",
    "TaskKind",
    "__version__",
    "compare",
    "evaluate",
    "load",
    "load_task",
    "metric",
    "parse",
    "problem_frame",
    "read_recipe",
    "score",
    "score_batch",
    "term",
    "train",
]

_ON_FIRST_USE = {
    "Task": "setwise.tasks",
    "TaskKind": "setwise.tasks",
    "compare": "setwise.evaluation.compare",
    "evaluate": "setwise.evaluation.measure",
    "load": "setwise.serving.model",
    "load_task": "setwise.tasks",
    "metric": "setwise.metrics",
    "problem_frame": "setwise.evaluation.frame",
    "read_recipe": "setwise.config",
    "term": "setwise.rewards",
    "train": "setwise.training",
}
"""Imported on first use, so that scoring starts without them."""


def __getattr__(name: str) -> Any:
    if name in _ON_FIRST_USE:
        return getattr(import_module(_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
