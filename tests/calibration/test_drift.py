"""Whether new confidences are like those of the profile."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from setwise.calibration import Profile
from setwise.calibration.drift import FEWEST, Seen
from setwise.objectives import Regime
from tests.calibration.made_up import sets


def stated(problems: int, seed: int, *, knows: float = 1.0) -> list[tuple[float, ...]]:
    return [each.stated for each in sets(problems, seed=seed, knows=knows)]


def test_questions_of_the_same_kind_are_no_drift(profile: Profile):
    found = [profile.drift(stated(60, seed)) for seed in range(20, 26)]
    assert sum(each.drifted for each in found) <= 1
    assert "no change of the confidences was found" in found[0].message


def test_other_confidences_are(profile: Profile):
    found = profile.drift([(0.9, 0.9, 0.9)] * 40)
    assert found.drifted
    assert found.p < 0.01
    assert found.message.startswith("the confidences have changed (p = 0.0005; mean highest confidence 0.90 against")


def test_a_model_that_stopped_telling_questions_apart_is_noticed(profile: Profile):
    assert profile.drift(stated(200, 30, knows=0.0)).drifted


def test_a_few_sets_tell_nothing(profile: Profile):
    found = profile.drift([(0.9,)] * (FEWEST - 1))
    assert not found.drifted
    assert found.message == f"too few sets to tell: {FEWEST - 1} of the {FEWEST} needed"


def test_the_statistic_is_scipys():
    rng = np.random.default_rng(0)
    old, new = rng.integers(0, 10, 80) / 10, rng.integers(0, 8, 50) / 10
    single = [Seen.of([[q] for q in each], Regime.EXCLUSIVE) for each in (old, new)]
    oracle: Any = ks_2samp(old, new)
    assert single[0].drift(single[1]).statistic == pytest.approx(oracle.statistic)


def test_sets_without_answers_have_confidence_none(profile: Profile):
    assert profile.drift([()] * 30).drifted
