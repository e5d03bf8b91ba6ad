"""The methods of the paper, by name."""

import pytest

from setwise.errors import InputError
from setwise.evaluation.methods import METHODS, named_method
from setwise.objectives import Regime
from setwise.records.method import Method


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_consistent_with_itself(name):
    method = METHODS[name]
    asked, read = method.asked_objective(Regime.INCLUSIVE), method.read_objective(Regime.INCLUSIVE)
    assert asked.k == read.k
    assert read.confidences == (method.confidence != "none")
    assert asked.confidences == (method.confidence in ("written", "prompt"))
    assert method.sized(k=5).k == 5


def test_the_papers_methods_are_all_there():
    for kind in ("rlvr", "rlcr"):
        assert {f"{kind}-single", f"{kind}-single-prompted-multi", f"{kind}-zero-shot", f"{kind}-multi"} <= set(METHODS)


def test_samples_that_do_not_fill_sets_are_refused():
    with pytest.raises(InputError, match="multiple of it, got 4"):
        Method("rlvr-single", False, construction=METHODS["rlvr-single"].construction, k=3, samples=4)


def test_an_unknown_method_is_told_the_known_ones():
    with pytest.raises(InputError, match=r"a method is one of rlvr-single,.* did you mean rlcr-multi\?"):
        named_method("rlcr-mutli")
