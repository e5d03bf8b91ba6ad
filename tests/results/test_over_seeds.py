"""What the README and the overview say of methods, over seeds as well as problems."""

from pathlib import Path

import pytest

from results.claims import SEEDS, over_seeds
from results.rebuild import DOCS, HERE
from results.trainings import HOTPOTQA, MBPP, Trainings, evaluations
from setwise.records.seed_comparison import SeedDifference
from tests.results.told import prose

pytestmark = pytest.mark.slow
README, OVERVIEW = HERE.parent / "README.md", DOCS / "results" / "overview.md"


def gained(dataset: Trainings, unpacked: dict[str, Path]) -> SeedDifference:
    """By sets, in coverage."""
    singles, sets = (evaluations(unpacked, dataset.of(method)) for method in ("rlvr-single", "rlvr-multi"))
    return over_seeds("coverage", singles, sets)


def test_on_patients_the_gain_of_sets_holds_and_tokens_are_not_shown_to_differ(unpacked: dict[str, Path]):
    groups = [[unpacked[seed] / "eval" / run for seed in SEEDS] for run in ("rlvr-single", "rlvr-multi")]
    assert over_seeds("coverage", *groups).survives
    assert not over_seeds("tokens", *groups).survives
    assert "On DDXPlus the gain holds over seeds as well as patients." in prose(README)


def test_on_questions_and_programs_both_trainings_have_it_and_two_are_too_few(unpacked: dict[str, Path]):
    questions, programs = (gained(dataset, unpacked) for dataset in (HOTPOTQA, MBPP))
    for each in (questions, programs):
        assert all(sets > single for single, sets in zip(each.first_values, each.second_values, strict=True))
        assert not each.survives
    assert "On HotPotQA-Modified and MBPP both of two longer trainings have it, too few to show it over" in prose(
        README
    )
    assert (programs.value.low or 0) > 0
    assert f"on MBPP the interval is above 0, but p is {programs.p_holm:.2f} if corrected (Holm)" in prose(OVERVIEW)


def test_on_questions_set_ece_is_lower_in_both_pairs(unpacked: dict[str, Path]):
    asked, trained = (evaluations(unpacked, HOTPOTQA.of(method)) for method in ("rlvr-multi+prompt", "rlcr-multi"))
    found = over_seeds("set/ece", asked, trained)
    assert max(found.second_values) < min(found.first_values)
    assert f"is lower in both pairs (p {found.p:.3f}, and {found.p_holm:.2f} too if corrected)" in prose(OVERVIEW)
