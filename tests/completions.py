"""Well-formed completions for tests, for any objective."""

from collections.abc import Sequence

from setwise import Objective
from setwise.contract import tagged
from setwise.contract import thinking as thought


def completion(
    objective: Objective, answers: Sequence[str], confidences: Sequence[object] = (), thinking: str = "hm"
) -> str:
    """What a model that keeps the contract of `objective` writes."""
    claims = [str(confidence) for confidence in confidences] or ["0.5"] * len(answers)
    written = tagged(objective, answers, claims, "could be wrong")
    tags = [tag.around(f" {content} ") for tag, content in written]
    return thought(thinking, opened=objective.think_opened) + "\n" + "\n".join(tags)
