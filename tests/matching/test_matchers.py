"""Exact, fuzzy and judge, each on what it is for."""

import pytest

from setwise import Gold, InputError, Problem
from setwise.errors import JudgeError
from setwise.matching import FuzzyMatcher, JudgeMatcher, exact, named, spec_of

HEART = Problem("1", "What is it?", [Gold("Myocardial infarction", ("heart attack",)), "Pulmonary embolism"])


def labels(matches: list) -> list[bool]:
    return [match.correct for match in matches]


def test_exact_keeps_the_gold_it_rests_on():
    matches = exact.match(["Heart Attack!", "gout"], HEART)
    assert (matches[0].gold, matches[0].evidence) == (0, "Myocardial infarction")
    assert labels(matches) == [True, False]


def test_fuzzy_forgives_typing_and_word_order_but_not_a_missing_word():
    matches = FuzzyMatcher(90).match(["embolism, pulmonary", "Myocardial infraction", "Myocardial"], HEART)
    assert labels(matches) == [True, True, False]
    assert labels(FuzzyMatcher(100).match(["Myocardial infraction"], HEART)) == [False]


def test_fuzzy_gives_each_candidate_its_nearest_gold():
    problem = Problem("1", "?", ["Type 1 diabetes", "Type 2 diabetes"])
    assert [m.gold for m in FuzzyMatcher(90).match(["Type 2 diabetes", "Type 1 diabetes"], problem)] == [1, 0]


@pytest.mark.parametrize("threshold", [0, -1, 101])
def test_a_fuzzy_threshold_is_a_percentage(threshold: float):
    with pytest.raises(InputError, match="percentage"):
        FuzzyMatcher(threshold)


def test_matchers_are_found_by_name():
    assert named("exact") is exact
    assert named("fuzzy:85") == FuzzyMatcher(85.0)
    with pytest.raises(InputError, match="a matcher is one of"):
        named("psychic")
    with pytest.raises(InputError, match="threshold is a number"):
        named("fuzzy:high")


def test_a_matcher_of_ones_own_is_found_by_its_place_and_says_it_again():
    matcher = named("setwise.matching.fuzzy:FuzzyMatcher")
    assert matcher == FuzzyMatcher()
    assert spec_of(matcher) == "setwise.matching.fuzzy:FuzzyMatcher"
    assert [spec_of(named(name)) for name in ("exact", "fuzzy:85", "math")] == ["exact", "fuzzy:85", "math"]
    with pytest.raises(InputError, match=r"errno:EIO: a matcher has a name and match\(answers, problem\)"):
        named("errno:EIO")
    with pytest.raises(InputError, match="nowhere:x: a matcher cannot be loaded"):
        named("nowhere:x")


def test_a_matcher_for_names_refuses_a_code_problem():
    with pytest.raises(InputError, match="use code as the matcher"):
        exact.match(["x"], Problem("1", "?", tests=["assert f() == 1"]))


def test_the_judge_is_asked_only_about_what_is_not_exact():
    asked = []

    def ask(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        return "2"

    matches = JudgeMatcher(ask).match(["heart attack", "a clot in the lung"], HEART)
    assert [m.gold for m in matches] == [0, 1]
    assert len(asked) == 1
    assert "a clot in the lung" in asked[0]


def test_an_exact_answer_leaves_the_judged_one_its_gold_where_two_share_an_alias():
    problem = Problem("1", "?", [Gold("Influenza A", ("flu",)), Gold("Influenza B", ("flu",))])
    assert labels(JudgeMatcher(lambda _: "1").match(["flu", "grippe A"], problem)) == [True, True]


def test_a_repeated_exact_answer_is_not_asked_about():
    assert labels(JudgeMatcher(lambda _: "2").match(["heart attack", "heart attack"], HEART)) == [True, False]


def test_a_judge_can_say_none_and_pays_no_gold_twice():
    assert labels(JudgeMatcher(lambda _: "NONE").match(["gout"], HEART)) == [False]
    assert labels(JudgeMatcher(lambda _: " 1\n").match(["MI", "coronary"], HEART)) == [True, False]


@pytest.mark.parametrize("reply", ["", "yes", "0", "3", "Number 1", "1 or 2", "none"])
def test_a_judge_that_gives_no_verdict_has_not_judged(reply: str):
    with pytest.raises(JudgeError, match="must reply NONE or a number"):
        JudgeMatcher(lambda _: reply).match(["gout"], HEART)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Type 1 diabetes", "Type 2 diabetes"),
        ("Hepatitis B", "Hepatitis C"),
        ("Hepatitis A", "Hepatitis"),
        ("World War II", "World War I"),
        ("12 March 1945", "12 March 1946"),
        ("12 June 1945", "12 July 1945"),
        ("Pulmonary embolism", "Not pulmonary embolism"),
        ("Pulmonary embolism", "No pulmonary embolism"),
        ("Pneumonia with effusion", "Pneumonia without effusion"),
        ("Non-small cell lung cancer", "Small cell lung cancer"),
        ("Left ventricular failure", "Right ventricular failure"),
        ("Hypotension", "Hypertension"),
        ("Prenatal depression", "Postnatal depression"),
        ("Abduction of the hip", "Adduction of the hip"),
        ("Proximal tubule", "Distal tubule"),
        ("Stable angina", "Unstable angina"),
        ("Stable angina", "Unstabel angina"),
        ("Symptomatic gallstones", "Asymptomatic gallstones"),
        ("Eclampsia", "Preeclampsia"),
        ("HIV infection", "HPV infection"),
        ("STEMI", "NSTEMI"),
        ("HER2-", "HER2"),
        ("p < 0.05", "p > 0.05"),
        ("Vitamin B12 deficiency", "Vitamin B6 deficiency"),
        ("Protein S deficiency", "Protein C deficiency"),
    ],
)
def test_fuzzy_never_takes_one_thing_for_another(gold: str, answer: str):
    for one, other in ((gold, answer), (answer, gold)):
        assert labels(FuzzyMatcher(50).match([other], Problem("1", "?", [one]))) == [False]
    assert len(set(FuzzyMatcher(50).same([gold, answer], Problem("1", "?", ["Croup"])))) == 2


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Crohn's disease", "Crohns disease"),
        ("Crohn's disease", "Crohn disease"),
        ("Crohn's disease", "crohn s disease"),
        ("Haemophilia A", "Hemophilia A"),
        ("Type 1 diabetes", "diabetis, type 1"),
        ("World War II", "Wrold War II"),
        ("Possible NSTEMI / STEMI", "Possible NSTEMI or STEMI"),
        ("Hypertension", "Hypertenson"),
        ("Panic attack", "panic attacks"),
        ("Immune response", "Imune response"),
        ("हिन्दी भाषा पुस्तक", "हिन्दी भाषा पुस्तके"),
    ],
)
def test_fuzzy_still_forgives_spelling(gold: str, answer: str):
    assert labels(FuzzyMatcher(85).match([answer], Problem("1", "?", [gold]))) == [True]
