"""A rate that falls at the end of a training on DDXPlus, and the temperature: what the pages say of the records."""

from statistics import fmean

import pytest

from results.rebuild import DOCS
from results.trainings import DDXPLUS_160, DECAYED, Run
from tests.results.archives import Archives
from tests.results.told import listed, percent, prose

IMPROVING = {"pass_at_1": 1, "coverage": 1, "pooled/brier": -1, "pooled/auroc": 1, "set/auroc": 1}
"""By metric: the sign of what is better."""
CONSTANT = DDXPLUS_160.ours[: len(DECAYED)]
WARMER = [(archive, f"{run}-temperature-1") for archive, run in DECAYED]
BEFORE_THE_FALL = range(101, 121)
"""Steps."""


@pytest.fixture(scope="module")
def notes() -> str:
    return prose(DOCS / "results" / "ddxplus-credit-settings.md")


def off(records: Archives, runs: list[Run]) -> str:
    gaps = [records.value(run, "pooled/confidence") - records.value(run, "pooled/accuracy") for run in runs]
    return listed([f"{gap:+.3f}" for gap in gaps])


def test_set_ece_stays_above_rlvr_multis(records: Archives, notes: str):
    asked = DDXPLUS_160.of("rlvr-multi+prompt")[: len(DECAYED)]
    fallen, others, constant = (records.values(runs, "set/ece") for runs in (DECAYED, asked, CONSTANT))
    assert f"{fallen}, where RLVR-multi has {others}; with the constant rate it is {constant}." in notes
    for ours, theirs in zip(DECAYED, asked, strict=True):
        assert records.value(ours, "set/ece") > records.value(theirs, "set/ece")
    assert f"Confidences are {off(records, DECAYED)} off." in notes


def test_the_temperature_makes_no_difference(records: Archives, notes: str):
    for runs, temperature in ((DECAYED, 0.7), (WARMER, 1)):
        for archive, run in runs:
            assert records.told[archive].numbers(run)["sampling"]["temperature"] == temperature
    for usual, warmer in zip(DECAYED, WARMER, strict=True):
        assert abs(records.value(warmer, "set/ece") - records.value(usual, "set/ece")) < 0.005
    assert f"set ECE is {records.values(WARMER, 'set/ece')}, and confidences are {off(records, WARMER)} off." in notes


@pytest.mark.parametrize("metric", IMPROVING)
def test_one_seed_is_better_and_the_other_worse(records: Archives, metric: str):
    for value in (records.value, records.validated):
        gains = [value(own, metric) - value(other, metric) for own, other in zip(DECAYED, CONSTANT, strict=True)]
        assert [IMPROVING[metric] * gain > 0 for gain in gains] == [False, True]


def test_the_other_was_worse_before_the_rate_fell(records: Archives, notes: str):
    both = DECAYED[0], CONSTANT[0]
    known = [records.known([run]) for run in both]
    assert f"in the same place in {known[0]} of pairs, not {known[1]}," in notes
    right = [percent(records.value(run, "pass_at_1"), 1) for run in both]
    assert f"right for {right[0]} of patients, not {right[1]}." in notes
    steps = [[step for step in records.log(run) if step["step"] in BEFORE_THE_FALL] for run in both]
    assert {step["learning_rate"] for each in steps for step in each} == {2e-6}
    first, other = (percent(fmean(step["pass_at_1"] for step in each)) for each in steps)
    assert f"in steps 101 to 120, {first} of first answers were right, where the other training had {other}." in notes


def test_not_every_training_gets_there(records: Archives):
    little, much = (records.known([run]) for run in DECAYED)
    page = prose(DOCS / "results" / "ddxplus-credit.md")
    assert f"One knows as much, {much} of pairs within places. The other knows little, {little}, and" in page
    assert f"but know little within places, {little}." in prose(DOCS / "results" / "overview.md")
