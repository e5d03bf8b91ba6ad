"""Runs without a single readable completion. Their zeros say nothing about what the model knows."""

from setwise.answers import PARSE, Reason
from setwise.records.measured import Metrics


def unreadable(metrics: Metrics, method: str, *, taught: bool = False) -> str | None:
    """The message if no completion could be read: how many, why, the likely cause and what to try.

    With `taught`, the model was asked as its training manifest says, so the prompt is not the likely cause.

    >>> unreadable(Metrics({}, {"completions": 2, "parse/truncated": 1}), "rlcr-multi") is None
    True
    """
    completions = metrics.counts.get("completions", 0)
    failed = {name: count for name, count in metrics.counts.items() if name.startswith(PARSE) and count}
    if not completions or sum(failed.values()) < completions:
        return None
    reasons = ", ".join(f"{name.removeprefix(PARSE)} {count:,}" for name, count in failed.items())
    commonest = max(failed, key=lambda name: failed[name]).removeprefix(PARSE)
    cause = _cause(commonest, method, taught=taught)
    return f"not one of {completions:,} completions can be read ({reasons}), so every score is that of none; {cause}"


def _cause(reason: str, method: str, *, taught: bool) -> str:
    if reason == Reason.TRUNCATED:
        return "most were cut off: raise --max-tokens, or see in samples.jsonl why the model does not stop"
    if taught:
        return f"see in samples.jsonl what it wrote instead of the format of {method}"
    return (
        f"the model was probably not taught to answer {method} with this prompt: name the run or model folder of its "
        "training with --as FOLDER, or give its prompt with --prompt, and see in samples.jsonl what it wrote"
    )
