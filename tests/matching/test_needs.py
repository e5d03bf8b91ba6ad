"""A matcher and a problem that have nothing to compare are found out before a model is asked."""

from collections.abc import Iterator, Sequence

import pytest

from setwise.answers import Match
from setwise.errors import InputError
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.matching import JudgeMatcher, Matcher, exact, named
from setwise.matching.needs import require_judgeable
from setwise.questions import Problem
from setwise.records.run import RunFolder
from setwise.workflows.evaluate import evaluate_model
from tests.evaluation.made_up import Counting, MadeUpTask, script

WITH_GOLDS, WITH_TESTS = Problem("g", "?", ["x"]), Problem("t", "?", tests=["assert f()"])


class Lenient:
    """A user's own, which says nothing of its needs."""

    name = "lenient"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        return [Match(True) for _ in answers]


@pytest.mark.parametrize("matcher", [*map(named, ("exact", "fuzzy", "math")), JudgeMatcher(lambda messages: "NONE")])
def test_what_compares_with_golds_refuses_tests(matcher: Matcher):
    require_judgeable(WITH_GOLDS, matcher)
    said = f"problem t: the {matcher.name} matcher needs golds, and this problem has tests instead; use code"
    with pytest.raises(InputError, match=said):
        require_judgeable(WITH_TESTS, matcher)


def test_what_runs_tests_refuses_golds_and_ones_own_is_asked_about_both():
    require_judgeable(WITH_TESTS, named("code"))
    with pytest.raises(InputError, match="problem g: the code matcher needs tests, and this problem has golds instead"):
        require_judgeable(WITH_GOLDS, named("code"))
    for problem in (WITH_GOLDS, WITH_TESTS):
        require_judgeable(problem, Lenient())


class Programs(MadeUpTask):
    def __iter__(self) -> Iterator[Problem]:
        return iter([WITH_GOLDS, WITH_TESTS])


def test_a_run_refuses_before_it_asks_and_leaves_nothing_behind(tmp_path):
    model = Counting(script({}))
    runs = [(RunFolder(tmp_path / "run"), Inquiry(Programs(), named_method("rlvr-multi")))]
    with pytest.raises(InputError, match="problem t: the exact matcher needs golds"):
        list(evaluate_model(model, runs, exact, resamples=0))
    assert model.asked == []
    assert not (tmp_path / "run").exists()
