"""Patients for the served model's page: new ones, some clear and some not, each with its exact posterior."""

from collections.abc import Collection, Iterable

from setwise.questions import Problem
from setwise.serving.examples import PageExample
from setwise.tasks.clinic_world import HIDDEN, World

SHOWN = 6
LOOKED_THROUGH = 60
"""New patients to choose from."""


def clinic_examples(world: World, patients: Iterable[Problem], seen: Collection[str]) -> list[PageExample]:
    """At most six of the patients whose questions were not `seen`, from the clearest to the least clear.

    Among a few hundred patients some have identical questions, so it is not enough that a patient is new.
    """
    new = {each.question.text: each for each in patients if each.question.text not in seen}
    examples = sorted((_example(world, each) for each in new.values()), key=lambda each: -each.posterior[0][1])
    if len(examples) <= SHOWN:
        return examples
    return [examples[round(place * (len(examples) - 1) / (SHOWN - 1))] for place in range(SHOWN)]


def _example(world: World, patient: Problem) -> PageExample:
    known = int((world.states(patient.question.text) != HIDDEN).sum())
    number = patient.id.rpartition("-")[2]
    beliefs = sorted(world.belief(patient.question).items(), key=lambda belief: -belief[1])
    title = f"Patient {number}: {known} finding{'' if known == 1 else 's'}"
    return PageExample(title, patient.question.text, tuple(beliefs))
