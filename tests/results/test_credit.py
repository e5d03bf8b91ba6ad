"""Credit per answer on a real model: what the records must show, and what the page says of them."""

import pytest

from results.blocks import signed_span
from results.rebuild import DOCS
from results.trainings import DDXPLUS_160, SINGLE
from tests.results.archives import Archives, thousandths
from tests.results.told import listed, percent, prose

SINGLES = DDXPLUS_160.of("rlvr-single")


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "ddxplus-credit.md")


def test_confidences_beat_their_best_constant_in_every_training(records: Archives, page: str):
    assert all(records.of(run, "pooled/brier_skill")["low"] > 0.2 for run in DDXPLUS_160.ours)
    assert f"are {listed([records.span(run, 'pooled/brier') for run in DDXPLUS_160.ours])}." in page
    assert f"The best constants have {records.values(DDXPLUS_160.ours, 'pooled/brier_base_rate')}." in page


@pytest.mark.slow
def test_the_papers_credit_is_not_shown_to_beat_its_constants_and_ours_is_shown_to_beat_it(
    records: Archives, page: str
):
    papers = DDXPLUS_160.of("rlcr-multi")
    assert all(records.of(run, "pooled/brier_skill")["low"] < 0 for run in papers)
    brier, constant = (records.values(papers, f"pooled/{name}") for name in ("brier", "brier_base_rate"))
    assert (
        f"RLCR-multi has {brier}, where its constants have {constant}. {records.over(papers, 'pooled/brier')}" in page
    )
    assert records.difference(papers, "pooled/brier")[2] < 0


def test_confidences_tell_right_answers_and_sets_from_wrong_ones_in_every_training(records: Archives, page: str):
    assert all(records.of(run, "set/auroc")["low"] > 0.7 for run in DDXPLUS_160.ours)
    answers, sets = ([records.value(run, f"{of}/auroc") for run in DDXPLUS_160.ours] for of in ("pooled", "set"))
    assert f"in {listed([percent(each) for each in answers])} of pairs (AUROC {thousandths(answers)})" in page
    assert f"one without in {listed([percent(each) for each in sets])}." in page


@pytest.mark.slow
def test_first_answers_and_coverage_are_not_shown_to_differ(records: Archives, page: str):
    ours, theirs = (records.shares(runs, "pass_at_1") for runs in (DDXPLUS_160.ours, SINGLES))
    first = f"right for {ours} of patients, RLVR-single's for {theirs}. {records.over(SINGLES, 'pass_at_1')}: neither"
    assert first in page
    sets = DDXPLUS_160.of("rlvr-multi")
    ours, theirs = (records.values(runs, "coverage") for runs in (DDXPLUS_160.ours, sets))
    assert f"is {ours}, RLVR-multi's {theirs}. {records.over(sets, 'coverage')}" in page
    for runs, metric in ((SINGLES, "pass_at_1"), (sets, "coverage")):
        _, low, high = records.difference(runs, metric)
        assert low < 0 < high


def test_claims_of_sets_are_told(records: Archives, page: str):
    asked, papers = DDXPLUS_160.of("rlvr-multi+prompt"), DDXPLUS_160.of("rlcr-multi")
    ours, of_asked, of_papers = (records.values(runs, "set/ece") for runs in (DDXPLUS_160.ours, asked, papers))
    assert f"set ECE {ours}. RLVR-multi's, asked for confidences, is {of_asked}," in page
    assert f"with the paper's credit {of_papers}. They know less" in page
    areas = [records.values(runs, "set/auroc") for runs in (asked, papers)]
    assert f"(AUROC of sets {areas[0]}, and {areas[1]})" in page
    skill = records.of(DDXPLUS_160.ours[1], "set/brier_skill")
    assert skill["low"] < 0
    assert f"(Brier skill {signed_span(**skill)})" in page


def test_tokens_are_told(records: Archives, page: str):
    ours, theirs = map(records.tokens, (DDXPLUS_160.ours, SINGLES))
    words = [records.told[archive].words_of_thought(run) for archive, run in SINGLES]
    told = f"take {ours} tokens, three samples of RLVR-single {theirs}: it thinks for {listed(words)} words."
    assert told in page


def test_rlcr_single_keeps_its_answers_and_its_confidences_know_something(records: Archives, page: str):
    right = records.value(SINGLE, "pass_at_1")
    assert right > 0.95 * max(records.value(run, "pass_at_1") for run in SINGLES)
    assert records.of(SINGLE, "top1/brier_skill")["low"] > 0
    assert f"{percent(right, 1)} of its answers are right" in page
