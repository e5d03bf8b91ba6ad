"""Answer sets with honest confidences: parse, label and reward what a language model wrote.

>>> from setwise import Objective, Problem, Regime, score
>>> p = Problem(id="1", question="...", golds=["Pneumonia", "Bronchitis"])
>>> text = "<think>hm</think><answer1>Bronchitis</answer1><confidence1>0.8</confidence1>"
>>> score(text, p, Objective("rlcr-multi", k=1, regime=Regime.INCLUSIVE)).labels
[True]
"""

from typing import TYPE_CHECKING, Any

from setwise.answers import AnswerSet, Candidate, Malformed, Reason
from setwise.errors import InputError, MachineryError, SetwiseError
from setwise.objectives import Objective, Regime, RewardPreset
from setwise.parsing import parse
from setwise.problems import Gold, Problem
from setwise.scoring import Score, score, score_batch
from setwise.version import __version__

if TYPE_CHECKING:
    from setwise.evaluation import evaluate

__all__ = [
    "AnswerSet",
    "Candidate",
    "Gold",
    "InputError",
    "MachineryError",
    "Malformed",
    "Objective",
    "Problem",
    "Reason",
    "Regime",
    "RewardPreset",
    "Score",
    "SetwiseError",
    "__version__",
    "evaluate",
    "parse",
    "score",
    "score_batch",
]


def __getattr__(name: str) -> Any:
    """`evaluate` on first use: metrics need numpy, which scoring does without."""
    if name == "evaluate":
        from setwise.evaluation import evaluate

        return evaluate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
