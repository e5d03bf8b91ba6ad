"""What the page on a second family of models says, against the records."""

from pathlib import Path

import pytest

from results.blocks import estimate_span, signed_span
from results.differences import difference
from results.failure_tables import by_place
from results.readings import within_places
from results.rebuild import DOCS
from results.second_family import ASKED, SETS, START, START_AGAIN, TRAINED
from results.trainings import DDXPLUS_160, SECOND_FAMILY, evaluations
from setwise.config import read_recipe
from tests.results.told import Told, listed, percent, prose

(_, START_RUN), (_, TRAINED_RUN) = START, TRAINED


@pytest.fixture(scope="module")
def told(unpacked: dict[str, Path]) -> Told:
    return Told(unpacked[SECOND_FAMILY])


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "second-family.md")


def rises(told: Told, metric: str) -> str:
    return " to ".join(f"{told.value(run, metric):.3f}" for run in (START_RUN, TRAINED_RUN))


def test_answers_get_better(unpacked: dict[str, Path], told: Told, page: str):
    start, trained = evaluations(unpacked, [START, TRAINED])
    gained = estimate_span(difference("coverage", start, trained))
    assert f"Coverage rises from {rises(told, 'coverage')}, by {gained}, and first answers" in page
    assert f"first answers from {rises(told, 'pass_at_1')} right" in page
    others = [Told(unpacked[archive]).value(run, "coverage") for archive, run in DDXPLUS_160.ours]
    assert told.value(TRAINED_RUN, "coverage") > max(others)


def test_no_coverage_is_lost_against_rlvr_multi(unpacked: dict[str, Path], told: Told, page: str):
    sets, trained = evaluations(unpacked, [SETS, TRAINED])
    coverage, first = (estimate_span(difference(metric, sets, trained)) for metric in ("coverage", "pass_at_1"))
    assert f"RLVR-multi,** which reaches {told.value(SETS[1], 'coverage'):.3f}, a difference of {coverage}." in page
    assert f"more often, by {first}; other" in page
    tokens = [f"{told.value(run, 'tokens'):.0f}" for _, run in (TRAINED, SETS)]
    assert f"{tokens[0]} for a set with them, {tokens[1]} without." in page
    starts = [told.value(run, "coverage") for _, run in (START, START_AGAIN)]
    assert abs(starts[0] - starts[1]) < 0.01


def test_without_pay_confidences_stay_as_the_warm_start_taught_them(unpacked: dict[str, Path], told: Told, page: str):
    (claimed, right), (taught, _) = (
        zip(*by_place(run), strict=True) for run in evaluations(unpacked, [ASKED, START_AGAIN])
    )
    shown = [listed([f"{share:.2f}" for share in shares]) for shares in (claimed, taught, right)]
    skill = signed_span(**told.of(ASKED[1], "pooled/brier_skill"))
    told_so = f"it claims {shown[0]}, its start {shown[1]}, though {shown[2]} are now right: skill {skill},"
    assert f"{told_so} set ECE {told.value(ASKED[1], 'set/ece'):.3f}." in page


def test_confidences_are_honest_and_know_only_places(unpacked: dict[str, Path], told: Told, page: str):
    [trained] = evaluations(unpacked, [TRAINED])
    claimed, right = zip(*by_place(trained), strict=True)
    shown = [listed([f"{share:.2f}" for share in shares]) for shares in (claimed, right)]
    assert f"First, second and third answers claim {shown[0]}, and {shown[1]} are right." in page
    gained = told.of(TRAINED_RUN, "pooled/brier_skill")
    assert gained["low"] > 0
    assert f"skill {signed_span(**gained)}, and set ECE falls from {rises(told, 'set/ece')}." in page
    known = within_places(trained) or 0
    assert abs(known - 0.5) < 0.02
    assert f"in {percent(known)} of pairs, and first confidences" in page
    first = told.of(TRAINED_RUN, "top1/brier_skill")
    assert first["high"] < 0
    assert f"are worse than their constant, skill {signed_span(**first)}." in page
    rung = told.alarms()[TRAINED_RUN, "confidences_without_information"]
    assert f"`confidences_without_information` rang at step {rung}." in page


def test_every_completion_has_the_thought_of_the_warm_start(told: Told):
    thoughts = {text.partition("<think>")[2].partition("</think>")[0].strip() for text in told.texts(TRAINED_RUN)}
    assert thoughts == {"weighing the evidence"}


def test_the_rates_are_those_of_the_trainings(unpacked: dict[str, Path], page: str):
    small, sets, *large = (
        read_recipe(unpacked[archive] / "train" / run / "config.yaml").optimisation.learning_rate
        for archive, run in (TRAINED, SETS, *DDXPLUS_160.ours)
    )
    assert (small, sets, set(large)) == (1e-5, 1e-5, {2e-6})
    assert "*SmolLM2-135M, rate 1e-5*" in page
    assert "*Qwen2.5-Coder-1.5B, rate 2e-6, without a warm start*" in page
