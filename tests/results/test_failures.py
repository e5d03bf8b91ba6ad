"""What the page on the paper's two open failures says, against the records."""

from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import signed_span
from results.claims import over_seeds
from results.failure_tables import FIRST, STATED, UNWARMED, WARMED, by_place, first_right, is_one, stated_sums
from results.rebuild import DOCS
from results.trainings import BRIER_PAID, DDXPLUS, evaluations, full_claims
from tests.results.told import listed, percent, prose


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "open-failures.md")


@pytest.fixture(scope="module")
def stated(unpacked: dict[str, Path]) -> dict[str, Path]:
    """By title: the evaluations of the table of sums."""
    return {title: unpacked[archive] / "eval" / run for title, (archive, run) in STATED.items()}


def starting(title: str, stated: dict[str, Path]) -> list[Path]:
    return [run for each, run in stated.items() if each.startswith(f"{title}, ") and "Brier" not in each]


def test_without_pay_for_confidences_sums_stay_at_one_or_above(stated: dict[str, Path], page: str):
    assert fmean(total > 1 and not is_one(total) for total, _ in stated_sums(stated["untrained"])) > 0.5
    asked = starting("RLVR-multi, asked for confidences", stated)
    shares = [fmean(total > 1 or is_one(total) for total, _ in stated_sums(run)) for run in asked]
    assert f"{listed([percent(share) for share in shares])} in three trainings" in page


def claims_and_right(runs: list[Path]) -> tuple[str, str]:
    sums = map(stated_sums, runs)
    claimed, right = zip(*([f"{fmean(each):.2f}" for each in zip(*pairs, strict=True)] for pairs in sums), strict=True)
    return listed([*claimed]), listed([*right])


def test_the_papers_credit_does_not_make_rlcr_multi_sum_to_one(stated: dict[str, Path], page: str):
    papers = starting("RLCR-multi", stated)
    assert not any(is_one(total) for run in papers for total, _ in stated_sums(run))
    claimed, right = claims_and_right(papers)
    assert f"it claims {claimed}, where {right} are right" in page


def test_with_the_log_score_every_place_is_honest(stated: dict[str, Path], page: str):
    ours = starting("RLCR-multi per answer", stated)
    claimed, right = claims_and_right(ours)
    assert f"They claim {claimed} in all, where {right} are right" in page
    assert max(abs(claim - share) for run in ours for claim, share in by_place(run)) < 0.03
    at_one = [attempt for run in ours for claim, attempt in full_claims(run) if is_one(sum(claim))]
    assert all({"yes", "no"} <= set(attempt.forms) for attempt in at_one)
    assert f"and {percent(fmean(any(attempt.correct) for attempt in at_one))} hold the right answer" in page


def test_with_the_brier_score_only_the_first_confidence_of_a_set_is_more_than_zero(
    unpacked: dict[str, Path], page: str
):
    (first, right), *others = by_place(*evaluations(unpacked, [BRIER_PAID]))
    assert f"First answers claim {percent(first)} and are right in {percent(right)} of the sets" in page
    (second, in_second), (third, in_third) = others
    assert second == third == 0
    assert f"the others are right in {percent(in_second)} and {percent(in_third)} and all claim 0" in page


def test_first_answers_of_sets_beside_those_of_single_models(unpacked: dict[str, Path], page: str):
    def pairs(method: str) -> list[tuple[Path, Path]]:
        both = [(runs["rlvr-single"], runs[method]) for runs in FIRST.values() if method in runs]
        return [(single, other) for single, other in (evaluations(unpacked, pair) for pair in both)]

    def more_often(method: str) -> list[bool]:
        return [first_right(other) > first_right(single) for single, other in pairs(method)]

    assert sorted(more_often("rlvr-multi")) == [False] * 6 + [True] * 3
    assert sorted(more_often("rlcr-multi")) == [False] * 6 + [True] * 3
    assert more_often(WARMED) == [True, False, False, False]
    assert sorted(more_often(UNWARMED)) == [False, True, True]


@pytest.mark.slow
def test_differences_of_first_answers_over_trainings(unpacked: dict[str, Path], page: str):
    single = evaluations(unpacked, DDXPLUS.of("rlvr-single"))
    found = [
        over_seeds("pass_at_1", single, evaluations(unpacked, runs)).value
        for runs in (DDXPLUS.of("rlvr-multi"), DDXPLUS.of("rlcr-multi"), DDXPLUS.ours)
    ]
    sets, papers, ours = (signed_span(each.value, each.low, each.high) for each in found)
    assert f"the differences are {sets} and {papers}." in page
    assert f"Over the three trainings of 160 steps the difference is {ours}." in page
    assert all(each.low is not None and each.high is not None and each.low < 0 < each.high for each in found)
