"""One relation for "same" and "right", in every matcher and in a user's own."""

import json
from collections.abc import Hashable, Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setwise import Gold, Match, Objective, Problem, score
from setwise.adapters.turns import OneAtATime
from setwise.matching import FuzzyMatcher, JudgeMatcher, Matcher, exact, same_keys
from setwise.matching.code import CodeMatcher
from setwise.matching.math import MathMatcher
from setwise.matching.same import paid_once
from tests.completions import completion

FLU = Problem("1", "?", [Gold("Influenza A", ("flu", "grippe")), Gold("Influenza B", ("flu", "B flu")), "Gout"])
NAMES = ["Influenza A", "influenza a.", "Influenza B", "influenzaa A", "flu", "the FLU", "grippe", "B flu", "b flu!",
         "gout", "goutt", "Gouts", "pneumonia", "pnuemonia", "pneumonias", "C++", "-5", "?", "flu / gout"]  # fmt: skip
NUMBERS = [
    "1/2",
    "0.5",
    "2/4",
    "50%",
    "7",
    "7.0",
    "x + 1",
    "1 + x",
    "3 cm",
    "3 km",
    "3.0 cm",
    "7 or 5",
    "5, 7",
    "yes",
    "Yes!",
]
HALVES = Problem("1", "?", [Gold("1/2", ("50%",)), Gold("7", ("3 cm",)), Gold("x + 1"), Gold("{5, 7}", ("7",))])


class FirstLetter:
    """A user's matcher: the first letter is the answer."""

    name = "first letter"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        left = {gold.text[0].lower(): number for number, gold in reversed(list(enumerate(problem.golds or ())))}
        places = [left.pop(answer[0].lower(), None) for answer in answers]
        return [Match(place is not None, place) for place in places]


class FirstLetterSame(FirstLetter):
    def same(self, answers: Sequence[str], problem: Problem) -> list[Hashable]:
        return [answer[0].lower() for answer in answers]


class Spendthrift(FirstLetter):
    """A user's matcher that pays a gold as often as it is named."""

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        return [super(Spendthrift, self).match([answer], problem)[0] for answer in answers]


def judge_of_spellings(messages: list[dict[str, str]]) -> str:
    """Stands in for a model that takes a doubled or added last letter for a slip."""
    case = json.loads(messages[-1]["content"])
    meant = {"influenzaa A": "Influenza A", "goutt": "Gout", "Gouts": "Gout"}.get(case["proposed_answer"])
    return next((number for number, names in case["accepted_answers"].items() if meant in names), "NONE")


MATCHERS = [
    exact,
    FuzzyMatcher(80),
    FuzzyMatcher(90),
    JudgeMatcher(judge_of_spellings),
    FirstLetter(),
    FirstLetterSame(),
    Spendthrift(),
    OneAtATime(FirstLetter()),
]


def earned_alone(matcher: Matcher, answer: str, problem: Problem) -> frozenset[int]:
    """The golds an answer earns when each is the only one."""
    golds = enumerate(problem.golds or ())
    return frozenset(n for n, gold in golds if matcher.match([answer], Problem("1", "?", [gold]))[0].correct)


def assert_one_relation(matcher: Matcher, answers: list[str], problem: Problem) -> None:
    keys = same_keys(matcher, answers, problem)
    earned = [earned_alone(matcher, answer, problem) for answer in answers]
    for key, golds in zip(keys, earned, strict=True):
        for other_key, other_golds in zip(keys, earned, strict=True):
            if golds and golds == other_golds:
                assert key == other_key
    matches = paid_once(matcher.match(answers, problem), keys, problem)
    assert sum(match.correct for match in matches) <= len(set(keys))
    by_answer = dict(zip(reversed(answers), same_keys(matcher, answers[::-1], problem), strict=True))
    for answer, key in zip(answers, keys, strict=True):
        for other, other_key in zip(answers, keys, strict=True):
            assert (key == other_key) == (by_answer[answer] == by_answer[other]), "the order written does not matter"
            assert answer != other or key == other_key


@pytest.mark.parametrize("matcher", MATCHERS, ids=lambda matcher: type(matcher).__name__)
@given(answers=st.lists(st.sampled_from(NAMES), min_size=1, max_size=6))
def test_answers_that_earn_the_same_golds_are_one(matcher: Matcher, answers: list[str]):
    assert_one_relation(matcher, answers, FLU)


@pytest.fixture(scope="module")
def math() -> Iterator[MathMatcher]:
    pytest.importorskip("math_verify")
    with MathMatcher(timeout_seconds=60) as matcher:
        yield matcher


@settings(max_examples=25, deadline=None)
@given(answers=st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=4))
def test_equal_values_are_one_answer_to_the_math_matcher(math: MathMatcher, answers: list[str]):
    assert_one_relation(math, answers, HALVES)


def test_a_half_is_one_answer_however_written_also_where_no_gold_is_a_half(math: MathMatcher):
    assert len(set(math.same(["1/2", "0.5", "2/4", r"\frac{1}{2}"], Problem("1", "?", ["7"])))) == 1
    assert len(set(math.same(["3 cm", "3 km", "3", "3%"], Problem("1", "?", ["7"])))) == 4


@given(answers=st.lists(st.sampled_from(["x = 1", "x=1", "y = 1", "def f(", "def f( "]), min_size=1, max_size=5))
def test_programs_are_the_same_if_their_trees_are(answers: list[str]):
    problem = Problem("1", "?", tests=["assert x"])
    keys = dict(zip(answers, CodeMatcher().same(answers, problem), strict=True))
    assert ("x = 1" in keys and "x=1" in keys) <= (keys.get("x = 1") == keys.get("x=1"))
    assert len(set(keys.values())) == len({answer.replace(" ", "") for answer in answers})


def test_keys_are_readable_and_follow_the_golds():
    keys = exact.same(["Flu!", "grippe", "Influenza A", "b flu", "Gout", "Croup"], FLU)
    assert keys == ["influenza a / influenza b", "influenza a", "influenza a", "influenza b", "gout", "croup"]


def test_golds_of_one_name_keep_their_own_keys():
    problem = Problem("1", "?", [Gold("Flu", ("x",)), Gold("flu", ("y",))])
    assert exact.same(["x", "y", "flu"], problem) == ["flu", "flu #2", "flu / flu #2"]


@pytest.mark.parametrize("matcher", [exact, FuzzyMatcher(), JudgeMatcher(lambda _: "NONE")], ids=lambda m: m.name)
def test_a_repeat_never_earns_a_second_gold_and_leaves_it_to_others(matcher: Matcher):
    assert [match.gold for match in matcher.match(["flu", "flu"], FLU)] == [0, None]
    assert [match.gold for match in matcher.match(["flu", "Flu.", "b flu"], FLU)] == [0, None, 1]


def test_three_aliases_are_a_duplicate_and_earn_nothing():
    sets = Objective("rlvr-multi", k=3)
    problem = Problem("1", "?", [Gold("Myocardial infarction", ("heart attack", "MI")), "Angina"])
    scored = score(completion(sets, ["MI", "heart attack", "Myocardial infarction"]), problem, sets)
    assert (scored.distinct, scored.violated, scored.reward) == (1, "duplicates", 0.0)
    released = Objective("rlvr-multi", k=3, preset="released")
    assert score(completion(released, ["MI", "heart attack", "gout"]), problem, released).violated is None


def test_fuzzy_spellings_are_one_answer_whatever_their_order():
    spellings = ["pneumonia", "pneumonias", "pnuemonia", "croup"]
    keys = FuzzyMatcher(85).same(spellings, FLU)
    assert keys == ["pneumonia"] * 3 + ["croup"]
    assert FuzzyMatcher(85).same(spellings[::-1], FLU) == keys[::-1]


def test_a_chain_of_similar_answers_is_one_answer():
    ends = ["zzzzzzzzzz", "zzzzzzbbbb"]
    assert len(set(FuzzyMatcher(80).same(ends, FLU))) == 2
    assert len(set(FuzzyMatcher(80).same([*ends, "zzzzzzzzbb"], FLU))) == 1


def test_a_judge_is_asked_once_about_one_answer():
    asked: list[str] = []

    def ask(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        return "3"

    judge = JudgeMatcher(ask)
    judge.match(["podagra", "Podagra."], FLU)
    assert judge.same(["podagra", "the podagra", "Gout"], FLU) == ["gout"] * 3
    assert len(asked) == 1


def test_a_users_matcher_that_pays_twice_is_paid_once_by_the_pipeline():
    sets = Objective("rlvr-multi", k=3)
    scored = score(completion(sets, ["gulf", "gate", "iris"]), FLU, sets, matcher=Spendthrift())
    assert scored.labels == [True, False, True]
    assert scored.forms == ["gout", "gout", "influenza a"]
