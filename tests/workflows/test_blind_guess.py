"""What answering every problem alike would earn."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.matching import FuzzyMatcher, JudgeMatcher, exact
from setwise.matching.protocol import Matcher
from setwise.objectives import Objective
from setwise.questions import Gold, Problem
from setwise.scoring import score
from setwise.workflows import blind_guess
from setwise.workflows.blind_guess import BlindGuess, BlindSearch, write_completion

NAMES = ("Ada", "Hedy", "Emmy", "Grace", "Mary")


def problems(*golds: Sequence[Gold | str]) -> list[Problem]:
    return [Problem(str(number), "Who?", each) for number, each in enumerate(golds)]


def guess(asked: list[Problem], k: int, matcher: Matcher = exact) -> BlindGuess:
    search = BlindSearch(matcher)
    for problem in asked:
        search.add(problem)
    found = search.guess(k)
    assert found is not None
    return found


def right(answers: tuple[str, ...], problem: Problem, matcher: Matcher = exact) -> int:
    objective = Objective("rlvr-multi", len(answers))
    return sum(score(write_completion(answers, objective), problem, objective, matcher=matcher).labels)


def test_the_answers_that_are_right_most_often_are_found():
    asked = problems(["Ada"], ["ada", "Hedy"], ["Emmy"])
    assert guess(asked, 1) == BlindGuess(("Ada",), right=2 / 3, any_right=2 / 3)
    assert guess(asked, 2) == BlindGuess(("Ada", "Hedy"), right=1.0, any_right=2 / 3)


def test_no_answer_is_given_that_would_never_be_right():
    asked = problems(["Ada"], ["ada", "Hedy"], ["Emmy"])
    assert guess(asked, 9) == BlindGuess(("Ada", "Hedy", "Emmy"), right=4 / 3, any_right=1.0)


def test_an_alias_may_be_the_best_answer():
    asked = problems([Gold("United States", ("USA",))], [Gold("America", ("USA",))], ["France"], ["France"], ["USA"])
    assert guess(asked, 1) == BlindGuess(("USA",), right=0.6, any_right=0.6)


def test_a_second_name_of_a_gold_that_is_earned_already_adds_nothing():
    asked = problems(*[[Gold("United States", ("USA", "US"))]] * 3, ["France"])
    assert guess(asked, 2).answers == ("United States", "France")


def test_names_that_the_tags_cannot_hold_are_passed_over():
    asked = problems(["</answer1>"], ["</answer1>"], ["Ada"])
    assert guess(asked, 1) == BlindGuess(("Ada",), right=1 / 3, any_right=1 / 3)


GOLD = st.builds(Gold, st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=2).map(tuple))
PROBLEMS = st.lists(st.lists(GOLD, min_size=1, max_size=3), min_size=1, max_size=6).map(lambda each: problems(*each))


@given(PROBLEMS, st.integers(1, 3))
def test_it_earns_what_the_scorer_pays_and_greed_costs_little(asked: list[Problem], k: int):
    found = guess(asked, k)
    earned = [right(found.answers, problem) for problem in asked]
    assert found.right == pytest.approx(sum(earned) / len(asked))
    assert found.any_right == pytest.approx(sum(map(bool, earned)) / len(asked))
    best = max(sum(right(each, problem) for problem in asked) for each in combinations(NAMES, k))
    assert sum(earned) >= best * (1 if k == 1 else 1 - (1 - 1 / k) ** k) - 1e-9


def test_another_matcher_judges_the_most_frequent_names_itself_and_that_is_said(monkeypatch: pytest.MonkeyPatch):
    asked = problems(["pulmonary embolism"], ["embolism, pulmonary"], ["gout"], ["gout"], ["Pulmonary embolisms"])
    assert guess(asked, 1).answers == ("gout",)
    assert guess(asked, 1, FuzzyMatcher(85)) == BlindGuess(("pulmonary embolism",), right=0.6, any_right=0.6)
    monkeypatch.setattr(blind_guess, "MOST_PAIRS", 5)
    limited = guess(asked, 1, FuzzyMatcher(85))
    assert limited == BlindGuess(("pulmonary embolism",), right=0.6, any_right=0.6, names_tried=2)


def test_a_judge_is_not_asked_about_every_name():
    search = BlindSearch(JudgeMatcher(lambda messages: pytest.fail("asked")))
    search.add(Problem("1", "Who?", ["Ada"]))
    assert search.guess(1) is None
