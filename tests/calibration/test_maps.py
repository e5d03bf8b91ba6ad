"""Each map against another implementation of it, and what all maps have in common."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from setwise.calibration.isotonic import isotonic, venn_abers
from setwise.calibration.maps import EDGE, Map, map_from_record
from setwise.calibration.points import Points
from setwise.calibration.ranked import KINDS
from setwise.calibration.sigmoid import beta, platt

CASES = st.lists(
    st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans(), st.sampled_from([0.1, 0.5, 1.0])),
    min_size=1,
    max_size=40,
)
GRID = np.linspace(0, 1, 51)


def exaggerated(size: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    chance = rng.uniform(0.05, 0.95, size)
    return np.round(np.sqrt(chance), 2), rng.random(size) < chance


@given(CASES)
def test_isotonic_is_scikit_learns(cases):
    stated, right, weight = map(np.array, zip(*cases, strict=True))
    oracle = IsotonicRegression(out_of_bounds="clip").fit(stated, right.astype(float), sample_weight=weight)
    assert isotonic(Points.of(stated, right, weight))(GRID) == pytest.approx(oracle.predict(GRID), abs=1e-9)


def logistic_regression(columns: np.ndarray, right: np.ndarray) -> LogisticRegression:
    """Platt's targets as weights: each case counts as right in part, and as wrong for the rest."""
    high, low = (right.sum() + 1) / (right.sum() + 2), 1 / ((~right).sum() + 2)
    target = np.where(right, high, low)
    labels = np.repeat([1, 0], len(right))
    weights = np.concatenate([target, 1 - target])
    doubled = np.concatenate([columns, columns])
    return LogisticRegression(C=1e12, tol=1e-10, max_iter=10_000).fit(doubled, labels, sample_weight=weights)


def test_platt_is_scikit_learns_logistic_regression():
    stated, right = exaggerated()
    oracle = logistic_regression(stated[:, None], right).predict_proba(GRID[:, None])[:, 1]
    assert platt(Points.of(stated, right))(GRID) == pytest.approx(oracle, abs=1e-5)


def test_beta_is_a_logistic_regression_on_two_logarithms():
    stated, right = exaggerated()

    def columns(q: np.ndarray) -> np.ndarray:
        inside = np.clip(q, EDGE, 1 - EDGE)
        return np.column_stack([np.log(inside), -np.log(1 - inside)])

    learnt = beta(Points.of(stated, right))
    assert min(learnt.log, learnt.log_rest) > 0
    oracle = logistic_regression(columns(stated), right).predict_proba(columns(GRID))[:, 1]
    assert learnt(GRID) == pytest.approx(oracle, abs=1e-4)


def test_venn_abers_is_two_isotonic_fits_with_one_case_more():
    stated, right = exaggerated(60)
    levels = np.unique(stated)[:20]
    kept = np.isin(stated, levels)
    stated, right = stated[kept], right[kept].astype(float)
    found = venn_abers(Points.of(stated, right))(levels)
    for level, chance in zip(levels, found, strict=True):
        p0, p1 = (
            IsotonicRegression().fit([*stated, level], [*right, label]).predict([level])[0] for label in (0.0, 1.0)
        )
        assert chance == pytest.approx(p1 / (1 - p0 + p1), abs=1e-9)


@pytest.mark.parametrize("learn", KINDS.values(), ids=KINDS)
@given(cases=CASES)
@settings(max_examples=50)
def test_no_map_ever_falls_or_leaves_0_to_1(learn: Callable[[Points], Map], cases):
    stated, right, weight = map(np.array, zip(*cases, strict=True))
    chances = learn(Points.of(stated, right, weight))(GRID)
    assert (np.diff(chances) >= -1e-12).all()
    assert chances.min() >= 0
    assert chances.max() <= 1


@pytest.mark.parametrize("learn", KINDS.values(), ids=KINDS)
def test_a_map_brings_exaggerated_confidences_near_the_truth(learn: Callable[[Points], Map]):
    stated, right = exaggerated(5000)
    learnt = learn(Points.of(stated, right))
    middle = np.linspace(0.4, 0.9, 11)
    assert np.abs(learnt(middle) - middle**2).mean() < 0.04
    assert map_from_record(learnt.to_record()) == learnt


@pytest.mark.parametrize("learn", KINDS.values(), ids=KINDS)
def test_confidences_that_point_the_wrong_way_teach_the_base_rate(learn: Callable[[Points], Map]):
    stated = np.repeat([0.2, 0.8], 200)
    right = np.concatenate([np.arange(200) < 160, np.arange(200) < 40])
    assert learn(Points.of(stated, right))([0.2, 0.8]) == pytest.approx([0.5, 0.5], abs=0.01)


def test_joined_levels_keep_what_they_weigh():
    points = Points.of(*exaggerated(3000))
    few = points.at_most(8)
    assert few.levels.size <= 8
    assert few.weight.sum() == pytest.approx(points.weight.sum())
    assert few.rate == pytest.approx(points.rate)
    assert (np.diff(few.levels) > 0).all()
