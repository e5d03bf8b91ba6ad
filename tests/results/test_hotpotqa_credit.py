"""Credit per answer where one answer is right: what the records must show, and what the page says of them."""

from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import signed_span
from results.claims import compared, over_seeds
from results.failure_tables import by_place
from results.rebuild import DOCS, HERE
from results.trainings import BRIER_PAID, HOTPOTQA, evaluations
from setwise.config import read_recipe
from setwise.records.run import RunFolder
from tests.results.told import Told, listed, percent, prose

OURS = [name for _, name in HOTPOTQA.ours]
ASKED = [name for _, name in HOTPOTQA.of("rlvr-multi+prompt")]
SETS = [name for _, name in HOTPOTQA.of("rlvr-multi")]
[(_, SINGLE)], [(_, PAPERS)] = (HOTPOTQA.of(method) for method in ("rlvr-single", "rlcr-multi"))
_, BRIER = BRIER_PAID
LAST = 40
"""Steps."""


@pytest.fixture(scope="module")
def told(unpacked: dict[str, Path]) -> Told:
    return Told(unpacked[HOTPOTQA.papers])


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "hotpotqa-credit.md")


def values(told: Told, runs: list[str], metric: str, digits: int = 3) -> str:
    return listed([f"{told.value(run, metric):.{digits}f}" for run in runs])


def skill(told: Told, run: str) -> str:
    return signed_span(**told.of(run, "pooled/brier_skill"))


def test_confidences_beat_their_best_constant_in_both_trainings_and_not_with_the_papers_credit(told: Told, page: str):
    assert all(told.of(run, "pooled/brier_skill")["low"] > 0.1 for run in OURS)
    gains = [percent(told.value(run, "pooled/brier_skill")) for run in OURS]
    assert f"by {listed(gains)}: skill {listed([skill(told, run) for run in OURS])}." in page
    areas = [percent(told.value(run, "pooled/auroc")) for run in OURS]
    assert f"in {listed(areas)} of pairs (AUROC {values(told, OURS, 'pooled/auroc')})" in page
    assert told.of(PAPERS, "pooled/brier_skill")["high"] < 0
    stated = [attempt.confidences for attempt in RunFolder(told.folder / "eval" / PAPERS).attempts()]
    share = percent(stated.count((0.1, 0.2, 0.1)) / len(stated), 1)
    assert f"states 0.1, 0.2 and 0.1 in {share} of its sets, and its skill is {skill(told, PAPERS)}." in page


def test_confidences_are_about_as_high_as_answers_are_right(told: Told, page: str):
    places = [by_place(told.folder / "eval" / run) for run in OURS]
    assert max(abs(claimed - right) for each in places for claimed, right in each) < 0.03
    for place, sentence in enumerate(("first answers claim {} and are right in {}", "second ones {}, right in {}")):
        claimed, right = (listed([f"{each[place][of]:.2f}" for each in places]) for of in (0, 1))
        assert sentence.format(claimed, right) in page


def test_claims_of_sets_are_nearer_to_the_truth_than_rlvr_multis(told: Told, page: str):
    whole, cut = (values(told, ASKED, metric) for metric in ("set/ece", "set/ece_clipped"))
    assert f"set ECE {values(told, OURS, 'set/ece')} against {whole}, or {cut} if sums above 1 are cut" in page
    areas = " against ".join(values(told, runs, "set/auroc") for runs in (OURS, ASKED))
    assert f"AUROC of sets: {areas}." in page


@pytest.mark.slow
def test_answers_are_as_good_as_the_others(unpacked: dict[str, Path], told: Told, page: str):
    ours = listed([percent(told.value(run, "pass_at_1"), 1) for run in OURS])
    assert f"right for {ours} of questions, RLVR-single's for {percent(told.value(SINGLE, 'pass_at_1'), 1)}:" in page
    assert f"a difference of {first_minus_single(unpacked, OURS[0])}." in page
    coverages = f"Coverage is {values(told, OURS, 'coverage')}, RLVR-multi's {values(told, SETS, 'coverage')}:"
    assert coverages in page
    groups = (evaluations(unpacked, runs) for runs in (HOTPOTQA.of("rlvr-multi"), HOTPOTQA.ours))
    found = over_seeds("coverage", *groups).value
    assert f"over trainings a difference of {signed_span(found.value, found.low, found.high)}." in page
    assert f"take {values(told, OURS, 'tokens', 0)} tokens, RLVR-single's {told.value(SINGLE, 'tokens'):.0f}." in page


def first_minus_single(unpacked: dict[str, Path], run: str) -> str:
    both = evaluations(unpacked, [(HOTPOTQA.papers, SINGLE), (HOTPOTQA.per_answer, run)])
    [found] = (each.value for each in compared(*both).differences if each.metric == "pass_at_1")
    return signed_span(found.value, found.low, found.high)


@pytest.mark.slow
def test_the_brier_score_left_confidences_at_0(unpacked: dict[str, Path], told: Told, page: str):
    _, *others = by_place(told.folder / "eval" / BRIER)
    assert [claimed for claimed, _ in others] == [0, 0]
    assert [round(1 / right) for _, right in others] == [10, 37]
    assert f", and its skill is {skill(told, BRIER)}." in page
    assert f"more often than RLVR-single's, {first_minus_single(unpacked, BRIER)}." in page


def test_what_the_logs_say_of_questions_not_seen_before(told: Told, page: str):
    metric = "confidence/auroc_within_places"
    brier, *logs, papers = (
        f"{fmean(step[metric] for step in told.log(run)[-LAST:] if metric in step):.2f}"
        for run in (BRIER, *OURS, PAPERS)
    )
    areas = f"{brier} with the Brier score, {listed(logs)} with the log score, and {papers} with the paper's credit"
    assert f"over the last {LAST} steps the AUROC within places was {areas}" in page
    recipe = read_recipe(told.folder / "train" / OURS[0] / "config.yaml")
    assert recipe.optimisation.steps * recipe.generation.prompts_per_step < 1674, "no question comes twice"


def test_alarms(told: Told, page: str):
    rung = {key: step for key, step in told.alarms().items() if "confidence" in key[1]}
    at = {run: rung.pop((run, "confidence_collapse")) for run in (BRIER, OURS[1], PAPERS)}
    assert f"`confidence_collapse` at step {at[BRIER]} with the Brier score, {at[OURS[1]]} with the log score" in page
    assert f"and seed 1, and {at[PAPERS]} with the paper's credit" in page
    assert {run: step for (run, name), step in rung.items()} == {BRIER: 90, PAPERS: 90}
    assert "`confidences_without_information` at step 90 with the Brier score and with the paper's credit" in page


def test_the_recipe_has_the_published_settings(told: Told):
    trained = read_recipe(told.folder / "train" / OURS[0] / "config.yaml")
    recipe = read_recipe(HERE.parent / "recipes" / "small" / "hotpotqa" / "rlcr-multi-per-answer.yaml")
    assert recipe.optimisation == trained.optimisation
    assert recipe.generation == trained.generation
    assert recipe.reward == trained.reward
