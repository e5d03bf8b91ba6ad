"""What the overview says of each dataset in five sentences."""

from pathlib import Path

import pytest

from results.blocks import estimate_span
from results.credit_settings import FASTER, MORE, WEIGHT_1, WEIGHT_4
from results.differences import difference, over_seeds
from results.k_tables import ANSWERS
from results.readings import within_places
from results.rebuild import DOCS, HERE
from results.trainings import (
    BRIER_PAID,
    DDXPLUS_160,
    DDXPLUS_240,
    DECAYED,
    HOTPOTQA,
    MBPP,
    MBPP_150,
    Trainings,
    evaluations,
)
from tests.results.archives import Archives, audited_share, gained_by_sets
from tests.results.told import listed, percent, prose

README = HERE.parent / "README.md"
MAIN = (DDXPLUS_240, HOTPOTQA, MBPP)
"""One for each dataset."""
DATASETS = pytest.mark.parametrize("dataset", MAIN, ids=["patients", "questions", "programs"])


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "overview.md")


def set_eces(records: Archives, dataset: Trainings) -> list[tuple[float, float]]:
    pairs = zip(dataset.ours, dataset.of("rlvr-multi+prompt"), strict=True)
    return [(records.value(ours, "set/ece"), records.value(theirs, "set/ece")) for ours, theirs in pairs]


@pytest.mark.slow
def test_what_sets_gain(unpacked: dict[str, Path], page: str):
    patients, questions, programs = (gained_by_sets(unpacked, dataset) for dataset in MAIN)
    pairs = zip(patients.first_values, patients.second_values, strict=True)
    times = listed([f"{sets / samples:.2f}" for samples, sets in pairs])
    assert f"A set of RLVR-multi holds {times} times as many right and different diagnoses as three samples" in page
    assert patients.survives
    assert f"the gain in coverage is {estimate_span(patients.value)}." in page
    for each in (questions, programs):
        assert min(each.second_values) > max(each.first_values)
        assert not each.survives
    assert "hold the right answer more often than three samples of RLVR-single in both trainings; two are too" in page
    assert f"in both trainings, coverage {estimate_span(programs.value)}, too few to show it if p is corrected" in page


def test_what_confidences_know(unpacked: dict[str, Path], records: Archives, page: str):
    ours = [records.known(dataset.ours) for dataset in MAIN]
    papers = [records.known(dataset.of("rlcr-multi")) for dataset in MAIN]
    before = [f"(after 160 steps {records.known(runs)})" for runs in (DDXPLUS_160.ours, DDXPLUS_160.of("rlcr-multi"))]
    assert f"has the higher confidence in {ours[0]} of pairs {before[0]}," in page
    assert f"with the paper's credit in {papers[0]} in one training {before[1]}." in page
    for own_share, theirs in zip(ours[1:], papers[1:], strict=True):
        assert f"know something ({own_share} of pairs), mostly" in page
        assert f"with the paper's credit nothing in these trainings ({theirs})." in page
    assert "Of five more trainings with 160 steps and [a falling" in page
    others = [*DECAYED, *(run for k, run in ANSWERS.items() if k != 3)]
    assert len(others) == 5
    assert f"two stayed at {records.known([DECAYED[0], ANSWERS[2]])}. Of [six" in page
    unwarmed = sorted(within_places(run) or 0 for run in evaluations(unpacked, [WEIGHT_1, *WEIGHT_4, *MORE, FASTER]))
    little = [percent(share) for share in unwarmed if share < 0.6]
    assert (len(unwarmed), len(little)) == (6, 4)
    assert f"four stayed at {little[0]} to {little[-1]}." in page
    unwarmed_in_readme = "[four of six DDXPlus trainings](docs/results/ddxplus-credit-settings.md) stayed at"
    assert f"{unwarmed_in_readme} {little[0]} to {little[-1]}, and" in prose(README)
    brier = records.known([BRIER_PAID])
    assert f"One training with the Brier score reached only {brier}, so the recipe has the log score." in page


@pytest.mark.slow
@DATASETS
def test_answers_are_not_shown_to_differ(unpacked: dict[str, Path], page: str, dataset: Trainings):
    assert page.count("irst answers are not shown to differ from RLVR-single's, nor coverage from RLVR-multi's") == 3
    for metric, method in (("pass_at_1", "rlvr-single"), ("coverage", "rlvr-multi")):
        theirs, ours = (evaluations(unpacked, runs) for runs in (dataset.of(method), dataset.ours))
        found = over_seeds(metric, theirs, ours).value
        assert (found.low or 0) < 0 < (found.high or 0)


def test_tokens_are_saved_with_one_seed_only(records: Archives, page: str):
    assert page.count("hree answers take more tokens than three samples of RLVR-single") == 3
    pairs = [zip(dataset.ours, dataset.of("rlvr-single"), strict=True) for dataset in MAIN]
    more = [
        [records.value(ours, "tokens") > records.value(single, "tokens") for ours, single in each] for each in pairs
    ]
    assert more == [[True, False, True], [True, True], [True, True]]


def test_what_sets_claim(records: Archives, page: str):
    patients, questions, programs = (set_eces(records, dataset) for dataset in MAIN)
    assert all(ours < theirs for ours, theirs in patients)
    assert "With every seed set ECE is below RLVR-multi's and coverage above it" in page
    assert sum(ours < theirs for ours, theirs in set_eces(records, DDXPLUS_160)) == 1
    assert "After 160 steps set ECE is below RLVR-multi's [with one seed of three]" in page
    ours, theirs = (listed([f"{value:.3f}" for value in values]) for values in zip(*questions, strict=True))
    assert f"and set ECE is {ours}, where RLVR-multi's is {theirs}." in page
    assert all(ours < theirs for ours, theirs in programs)
    assert "Set ECE is below RLVR-multi's in both trainings, with seed 0 within chance" in page


@pytest.mark.slow
def test_on_programs_set_ece_is_within_chance_with_one_seed(unpacked: dict[str, Path]):
    theirs, ours = (evaluations(unpacked, runs) for runs in (MBPP.of("rlvr-multi+prompt"), MBPP.ours))
    highest = [difference("set/ece", *pair).high or 0 for pair in zip(theirs, ours, strict=True)]
    assert [high > 0 for high in highest] == [True, False]


def test_how_many_sets_repeat_a_program(page: str):
    ours, sets = (
        listed([audited_share(run, "equivalent_programs") for run in runs])
        for runs in (MBPP.ours, MBPP.of("rlvr-multi"))
    )
    [longer] = (audited_share(run, "equivalent_programs") for run in MBPP_150.ours)
    assert (
        f"{ours} of those with credit per answer, [with 150 steps](mbpp-credit.md#more-steps) {longer} in one" in page
    )
    assert f"{sets} of RLVR-multi's, and hardly any of [VPO's]" in page


def test_any_of_three_programs_is_right_no_more_often_in_sets(records: Archives, page: str):
    sets, single = (
        [records.value(run, "pass_at_k") for run in MBPP.of(method)] for method in ("rlvr-multi", "rlvr-single")
    )
    assert all(in_sets < sampled for in_sets, sampled in zip(sets, single, strict=True))
    shares = (listed([percent(value, 1) for value in values]) for values in (sets, single))
    assert "is right no more often, for {} of the problems against {}.".format(*shares) in page


def test_what_sums_cut_at_one_would_claim(records: Archives, page: str):
    cut = records.values(HOTPOTQA.of("rlvr-multi+prompt"), "set/ece_clipped")
    assert f"(cut at 1, RLVR-multi has {cut})" in page
