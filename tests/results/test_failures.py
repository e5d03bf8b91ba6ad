"""What the page on the paper's two open failures says, against the records."""

from pathlib import Path
from statistics import fmean

import pytest

from results.claims import over_seeds
from results.failure_tables import FIRST, ONE_RIGHT, STATED, UNWARMED, WARMED, first_right, is_one, stated_sums
from results.rebuild import DOCS
from tests.results.told import prose


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "open-failures.md")


def test_rlcr_multi_does_not_sum_to_one(unpacked: dict[str, Path], page: str):
    untrained, asked, trained = (stated_sums(unpacked[ONE_RIGHT] / "eval" / run) for run in STATED.values())
    assert fmean(total > 1 and not is_one(total) for total, _ in untrained) > 0.5
    assert fmean(is_one(total) for total, _ in asked) == pytest.approx(0.5, abs=0.02)
    assert not any(is_one(total) for total, _ in trained)
    claimed, right = (fmean(pair[place] for pair in trained) for place in (0, 1))
    assert f"it claims too little: {claimed:.2f}, where {right:.2f} are right." in page


def test_first_answers_of_sets_beside_those_of_single_models(unpacked: dict[str, Path], page: str):
    def pairs(method: str) -> list[tuple[Path, Path]]:
        both = [(runs["rlvr-single"], runs[method]) for runs in FIRST.values() if method in runs]
        paths = [tuple(unpacked[archive] / "eval" / run for archive, run in pair) for pair in both]
        return [(single, other) for single, other in paths if single.exists() and other.exists()]

    def more_often(method: str) -> list[bool]:
        return [(first_right(other) or 0) > (first_right(single) or 0) for single, other in pairs(method)]

    assert sorted(more_often("rlvr-multi")) == [False] * 5 + [True]
    assert sorted(more_often("rlcr-multi")) == [False] * 4 + [True] * 2
    assert more_often(WARMED) == [True, False]
    assert sorted(more_often(UNWARMED)) == [False, True, True]
    over = over_seeds("pass_at_1", *zip(*pairs(WARMED), strict=True)).value
    assert f"the difference is {over.value:+.3f} [{over.low:+.3f}, {over.high:+.3f}]" in page
