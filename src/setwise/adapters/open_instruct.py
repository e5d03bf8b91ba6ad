"""open-instruct: a verifier named `setwise`, for rows whose `dataset` column is `setwise`.

open-instruct finds verifiers as subclasses, in every process that scores. To add this one, put one line at the end of
its `ground_truth_utils.py`: `from setwise.adapters.open_instruct import SetwiseVerifier`.
"""

from functools import lru_cache
from typing import Any

from setwise.adapters.examples import Example
from setwise.adapters.grade import grade, total
from setwise.adapters.missing import imported

FORMAT = "jsonl"
VERIFIER = "setwise"


def __getattr__(name: str) -> Any:
    if name == "SetwiseVerifier":
        return _verifier()
    raise AttributeError(f"module {__name__} has no attribute {name}")


def verify(prediction: str, label: Any) -> float:
    """The reward. A label arrives as the row's string, or as a list with only that string."""
    (ground_truth,) = [label] if isinstance(label, str) else label
    return total(grade(prediction, ground_truth))


def row(example: Example) -> dict[str, Any]:
    return {"messages": example.chat, "ground_truth": example.ground_truth, "dataset": VERIFIER}


@lru_cache
def _verifier() -> type:
    module = imported("open_instruct.ground_truth_utils", adapter="open-instruct")
    base: Any = module.VerifierFunction

    class SetwiseVerifier(base):
        """Scores one prediction against the ground truth of its row."""

        def __init__(self, verifier_config: Any = None) -> None:
            super().__init__(VERIFIER, verifier_config=verifier_config, weight=1.0)

        def __call__(
            self,
            tokenized_prediction: list[int],
            prediction: str,
            label: Any,
            query: str | None = None,
            rollout_state: dict[str, Any] | None = None,
        ) -> Any:
            return module.VerificationResult(score=verify(prediction, label))

    SetwiseVerifier.__module__, SetwiseVerifier.__qualname__ = __name__, "SetwiseVerifier"
    return SetwiseVerifier
