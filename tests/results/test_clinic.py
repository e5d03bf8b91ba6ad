"""The clinic's tables follow from their records, and so does what the page says of them."""

from statistics import fmean
from typing import Any

import pytest

from results.clinic import (
    BY_DECAY,
    BY_GRADIENT,
    BY_TEMPERATURE,
    DECAYS,
    DEMO,
    DOCUMENT,
    GRADIENTS,
    LONGER,
    MEASURED,
    METRICS,
    OF_SINGLES,
    OVER_SEEDS,
    PAIRS,
    RUNS,
    SCORED,
    SCORES,
    TEMPERATURES,
    TRIED,
    WEAK,
    differences_over_seeds,
    span,
    with_tables,
)
from results.collecting import records_in
from results.rebuild import DOCS
from setwise.config import read_recipe
from setwise.records.files import Record
from setwise.statistics import SeedTest, mean_over_seeds
from tests.results.told import prose

OURS, PAPERS = "rlcr-multi-per-answer", "rlcr-multi"


@pytest.fixture(scope="module")
def seeds() -> list[Record]:
    return records_in(MEASURED)


def test_the_page_shows_what_was_measured(seeds: list[Record]):
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_tables(text) == text
    assert [seed["seed"] for seed in seeds] == [0, 1, 2, 3, 4]
    assert all(tuple(seed["values"]) == RUNS for seed in seeds)


def test_the_first_row_of_settings_is_the_demo():
    recipe = read_recipe(f"recipes/demo/{OURS}.yaml")
    reward: Any = recipe.reward.build()
    optimisation = recipe.optimisation
    weight, bonus = reward.weights["calibration"], optimisation.confidence_entropy_bonus
    assert list(DEMO.values()) == [optimisation.later_gain, weight, bonus]


def test_what_the_page_says_of_credit_per_answer(seeds: list[Record]):
    differences = {pair: [seed["differences"][n][3] for seed in seeds] for n, pair in enumerate(PAIRS)}
    first = [each[0] for each in differences["rlvr-single", OURS, "pass_at_1"]]
    assert sum(each >= -0.02 for each in first) == 4
    assert min(first) == first[0] == pytest.approx(-0.044, abs=5e-4)
    skills = [
        (seed["values"][OURS]["pooled/brier_skill"], seed["values"][PAPERS]["pooled/brier_skill"]) for seed in seeds
    ]
    assert all(low > 0 for (_, low, _), _ in skills)
    ratios = [ours[0] / papers[0] for ours, papers in skills]
    assert [round(min(ratios), 1), round(max(ratios), 1)] == [1.3, 6.0]
    errors = [seed["values"][OURS]["set/ece"][0] / seed["values"][PAPERS]["set/ece"][0] for seed in seeds]
    assert max(errors) < 0.5
    any_right = [each[0] for each in differences[PAPERS, OURS, "pass_at_k"]]
    assert sum(each > 0 for each in any_right) == 1
    assert fmean(any_right) == pytest.approx(-0.014, abs=5e-4)


def test_what_the_page_says_of_other_settings(seeds: list[Record]):
    single = [seed["values"]["rlvr-single"]["pass_at_1"][0] for seed in seeds]
    assert max(single) == single[0] == pytest.approx(0.524, abs=5e-4)
    tried = records_in(TRIED)
    rows = [tried[start : start + len(seeds)] for start in range(0, len(tried), len(seeds))]
    assert len(rows) == 3
    for row in rows:
        assert [each["seed"] for each in row] == [0, 1, 2, 3, 4]
        behind = [each["values"]["pass_at_1"][0] - own for each, own in zip(row, single, strict=True)]
        assert min(behind) == behind[0]


def test_rlcr_single_does_not_collapse_from_a_weak_start():
    seeds = records_in(WEAK)
    assert [seed["seed"] for seed in seeds] == [0, 1, 2, 3, 4]
    for seed in seeds:
        single, ours = seed["values"]["rlvr-single"], seed["values"]["rlcr-single"]
        assert ours["pass_at_1"][0] >= 0.95 * single["pass_at_1"][0]
        assert ours["strictly_valid"][0] > 0.99
        assert 0.3 < ours["top1/confidence"][0] < ours["pass_at_1"][0]
        assert ours["top1/brier_skill"][2] < 0


def test_what_the_page_says_over_seeds_and_with_more_steps(seeds: list[Record]):
    longer = records_in(LONGER)
    first, any_right, skill, error = (
        [differences_over_seeds(measured, *pair) for measured in (seeds, longer)] for pair in OVER_SEEDS
    )
    assert [round(each.value, 3) for each in first] == [-0.011, -0.018]
    assert all(each.interval.low < 0 < each.interval.high for each in first)
    singles = [
        seed["values"][OURS]["pass_at_1"][0] - seed["values"]["rlvr-single"]["pass_at_1"][0]
        for seed in (*seeds, *longer)
    ]
    assert min(singles) == pytest.approx(-0.049, abs=5e-4)
    assert max(singles) == pytest.approx(0.010, abs=5e-4)
    assert [round(each.value, 3) for each in any_right] == [-0.014, -0.018]
    assert all(each.interval.low < 0 < each.interval.high for each in any_right)
    assert skill[0].interval.low > 0 > skill[1].interval.low
    assert error[0].interval.high < 0 < error[1].interval.high
    assert all(seed["values"][OURS]["pooled/brier_skill"][1] > 0 for seed in (*seeds, *longer))


@pytest.mark.parametrize(("conditions", "shown"), [(6, set()), (16, {"pooled/brier_skill"})])
def test_the_log_score_is_better_where_few_answers_are_right(conditions: int, shown: set[str]):
    records = records_in(SCORED[conditions])
    assert [(each["seed"], tuple(each["values"])) for each in records] == [(seed, SCORES) for seed in range(5)]
    for metric in METRICS:
        found = differences_over_seeds(records, *SCORES, metric).interval
        assert (found.low > 0 or found.high < 0) == (metric in shown)


def test_what_the_pages_say_of_the_log_score():
    records = records_in(SCORED[16])
    skills = [[each["values"][score]["pooled/brier_skill"][0] for score in SCORES] for each in records]
    assert all(log > brier for brier, log in skills)
    found = differences_over_seeds(records, *SCORES, "pooled/brier_skill")
    assert f"the higher Brier skill with every seed, {span(found)} on average" in prose(DOCUMENT)
    assert f"the higher skill with every seed, {span(found)};" in prose(DOCS / "concepts" / "credit.md")
    for conditions, (low, high) in {6: (0.45, 0.55), 16: (0.28, 0.32)}.items():
        firsts = [each["values"][score]["pass_at_1"][0] for each in records_in(SCORED[conditions]) for score in SCORES]
        assert low < fmean(firsts) < high


def test_no_difference_is_shown_by_a_rate_that_falls_at_the_end():
    records = records_in(BY_DECAY[6])
    assert [(each["seed"], tuple(each["values"])) for each in records] == [(seed, DECAYS) for seed in range(5)]
    for metric in METRICS:
        found = differences_over_seeds(records, *DECAYS, metric).interval
        assert found.low < 0 < found.high


def test_a_lower_temperature_helps_a_little_and_leaves_claims_of_sets_where_they_are():
    records = records_in(BY_TEMPERATURE[6])
    trained = [each["values"]["1"]["pass_at_1"][0] for each in records]
    assert trained == [each["values"]["0"]["pass_at_1"][0] for each in records_in(BY_DECAY[6])], "the same trainings"
    for metric in ("pass_at_1", "pooled/brier_skill"):
        assert all(each["values"]["0.7"][metric][0] > each["values"]["1"][metric][0] for each in records)
        assert differences_over_seeds(records, *TEMPERATURES, metric).interval.low > 0
    sets = differences_over_seeds(records, *TEMPERATURES, "set/ece").interval
    assert sets.low < 0 < sets.high
    moved = [
        each["values"]["0.7"]["pooled/confidence"][0] - each["values"]["1"]["pooled/confidence"][0] for each in records
    ]
    assert max(map(abs, moved)) < 0.005


def test_no_difference_is_shown_between_the_gradients_of_confidences():
    records = records_in(BY_GRADIENT[6])
    assert [(each["seed"], tuple(each["values"])) for each in records] == [(seed, GRADIENTS) for seed in range(5)]
    assert [each["values"]["sampled"] for each in records] == [
        each["values"]["log"] for each in records_in(SCORED[6])
    ], "the same trainings"
    for metric in METRICS:
        found = differences_over_seeds(records, *GRADIENTS, metric).interval
        assert found.low < 0 < found.high


def test_what_the_page_says_of_the_gradient_of_single_answers():
    short, long = (records_in(file) for file in OF_SINGLES.values())
    for records in (short, long):
        assert [(each["seed"], tuple(each["values"])) for each in records] == [(seed, GRADIENTS) for seed in range(5)]
    page, skill = prose(DOCUMENT), "top1/brier_skill"
    sampled, expected = ([each["values"][gradient][skill][0] for each in short] for gradient in GRADIENTS)
    assert all(more > less for less, more in zip(sampled, expected, strict=True))
    assert sum(value < 0 for value in expected) == 4
    assert f"with every seed, {span(differences_over_seeds(short, *GRADIENTS, skill))} on average, but four" in page
    unclear = differences_over_seeds(long, *GRADIENTS, skill).interval
    assert unclear.low < 0 < unclear.high
    gained = [span(with_more_steps(short, long, gradient, skill)) for gradient in GRADIENTS]
    assert "help with either: {} with `sampled`, {} with `expected`.".format(*gained) in page
    known = max(each["values"][gradient]["top1/auroc"][0] for each in long for gradient in GRADIENTS)
    assert f"the best AUROC is {known:.2f}." in page


def with_more_steps(short: list[Record], long: list[Record], gradient: str, metric: str) -> SeedTest:
    before, after = ([each["values"][gradient][metric][0] for each in records] for records in (short, long))
    return mean_over_seeds([more - less for less, more in zip(before, after, strict=True)])
