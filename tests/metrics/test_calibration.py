"""The calibration numbers, held against independent implementations where those are right, else against brute force."""

from fractions import Fraction
from itertools import product
from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setwise.errors import InputError
from setwise.metrics import set_confidence
from setwise.metrics.calibration import base_rate_brier, bin_index, brier, brier_skill, debiased_ece, ece, ece_floor
from setwise.metrics.ranking import auroc, auroc_within_places
from setwise.metrics.smooth import smooth_ece
from setwise.objectives import sums_above_one

HUNDREDTHS = st.integers(0, 100)
CASES = st.lists(st.tuples(HUNDREDTHS, st.booleans()), min_size=1, max_size=60)


def brute_force_ece(hundredths: list[int], correct: list[bool], bins: int = 10) -> Fraction:
    """Exact rationals, one bin after another, straight from the definition."""
    total = Fraction(0)
    for b in range(bins):
        inside = [
            (Fraction(h, 100), c)
            for h, c in zip(hundredths, correct, strict=True)
            if Fraction(b, bins) <= Fraction(h, 100) < Fraction(b + 1, bins) or (b == bins - 1 and h == 100)
        ]
        if inside:
            accuracy = Fraction(sum(c for _, c in inside), len(inside))
            confidence = sum((q for q, _ in inside), Fraction(0)) / len(inside)
            total += Fraction(len(inside), len(hundredths)) * abs(accuracy - confidence)
    return total


@given(CASES, st.sampled_from([1, 2, 5, 10, 20]))
def test_ece_is_the_definition_in_exact_rationals(cases, bins):
    hundredths, correct = [h for h, _ in cases], [c for _, c in cases]
    assert ece([h / 100 for h in hundredths], correct, bins) == pytest.approx(
        float(brute_force_ece(hundredths, correct, bins)), abs=1e-12
    )


@pytest.mark.parametrize("tenths", range(11))
def test_a_confidence_on_an_edge_belongs_to_the_bin_that_starts_there(tenths):
    assert bin_index([tenths / 10]).tolist() == [min(tenths, 9)]
    assert bin_index([sum([0.1] * tenths)]).tolist() == [min(tenths, 9)]


@pytest.mark.parametrize(
    ("confidences", "correct", "expected"),
    [
        ([0.0, 0.0], [True, False], 0.5),
        ([1.0, 1.0], [True, False], 0.5),
        ([0.3], [True], 0.7),
        ([1.0, 0.0], [True, False], 0.0),
        ([1.0, 0.0], [False, True], 1.0),
        ([0.05, 0.95], [False, True], 0.05),
        ([1.4], [True], 0.4),
    ],
    ids=["q=0", "q=1", "q=0.3", "all right", "all wrong", "empty bins between", "a sum above 1 keeps its value"],
)
def test_ece_at_its_edges(confidences, correct, expected):
    assert ece(confidences, correct) == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 10, 1000])
def test_ece_agrees_with_torchmetrics_away_from_the_edges_it_gets_wrong(n):
    torch, functional = pytest.importorskip("torch"), pytest.importorskip("torchmetrics.functional")
    rng = np.random.default_rng(n)
    q = (rng.integers(0, 10, n) + rng.uniform(0.05, 0.95, n)) / 10
    c = rng.random(n) < q**2
    theirs = functional.calibration_error(torch.tensor(q), torch.tensor(c).long(), task="binary", n_bins=10, norm="l1")
    assert ece(q, c) == pytest.approx(float(theirs), abs=1e-6)


@pytest.fixture(scope="module")
def sklearn():
    return pytest.importorskip("sklearn.metrics")


@given(cases=CASES)
@settings(max_examples=40)
def test_brier_and_auroc_agree_with_scikit_learn(sklearn, cases):
    q, c = [h / 100 for h, _ in cases], [c for _, c in cases]
    assert brier(q, c) == pytest.approx(sklearn.brier_score_loss(np.array(c, dtype=int), q, pos_label=1))
    if len(set(c)) == 2:
        assert auroc(q, c) == pytest.approx(sklearn.roc_auc_score(c, q))
    else:
        assert isnan(auroc(q, c))


@given(CASES, st.integers(1, 3))
@settings(max_examples=40)
def test_auroc_within_places_compares_answers_of_one_place(cases, k):
    q, c = np.array([h / 100 for h, _ in cases]), np.array([c for _, c in cases])
    places = np.arange(len(q)) % k
    both = [at for place in range(k) if 0 < c[at := places == place].sum() < at.sum()]
    if not both:
        assert isnan(auroc_within_places(q, c, places))
        return
    known = [c[at].sum() * (~c[at]).sum() / at.sum() for at in both]
    mean = sum(weight * auroc(q[at], c[at]) for weight, at in zip(known, both, strict=True)) / sum(known)
    assert auroc_within_places(q, c, places) == pytest.approx(mean)


@given(CASES)
@settings(max_examples=40)
def test_the_base_rate_is_the_best_constant_confidence(cases):
    c = [c for _, c in cases]
    constants = [brier([h / 100] * len(c), c) for h in range(101)]
    assert base_rate_brier(c) <= min(constants) + 1e-12
    assert base_rate_brier(c) == pytest.approx(brier([sum(c) / len(c)] * len(c), c))


def test_skill_is_nothing_for_the_base_rate_one_for_the_truth_and_undefined_without_both_labels():
    c = [True, False, False, False]
    assert brier_skill([0.25] * 4, c) == pytest.approx(0.0)
    assert brier_skill([1.0, 0.0, 0.0, 0.0], c) == 1.0
    assert brier_skill([0.9] * 4, c) < 0
    assert isnan(brier_skill([0.9], [True]))


@given(st.lists(HUNDREDTHS, min_size=1, max_size=8))
@settings(max_examples=60)
def test_the_floor_is_the_exact_expectation_over_every_outcome(hundredths):
    q = [h / 100 for h in hundredths]
    expected = 0.0
    for outcome in product([False, True], repeat=len(q)):
        chance = np.prod([p if c else 1 - p for p, c in zip(q, outcome, strict=True)])
        expected += float(chance) * ece(q, outcome)
    assert ece_floor(q) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("n", "expected"), [(5000, 0.014), (500, 0.045), (100, 0.1)])
def test_the_floor_of_spread_out_confidences_is_as_known(n, expected):
    q = np.random.default_rng(0).random(n)
    assert ece_floor(q) == pytest.approx(expected, rel=0.15)


def test_the_floor_is_what_calibrated_outcomes_average_to():
    rng = np.random.default_rng(1)
    q = rng.choice([0.02, 0.3, 0.55, 0.9, 1.0], 700)
    simulated = [ece(q, rng.random(q.size) < q) for _ in range(2000)]
    assert ece_floor(q) == pytest.approx(np.mean(simulated), abs=4 * np.std(simulated) / 2000**0.5)


def test_the_debiased_ece_is_the_gaussian_correction_by_simulation():
    rng = np.random.default_rng(2)
    q, c = rng.random(200), rng.random(200) < 0.5
    index = bin_index(q)
    corrected = 0.0
    for b in range(10):
        inside = index == b
        accuracy, gap = c[inside].mean(), c[inside].mean() - q[inside].mean()
        noise = np.sqrt(accuracy * (1 - accuracy) / inside.sum())
        corrected += inside.mean() * (2 * abs(gap) - np.abs(rng.normal(gap, noise, 200_000)).mean())
    assert debiased_ece(q, c) == pytest.approx(corrected, abs=1e-3)


def test_debiasing_takes_most_of_the_floor_away_and_little_of_a_real_gap():
    rng = np.random.default_rng(3)
    q = rng.random(400)
    calibrated = [rng.random(q.size) < q for _ in range(50)]
    overconfident = [rng.random(q.size) < q / 2 for _ in range(50)]
    assert np.mean([debiased_ece(q, c) for c in calibrated]) < 0.75 * np.mean([ece(q, c) for c in calibrated])
    assert np.mean([debiased_ece(q, c) for c in overconfident]) == pytest.approx(0.25, abs=0.01)


def brute_force_smooth_ece(q: np.ndarray, c: np.ndarray) -> float:
    """Every image of every point under the reflections, on a fine grid, and the fixed point by bisection."""
    grid = (np.arange(1000) + 0.5) / 1000
    images = np.concatenate([2 * m + sign * q for m in range(-4, 5) for sign in (1, -1)])
    residuals = np.tile(c - q, 18)
    low, high = 0.0, 1.0
    for _ in range(14):
        width = (low + high) / 2
        kernels = np.exp(-((grid[:, None] - images) ** 2) / (2 * width**2)) / (width * np.sqrt(2 * np.pi))
        error = np.abs(kernels @ residuals / q.size).mean()
        low, high = (width, high) if error > width else (low, width)
    return low


@pytest.mark.parametrize("n", [1, 2, 30, 100])
@pytest.mark.parametrize("skew", [1.0, 2.0])
def test_smooth_ece_is_its_definition_at_the_ends_of_the_scale_too(n, skew):
    rng = np.random.default_rng(n)
    for q in (rng.random(n), rng.integers(0, 5, n) / 4):
        c = (rng.random(n) < q**skew).astype(float)
        assert smooth_ece(q, c) == pytest.approx(brute_force_smooth_ece(q, c), abs=2e-4)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [1, 30, 500, 4000])
def test_smooth_ece_agrees_with_the_authors_package_inside_the_scale(n):
    relplot = pytest.importorskip("relplot")
    rng = np.random.default_rng(n)
    for q in (rng.uniform(0.1, 0.9, n), rng.integers(2, 19, n) / 20):
        c = rng.random(n) < q**2
        assert smooth_ece(q, c) == pytest.approx(relplot.smECE(q, c.astype(float)), abs=2e-3)


def test_smooth_ece_is_nothing_for_the_truth_and_everything_for_its_opposite():
    assert smooth_ece([1.0, 0.0] * 50, [True, False] * 50) < 1e-5
    assert smooth_ece([1.0, 0.0] * 50, [False, True] * 50) > 0.4
    assert smooth_ece([1.0] * 9, [False] * 9) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("metric", [brier, ece, smooth_ece, debiased_ece, auroc])
def test_nothing_to_measure_is_nan_and_not_a_perfect_score(metric):
    assert isnan(metric([], []))


PAIRED = (brier, brier_skill, ece, debiased_ece, smooth_ece, auroc)


@pytest.mark.parametrize("metric", PAIRED)
@pytest.mark.parametrize(
    ("confidences", "correct", "said"),
    [
        ([0.5], [True, False], "confidences and correct must be of equal length, got [1, 2]"),
        ([nan, 0.5], [True, False], "confidences[0]: a confidence is a number from 0 to 1, or a sum of such"),
        ([0.5, inf], [True, False], "confidences[1]: a confidence is a number"),
        ([0.5, -0.1], [True, False], "confidences[1]: a confidence is a number"),
        ([0.5, None], [True, False], "got null"),
        ([0.5, "0.7"], [True, False], "confidences[0]: a confidence is a number"),
        ([0.5, 0.7], [True, nan], "correct[1]: a label is true or false, or 1 or 0, got NaN"),
        ([0.5, 0.7], [True, 0.3], "correct[1]: a label is true or false, or 1 or 0, got 0.3"),
        ([[0.5], [0.7, 1]], [True, False], "confidences: a flat sequence of numbers is needed"),
        (0.5, True, "confidences: a flat sequence of numbers is needed, got 0.5"),
    ],
)
def test_what_is_no_confidence_or_no_label_is_refused_with_its_place(metric, confidences, correct, said):
    with pytest.raises(InputError) as caught:
        metric(confidences, correct)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_floor_and_the_bins_refuse_it_too():
    for metric in (ece_floor, bin_index):
        with pytest.raises(InputError, match=r"confidences\[1\]: a confidence is a number .*, got NaN"):
            metric([0.5, nan])
    with pytest.raises(InputError, match="bins must be a whole number of at least 1, got 0"):
        ece([0.5], [True], bins=0)
    with pytest.raises(InputError, match=r"correct\[0\]: a label is true or false"):
        base_rate_brier([0.5])


@given(st.lists(HUNDREDTHS, min_size=1, max_size=6))
def test_set_confidence_by_brute_force(hundredths):
    q = [h / 100 for h in hundredths]
    nobody = 1.0
    for p in q:
        nobody *= 1 - p
    assert set_confidence(q, "inclusive") == pytest.approx(1 - nobody)
    assert set_confidence(q, "exclusive") == pytest.approx(sum(hundredths) / 100)
    assert set_confidence(q, "exclusive", clipped=True) == pytest.approx(min(1, sum(hundredths) / 100))
    assert sums_above_one(q) == (sum(hundredths) > 100)
