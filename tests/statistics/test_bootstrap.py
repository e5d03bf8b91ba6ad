"""The vectorised bootstrap, held against the loop it replaces."""

import numpy as np
import pytest

from setwise.errors import InputError
from setwise.evaluation.measure import evaluate
from setwise.evaluation.quantities import Quantity, quantities
from setwise.evaluation.tally import Tally
from setwise.metrics.calibration import brier, brier_skill, ece
from setwise.metrics.ranking import auroc
from setwise.metrics.smooth import smooth_ece
from setwise.records.attempt import Attempt, Construction
from setwise.records.measured import Estimate
from setwise.statistics import (
    Interval,
    Statistic,
    difference_interval,
    holm,
    interval,
    left_of_difference,
    p_value,
    replicates,
    resample_weights,
)
from tests.evaluation.made_up import as_single, attempts, drawn_from, replicates_of

EXACT = {"brier": brier, "brier_skill": brier_skill, "ece": ece, "auroc": auroc}


def ends_of(interval: Interval | Estimate | None) -> tuple[float, float]:
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def test_a_resample_draws_as_many_problems_as_there_are():
    weights = np.concatenate(list(resample_weights(7, 1000, seed=0)))
    assert weights.shape == (1000, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert weights.mean() == 1
    assert weights.var() == pytest.approx(1 - 1 / 7, rel=0.1)


def test_resamples_do_not_depend_on_the_size_of_a_block(monkeypatch):
    whole = np.concatenate(list(resample_weights(5, 300, seed=3)))
    monkeypatch.setattr("setwise.statistics.bootstrap._BLOCK_CELLS", 5 * 7)
    assert (np.concatenate(list(resample_weights(5, 300, seed=3))) == whole).all()


@pytest.mark.parametrize("family", ["top1", "pooled"])
def test_every_replicate_is_the_metric_of_the_resampled_problems(family):
    made = attempts(30, 4)
    tally = Tally().add_all(made)
    found = quantities(tally)
    names = [f"{family}/{name}" for name in EXACT] + ["coverage", "tokens"]
    drawn = replicates({name: found[name].statistic for name in names}, resamples=20, seed=1)
    rows = np.concatenate(list(resample_weights(30, 20, seed=1)))
    for row, weights in enumerate(rows):
        resampled = drawn_from(made, weights)
        pairs = [
            pair
            for each in resampled
            for pair in list(zip(each.confidences, each.correct, strict=True))[: 1 if family == "top1" else None]
        ]
        q, c = zip(*pairs, strict=True)
        for name, metric in EXACT.items():
            assert drawn[f"{family}/{name}"][row] == pytest.approx(metric(q, c)), name
        assert drawn["coverage"][row] == pytest.approx(np.mean([sum(each.correct) / 3 for each in resampled]))
        assert drawn["tokens"][row] == pytest.approx(np.mean([each.tokens or 0 for each in resampled]))


def test_every_statistic_gives_the_point_value_on_the_sample_itself():
    found = quantities(Tally().add_all(attempts(200, 5)))
    for name, each in found.items():
        if name.endswith("debiased"):
            assert each.statistic is found[name.removesuffix("_debiased")].statistic
            continue
        grouped = name.endswith(("smooth_ece", "auroc", "auroc_within_places"))
        tolerance = 0.05 if name.endswith("floor") else 2e-3 if grouped else 1e-9
        assert each.statistic.point == pytest.approx(each.value, rel=tolerance), name


def test_smooth_replicates_are_close_to_the_exact_metric():
    for value, q, right, _ in replicates_of("pooled/smooth_ece", attempts(60, 5), resamples=5, seed=0):
        assert value == pytest.approx(smooth_ece(q, right), abs=1e-3)


def test_auroc_with_more_levels_than_are_kept_apart_stays_close():
    rng = np.random.default_rng(0)
    made = [
        {"problem": i, "correct": [bool(rng.random() < q)], "confidences": [float(q)]}
        for i, q in enumerate(rng.random(2000))
    ]
    estimate = evaluate(made, resamples=500)["top1/auroc"]
    low, high = ends_of(estimate)
    assert low < estimate.value < high
    assert high - low == pytest.approx(4 * 0.0098, rel=0.35)


def test_answers_of_one_problem_are_not_independent_evidence():
    few = [each for each in attempts(20, 1, seed=5) for _ in range(50)]
    many = attempts(1000, 1, seed=5)
    width = {}
    for name, made in (("few", few), ("many", many)):
        low, high = ends_of(evaluate(made, resamples=1000)["coverage"])
        width[name] = high - low
    assert width["few"] > 4 * width["many"]


def test_intervals_of_a_mean_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(200):
        values = rng.exponential(1.0, 80)
        statistic = Statistic(np.column_stack([values, np.ones(80)]), lambda s: s[:, 0] / s[:, 1])
        ends = interval(statistic, statistic.point, replicates({"x": statistic}, resamples=400, seed=1)["x"])
        low, high = ends_of(ends)
        covered += low <= 1.0 <= high
    assert 0.88 <= covered / 200 <= 0.98


def test_the_interval_of_a_calibrated_models_ece_reaches_down_to_nothing():
    rng = np.random.default_rng(0)
    made = []
    for i, q in enumerate(rng.random(400)):
        made.append({"problem": i, "correct": [bool(rng.random() < q)], "confidences": [float(q)]})
    estimate = evaluate(made, resamples=1000)["top1/ece"]
    low, high = ends_of(estimate)
    assert low < 0.02
    assert estimate.value - high < 0.03


def stated(chance: np.random.Generator, problems: int, too_high: float = 0.0, constant: bool = False) -> Tally:
    """Two samples a problem, right or wrong together, with confidences that are too high by so much."""
    q = np.full(problems, 0.5) if constant else chance.choice(np.linspace(0.05, 0.95, 19), problems)
    right = chance.random(problems) < np.clip(q - too_high, 0, 1)
    each = zip(q.tolist(), right.tolist(), strict=True)
    sampled = Construction.SAMPLED
    return Tally().add_all(
        Attempt(str(i), (c, c), 2, confidences=(p, p), construction=sampled) for i, (p, c) in enumerate(each)
    )


def measured(tally: Tally, name: str = "top1/ece") -> tuple[Quantity, np.ndarray]:
    found = quantities(tally)[name]
    return found, replicates({"x": found.statistic}, resamples=200, seed=1)["x"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "too_high"), [("ece", 0.0), ("ece", 0.05), ("ece", 0.2), ("smooth_ece", 0.0), ("smooth_ece", 0.2)]
)
def test_intervals_of_an_ece_cover_the_truth_about_as_often_as_they_say(name: str, too_high: float):
    chance = np.random.default_rng(0)
    truth = quantities(stated(chance, 50_000, too_high))[f"top1/{name}"].value if too_high else 0.0
    covered, trials = 0, 40
    for _ in range(trials):
        found, drawn = measured(stated(chance, 300, too_high), f"top1/{name}")
        low, high = ends_of(interval(found.statistic, found.value, drawn))
        assert low <= found.value <= high
        covered += low <= truth <= high
    assert covered / trials >= 0.88


@pytest.mark.slow
@pytest.mark.parametrize("constant", [False, True])
def test_two_calibrated_models_are_rarely_called_different(constant: bool):
    """Also where one fills all bins and the other one bin, so that noise lifts their ECEs unequally."""
    chance = np.random.default_rng(0)
    false_alarms, trials = 0, 100
    for _ in range(trials):
        (first, before), (second, after) = measured(stated(chance, 300)), measured(stated(chance, 300, 0.0, constant))
        left = left_of_difference(first.statistic, second.statistic)
        difference, drawn = second.value - first.value, after - before
        p = p_value(difference, drawn, left)
        false_alarms += p <= 0.05
        low, high = ends_of(difference_interval(difference, drawn, left))
        assert low <= difference <= high
    assert false_alarms / trials <= 0.08


def test_a_model_that_is_far_too_sure_is_told_from_a_calibrated_one():
    chance = np.random.default_rng(0)
    (first, before), (second, after) = measured(stated(chance, 500)), measured(stated(chance, 500, 0.2))
    left = left_of_difference(first.statistic, second.statistic)
    assert p_value(second.value - first.value, after - before, left) <= 0.01


def test_one_problem_has_no_interval():
    metrics = evaluate(attempts(1, 5), resamples=100)
    assert metrics["coverage"].low is None
    assert metrics["pooled/ece"].high is None


def test_an_undefined_metric_is_left_out():
    always_right = [{"problem": i, "correct": [True], "confidences": [0.9]} for i in range(5)]
    metrics = evaluate(always_right, resamples=50)
    assert "top1/auroc" not in metrics
    assert "top1/brier_skill" not in metrics
    assert metrics["top1/brier"].value == pytest.approx(0.01)


@pytest.mark.parametrize("wrong", [float("nan"), -0.1, 1.5, None, "0.1", True])
def test_holm_refuses_what_is_no_p_value(wrong):
    with pytest.raises(InputError, match=r"p_values\[1\]: a p-value is a number from 0 to 1, got"):
        holm([0.2, wrong])


def test_resamples_that_cannot_be_used_show_nothing():
    assert p_value(0.3, np.full(10, np.nan)) == 1.0


def test_holm_by_hand_and_against_its_definition():
    assert holm([]) == []
    assert holm([0.2]) == [0.2]
    rng = np.random.default_rng(0)
    for _ in range(20):
        p = rng.random(7) ** 3
        ordered = np.sort(p)
        for value, adjusted in zip(p, holm(list(p)), strict=True):
            steps = [(7 - i) * ordered[i] for i in range(7) if ordered[i] <= value]
            assert adjusted == pytest.approx(min(1, max(steps)))


def test_no_difference_is_rarely_called_one():
    rng = np.random.default_rng(0)
    false_alarms = 0
    for seed in range(200):
        columns = np.column_stack([rng.normal(0, 1, 60), np.ones(60)])
        statistic = Statistic(columns, lambda s: s[:, 0] / s[:, 1])
        drawn = replicates({"d": statistic}, resamples=400, seed=seed)["d"]
        false_alarms += p_value(statistic.point, drawn) <= 0.05
    assert 0.02 <= false_alarms / 200 <= 0.1


def test_a_difference_that_every_problem_shows_is_as_sure_as_can_be():
    drawn = np.full(1000, 2.0)
    assert p_value(2.0, drawn) == pytest.approx(1 / 1001)
    assert p_value(0.0, np.zeros(1000)) == 1
    ends = difference_interval(2.0, drawn, None)
    assert ends_of(ends) == (2, 2)


def test_single_sets_have_no_pooled_and_no_set_level_calibration():
    metrics = evaluate([as_single(each) for each in attempts(20, 2)], resamples=50)
    assert "top1/ece" in metrics
    assert not [name for name in metrics.estimates if name.startswith(("pooled/", "set/"))]
