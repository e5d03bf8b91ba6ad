"""verl (Ray): `reward.custom_reward_function.path=reward.py`, with the parquet files that `setwise export verl` writes.

verl 0.9 decodes each response without special tokens and calls `compute_score` from the threads of its reward workers.
"""

from typing import Any

from setwise.adapters.examples import Example
from setwise.adapters.grade import grade, terms, total

FORMAT = "parquet"


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None, **_: Any
) -> dict[str, float]:
    """The reward as `score`, and its terms, which verl logs when it validates."""
    result = grade(solution_str, ground_truth)
    return {"score": total(result), **terms(result)}


def row(example: Example) -> dict[str, Any]:
    return {
        "data_source": f"setwise/{example.task}",
        "prompt": example.chat,
        "ability": example.task,
        "reward_model": {"style": "rule", "ground_truth": example.ground_truth},
        "extra_info": {"id": example.id, "index": example.index, "split": example.split},
    }
