"""OpenRLHF: `--reward.remote_url reward.py` loads `reward_func` from the file that `setwise export openrlhf` writes.

It passes prompt and response as one text, decoded with special tokens, so the prompt and the token that ended the turn
are cut off. OpenRLHF logs exceptions and continues without a reward for the completion.
"""

from collections.abc import Sequence
from typing import Any

from setwise.adapters.examples import Example
from setwise.adapters.grade import grade, terms, total, without_end_of_turn
from setwise.adapters.missing import imported
from setwise.errors import InputError

FORMAT = "jsonl"


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> dict[str, Any]:
    """`rewards` for the advantage; `scores` (the share of right answers, from 0 to 1) for dynamic filtering."""
    torch = imported("torch", adapter="openrlhf", extra="train")
    scores = [
        grade(completion_of(query, prompt), label)
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    logged = [terms(score) for score in scores]
    return {
        "rewards": torch.tensor([total(score) for score in scores]),
        "scores": torch.tensor([sum(score.labels) / max(1, len(score.labels)) for score in scores]),
        "extra_logs": {name: torch.tensor([each[name] for each in logged]) for name in (logged[0] if logged else ())},
    }


def completion_of(query: str, prompt: str) -> str:
    """What the model wrote after the prompt.

    >>> completion_of("<|im_start|>Who?<answer>Ada</answer><|im_end|>", "<|im_start|>Who?")
    '<answer>Ada</answer>'
    """
    if not query.startswith(prompt):
        raise InputError(
            "a query must start with its prompt", value=query, remedy="raise --data.max_len: the prompt was cut"
        )
    return without_end_of_turn(query.removeprefix(prompt))


def row(example: Example) -> dict[str, Any]:
    return {"prompt": example.chat, "ground_truth": example.ground_truth}
