"""RLCR-multi with credit per answer and 2 to 5 answers: what the pages say of the records."""

from collections.abc import Iterable
from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import signed_span
from results.credit_settings import digits_of
from results.failure_tables import by_place, stated_sums
from results.k_tables import ANSWERS
from results.rebuild import DOCS, HERE
from results.trainings import DDXPLUS_160, DECAYED, Run, evaluations
from setwise.config import read_recipe
from tests.results.archives import Archives
from tests.results.told import listed, percent, prose

SKILL = "pooled/brier_skill"
TWO, THREE, FOUR, FIVE = ANSWERS.values()


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "ddxplus-more.md")


def test_with_four_and_five_answers_confidences_know_as_much(records: Archives, page: str):
    known = f"in {records.known([FOUR, FIVE])} of pairs ({records.known([THREE])} with K = 3)"
    assert known in page
    skills = listed([signed_span(**records.of(run, SKILL)) for run in (FOUR, FIVE)])
    assert f"are {skills} ({signed_span(**records.of(THREE, SKILL))})." in page
    told = f"those with 4 and 5 know as much, {records.known([FOUR, FIVE])}, and the one with 2 hardly more"
    assert told in prose(DOCS / "results" / "ddxplus-credit.md")


def test_with_two_they_know_the_places(unpacked: dict[str, Path], records: Archives, page: str):
    [run] = evaluations(unpacked, [TWO])
    first, second = (f"{claimed:.2f}" for claimed, _ in by_place(run))
    digits = digits_of(run)
    assert digits.commonest == (6, 4)
    assert f"First answers claim {first} on average and second ones {second}, whoever the patient is:" in page
    assert f"in {percent(digits.share, 1)} of the sets the first decimals are 6 and 4." in page
    skill = signed_span(**records.of(TWO, SKILL))
    assert f"Right ones are higher in {records.known([TWO])} of pairs within places, the skill is {skill}," in page
    archive, name = TWO
    rang = records.told[archive].alarms()[name, "confidences_without_information"]
    assert f"`confidences_without_information` rang at step {rang}." in page


def test_coverage_is_about_that_of_sets_without_confidences(records: Archives, page: str):
    ours = records.values([*ANSWERS.values()], "coverage")
    others = [("ddxplus-k", f"k{k}") for k in ANSWERS]
    theirs = [records.value(run, "coverage") for run in others]
    assert f"{ours} against [{listed([f'{value:.2f}' for value in theirs])}](#more-answers)" in page
    pairs = zip(ANSWERS.values(), theirs, strict=True)
    assert max(abs(records.value(run, "coverage") - value) for run, value in pairs) < 0.025


def means(unpacked: dict[str, Path], runs: Iterable[Run]) -> list[tuple[float, float]]:
    """Of each run's sets: what they claim to hold, and what they hold."""
    sums = [zip(*stated_sums(run), strict=True) for run in evaluations(unpacked, runs)]
    return [(fmean(claimed), fmean(right)) for claimed, right in sums]


def test_sums_are_off_in_either_direction(unpacked: dict[str, Path], page: str):
    assert all(claimed < right for claimed, right in means(unpacked, [*DDXPLUS_160.ours[1:], *DECAYED]))
    assert "The other four trainings of 160 steps with K = 3 and the warm-up claim too little." in page
    claimed, right = zip(*means(unpacked, ANSWERS.values()), strict=True)
    stated, held = (listed([f"{value:.2f}" for value in values]) for values in (claimed, right))
    assert f"Sets claim {stated} right answers on average, and hold {held}." in page


@pytest.mark.parametrize("k", [2, 4, 5])
def test_the_recipe_differs_in_k_alone(records: Archives, k: int):
    archive, name = ANSWERS[k]
    recipe = HERE.parent / "recipes" / "small" / "ddxplus" / "rlcr-multi-per-answer.yaml"
    told = records.told[archive]
    told.assert_trained_by(name, recipe, "optimisation.steps=160")
    assert read_recipe(told.folder / "train" / name / "config.yaml").objective.k == k
