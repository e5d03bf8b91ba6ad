"""Credit per answer on a real model: what the records must show, and what its page says of them."""

from statistics import mean

import pytest

from results.credit_tables import BEFORE, CHOSEN, OURS, PER_ANSWER
from results.rebuild import DOCS, HERE
from results.records import unpack
from setwise.records.training_log import Step
from tests.results.told import Told, percent, prose

WEAKER, _, SINGLE = PER_ANSWER.values()
WINDOW = 20


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    folder = tmp_path_factory.mktemp("records")
    for archive in (OURS, *BEFORE):
        unpack(HERE / f"{archive}.tar.xz", folder / archive)
    return {archive: Told(folder / archive) for archive in (OURS, *BEFORE)}


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "ddxplus-credit.md")


def test_confidences_beat_their_best_constant_and_tell_right_from_wrong(told: dict[str, Told], page: str):
    ours = told[OURS]
    for run in (CHOSEN, WEAKER):
        assert ours.of(run, "pooled/brier_skill")["low"] > 0
    assert ours.of(CHOSEN, "set/auroc")["low"] > 0.7
    brier, constant = ours.of(CHOSEN, "pooled/brier"), ours.value(CHOSEN, "pooled/brier_base_rate")
    assert (
        f"is {brier['value']:.3f} [{brier['low']:.3f}, {brier['high']:.3f}]. The best constant has {constant:.3f}"
        in page
    )
    of_answers, of_sets = ours.value(CHOSEN, "pooled/auroc"), ours.value(CHOSEN, "set/auroc")
    assert f"in {percent(of_answers)} of pairs (AUROC {of_answers:.3f})" in page
    assert f"one without in {percent(of_sets)} ({of_sets:.3f})" in page
    assert ours.of(CHOSEN, "top1/brier_skill")["low"] > 0
    auroc, brier, constant = (ours.value(CHOSEN, f"top1/{name}") for name in ("auroc", "brier", "brier_base_rate"))
    assert f"{auroc:.3f}, and the Brier score {brier:.3f} where the best constant has {constant:.3f}" in page
    for seed in BEFORE:
        assert told[seed].of("rlcr-multi", "pooled/brier_skill")["high"] < 0


def test_the_first_answer_and_coverage_are_not_the_price(told: dict[str, Told], page: str):
    ours = told[OURS]
    first, coverage = ours.value(CHOSEN, "pass_at_1"), ours.value(CHOSEN, "coverage")
    singles = [told[seed].value("rlvr-single", "pass_at_1") for seed in BEFORE]
    sets = [told[seed].value("rlvr-multi", "coverage") for seed in BEFORE]
    assert first > max(singles)
    assert coverage > max(sets)
    before, after = (percent(value, 1) for value in singles)
    assert f"right for {percent(first, 1)} of patients; RLVR-single's is for {before} and {after}" in page
    assert f"{coverage:.3f} against {sets[0]:.3f} and {sets[1]:.3f}" in page
    eces = [told[seed].value("rlvr-multi+prompt", "set/ece") for seed in BEFORE]
    assert f"{ours.value(CHOSEN, 'set/ece'):.3f}, below RLVR-multi's {eces[0]:.3f} and {eces[1]:.3f}" in page


def test_rlcr_single_keeps_its_answers_and_its_confidences_know_something(told: dict[str, Told], page: str):
    right = told[OURS].value(SINGLE, "pass_at_1")
    assert right > 0.95 * max(told[seed].value("rlvr-single", "pass_at_1") for seed in BEFORE)
    assert told[OURS].of(SINGLE, "top1/brier_skill")["low"] > 0
    assert f"{percent(right, 1)} of its answers are right" in page
    assert f"{percent(right, 1)} right" in prose(DOCS / "results" / "overview.md")


def test_the_larger_weight_learns_faster_and_is_better_on_validation_patients(told: dict[str, Told], page: str):
    ours = told[OURS]
    weaker, chosen = (_auroc_by_window(ours.log(run)) for run in (WEAKER, CHOSEN))
    assert all(own > other for own, other in zip(chosen[1:], weaker[1:], strict=True))
    assert f"{chosen[-1]:.3f} against {weaker[-1]:.3f} in the last" in page
    for metric, better in (("pass_at_1", 1), ("coverage", 1), ("pooled/brier", -1), ("pooled/auroc", 1)):
        values = [ours.value(f"{run}-validation", metric) for run in (CHOSEN, WEAKER)]
        assert better * (values[0] - values[1]) > 0


def _auroc_by_window(log: list[Step]) -> list[float]:
    windows = (log[first : first + WINDOW] for first in range(0, len(log), WINDOW))
    return [mean(step["confidence/auroc"] for step in window if "confidence/auroc" in step) for window in windows]
