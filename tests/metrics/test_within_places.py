"""Whether confidences tell right answers from wrong ones in the same place of a set, and how sure that is."""

import numpy as np
import pytest

from setwise.evaluation.measure import attempt_from, evaluate
from setwise.evaluation.quantities import quantities
from setwise.evaluation.tally import Tally
from setwise.metrics.ranking import auroc_within_places
from setwise.metrics.stated.sums import AUROC_LEVELS
from tests.evaluation.made_up import attempts, replicates_of


def test_every_replicate_compares_answers_of_one_place():
    for value, *drawn in replicates_of("pooled/auroc_within_places", attempts(30, 4), resamples=20, seed=1):
        assert value == pytest.approx(auroc_within_places(*drawn))


def test_a_place_that_is_always_right_does_not_count_within_places():
    made = [
        {"problem": str(n), "correct": [True, right], "confidences": [0.9, q]}
        for n, (right, q) in enumerate([(True, 0.6), (False, 0.4), (False, 0.7), (True, 0.7)])
    ]
    found = evaluate(made, resamples=0)
    assert found["pooled/auroc_within_places"].value == 0.625
    assert "top1/auroc_within_places" not in found
    assert "set/auroc_within_places" not in found


def test_an_answer_keeps_its_place_if_one_before_it_states_nothing():
    made = [
        {"problem": str(n), "correct": [False, False, right], "confidences": [0.9, None, q]}
        for n, (right, q) in enumerate([(True, 0.6), (False, 0.4)])
    ]
    assert evaluate(made, resamples=0)["pooled/auroc_within_places"].value == 1


def test_auroc_within_places_with_more_levels_than_are_kept_apart_stays_close():
    rng = np.random.default_rng(0)
    made = [
        {"problem": i, "correct": (rng.random(3) < q).tolist(), "confidences": q.tolist()}
        for i, q in enumerate(rng.random((1000, 3)))
    ]
    found = quantities(Tally().add_all(map(attempt_from, made)))["pooled/auroc_within_places"]
    assert found.statistic.columns.shape[1] <= 2 * (AUROC_LEVELS + 3)
    assert found.statistic.point == pytest.approx(found.value, abs=2e-3)
