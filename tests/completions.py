"""Well-formed completions for tests, for any objective."""

from collections.abc import Sequence

from setwise import Objective


def completion(
    objective: Objective, answers: Sequence[str], confidences: Sequence[object] = (), thinking: str = "hm"
) -> str:
    """What a model that keeps the contract of `objective` writes."""
    texts = list(answers)
    claims = [str(confidence) for confidence in confidences] or ["0.5"] * len(texts)
    inside = {"answer": iter(texts), "confidence": iter(claims), "analysis": iter(["could be wrong"])}
    tags = [f"<{name}> {next(inside[name.rstrip('0123456789')])} </{name}>" for name in objective.tags]
    opening = "" if objective.think_opened else "<think>"
    return f"{opening}{thinking}</think>\n" + "\n".join(tags)
