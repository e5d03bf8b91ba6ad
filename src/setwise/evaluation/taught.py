"""Ask a model as it was taught to answer, by the record that training left beside its weights."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from setwise.evaluation.methods import Method
from setwise.objectives import Objective, Regime
from setwise.records import objective_from_record


def as_taught(method: Method, manifest: Mapping[str, Any], regime: Regime) -> tuple[Method, bool]:
    """The method with the prompt of training, and whether the chat template opens the thinking.

    A model that was never taught this format (a single one asked with the multi prompt, any other model) is asked
    with the method's own prompt. K stays the method's: where training had another, its prompt is filled in anew.
    """
    lessons = manifest.get("taught") or []
    opened = any(lesson["objective"].get("think_opened") for lesson in lessons)
    asked = method.asked_objective(regime)
    lesson = next((each for each in lessons if each["objective"]["name"] == asked.name), None)
    if lesson is None or method.prompt is not None:
        return method, opened
    taught: Objective = objective_from_record(lesson["objective"])
    same_set = (taught.k, taught.regime) == (asked.k, regime)
    prompt = lesson["system_prompt"] if same_set else lesson["prompt"]
    return replace(method, prompt=prompt, analysis=taught.analysis), opened


def taught_k(method: Method, manifest: Mapping[str, Any]) -> int | None:
    """The K that training had for the method's format; None where it had none."""
    for lesson in manifest.get("taught") or []:
        if lesson["objective"]["name"] == method.objective and method.objective.endswith("-multi"):
            return lesson["objective"]["k"]
    return None
