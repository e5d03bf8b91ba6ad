"""Asks a model as it was trained, by the manifest next to its weights."""

from dataclasses import replace

from setwise.objectives import Regime
from setwise.prompting.marks import literal
from setwise.records.manifest import Manifest
from setwise.records.method import Method


def as_taught(method: Method, manifest: Manifest, regime: Regime) -> tuple[Method, bool]:
    """The method with the prompt used in training, and whether the chat template opens the thinking.

    A model that was never trained on this format (a single model asked with the multi prompt, or any other model) gets
    the method's own prompt. K is always the method's: if training used another, the prompt is filled in again.
    """
    opened = any(lesson.objective.think_opened for lesson in manifest.taught)
    asked = method.asked_objective(regime)
    lesson = manifest.lesson(asked.name)
    if lesson is None or method.prompt is not None:
        return method, opened
    same_set = (lesson.objective.k, lesson.objective.regime) == (asked.k, regime)
    prompt = literal(lesson.system_prompt) if same_set else lesson.prompt
    return replace(method, prompt=prompt, analysis=lesson.objective.analysis), opened


def not_as_taught(method: Method, manifest: Manifest) -> str | None:
    """The note for a method that is meant for a model trained in another way."""
    names = [lesson.objective.name for lesson in manifest.taught]
    if not names or method.trained_as == "base" or method.trained_as in names:
        return None
    return f"the model was taught {', '.join(names)}, and {method.name} is for one that was taught {method.trained_as}"


def taught_k(method: Method, manifest: Manifest, regime: Regime) -> int | None:
    """The K used in training, preferably in the method's own format; None if there was none."""
    if not method.multi:
        return None
    sets = [lesson.objective for lesson in manifest.taught if lesson.objective.multi]
    asked = method.asked_objective(regime).name
    return next((each.k for each in sets if each.name == asked), sets[0].k if sets else None)
