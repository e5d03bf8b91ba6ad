"""What the page on the paper's two open failures says, against the records."""

from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import signed_span
from results.claims import over_seeds
from results.failure_tables import FIRST, STATED, UNWARMED, WARMED, first_right, is_one, stated_sums
from results.rebuild import DOCS
from results.trainings import DDXPLUS, HOTPOTQA, evaluations
from setwise.records.run import RunFolder
from tests.results.told import percent, prose


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "open-failures.md")


def test_neither_credit_makes_rlcr_multi_sum_to_one(unpacked: dict[str, Path], page: str):
    sums = {title: stated_sums(unpacked[archive] / "eval" / run) for title, (archive, run) in STATED.items()}
    untrained, asked, later, papers, ours = sums.values()
    assert fmean(total > 1 and not is_one(total) for total, _ in untrained) > 0.5
    assert fmean(is_one(total) for total, _ in asked) == pytest.approx(0.5, abs=0.02)
    at_one = fmean(is_one(total) for total, _ in later)
    above = fmean(total > 1 and not is_one(total) for total, _ in later)
    assert f"after 120 steps {percent(at_one)} are at exactly 1 and {percent(above)} above" in page
    told = []
    for trained in (papers, ours):
        assert not any(is_one(total) for total, _ in trained)
        told.append([f"{fmean(pair[place] for pair in trained):.2f}" for place in (0, 1)])
    (claimed, right), (now_claimed, now_right) = told
    assert f"It claims {claimed}, where {right} are right" in page
    assert f"with credit per answer {now_claimed}, where {now_right} are" in page


def test_only_the_first_confidence_of_a_set_is_more_than_zero_on_hotpotqa(unpacked: dict[str, Path], page: str):
    archive, run = HOTPOTQA.ours[0]
    attempts = list(RunFolder(unpacked[archive] / "eval" / run).attempts())
    stated = [[q for q in each.confidences if q is not None] for each in attempts]
    first, *others = zip(*stated, strict=True)
    assert all(q == 0 for place in others for q in place)
    right = [fmean(labels) for labels in zip(*(each.correct for each in attempts), strict=True)]
    assert f"The first answers are right in {percent(right[0])} of the sets and claim {percent(fmean(first))}" in page
    assert f"the others are right in {percent(right[1])} and {percent(right[2])} and all claim 0" in page


def test_first_answers_of_sets_beside_those_of_single_models(unpacked: dict[str, Path], page: str):
    def pairs(method: str) -> list[tuple[Path, Path]]:
        both = [(runs["rlvr-single"], runs[method]) for runs in FIRST.values() if method in runs]
        return [(single, other) for single, other in (evaluations(unpacked, pair) for pair in both)]

    def more_often(method: str) -> list[bool]:
        return [first_right(other) > first_right(single) for single, other in pairs(method)]

    assert sorted(more_often("rlvr-multi")) == [False] * 6 + [True] * 3
    assert sorted(more_often("rlcr-multi")) == [False] * 5 + [True] * 3
    assert more_often(WARMED) == [True, False, False, True]
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
