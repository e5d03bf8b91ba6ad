"""The pipeline as a whole: what must hold for every completion."""

from collections.abc import Sequence

import pytest

from setwise import (
    Gold,
    InputError,
    MachineryError,
    Match,
    Objective,
    Problem,
    Regime,
    Score,
    score,
    score_batch,
)
from setwise.answers import Reason, Rule
from setwise.contract import tags_of
from setwise.matching import exact
from tests.completions import completion

DIFFERENTIAL = Problem(id="1", question="...", golds=["Pneumonia", "Bronchitis"])
MULTI = Objective("rlcr-multi", k=3, regime=Regime.INCLUSIVE)
SETS = Objective("rlvr-multi", k=3)


def test_the_example_of_the_readme_holds():
    s = score(completion(MULTI, ["Pneumonia", "Bronchitis", "Gout"], [0.9, 0.8, 0.1]), DIFFERENTIAL, MULTI)
    assert s.terms == {"format": 1.0, "correctness": 2.0, "calibration": pytest.approx(-0.02)}
    assert s.labels == [True, True, False]
    assert s.reward == pytest.approx(2.98)
    assert s.answers == ["Pneumonia", "Bronchitis", "Gout"]
    assert s.malformed is None


def test_three_spellings_of_one_answer_earn_nothing():
    s = score(completion(SETS, ["Pneumonia", "Pneumonia.", "the pneumonia"]), DIFFERENTIAL, SETS)
    assert (s.reward, s.terms, s.distinct) == (0.0, {"format": 0.0, "correctness": 0.0}, 1)
    assert s.violated == Rule.DUPLICATES
    assert s.labels == [True, False, False], "labels stand where a rule zeroed the terms"


def test_rounding_does_not_make_a_distribution_too_large():
    exclusive = Objective("rlcr-multi", k=3, regime="exclusive")
    problem = Problem("1", "?", ["A"])
    assert score(completion(exclusive, "ABC", [0.33, 0.56, 0.11]), problem, exclusive).terms["format"] == 1.0
    over = score(completion(exclusive, "ABC", [0.34, 0.56, 0.11]), problem, exclusive)
    assert over.terms["format"] == 0.0
    assert over.terms["correctness"] == 1.0, "the other terms stand"
    assert over.terms["calibration"] < 0


def test_several_sure_candidates_are_fine_in_the_inclusive_regime():
    s = score(completion(MULTI, ["Pneumonia", "Bronchitis", "Gout"], [0.9, 0.8, 0.1]), DIFFERENTIAL, MULTI)
    assert s.terms["format"] == 1.0
    assert s.violated is None


def test_another_problems_gold_earns_nothing():
    other = Problem("2", "?", ["Gout"])
    texts = [completion(SETS, ["Gout", "Asthma", "Croup"]), completion(SETS, ["Pneumonia", "Asthma", "Croup"])]
    assert [s.terms["correctness"] for s in score_batch(texts, [DIFFERENTIAL, other], SETS)] == [0.0, 0.0]


def test_aliases_of_one_gold_are_one_answer():
    problem = Problem("1", "?", [Gold("Myocardial infarction", ("heart attack", "MI")), "Angina"])
    s = score(completion(SETS, ["MI", "heart attack", "Myocardial infarction"]), problem, SETS)
    assert (s.distinct, s.violated, s.terms["correctness"]) == (1, Rule.DUPLICATES, 0.0)
    assert s.labels == [True, False, False], "the earliest candidate is the right one"


def test_a_malformed_completion_is_a_value_with_empty_lists():
    s = score("no tags at all", DIFFERENTIAL, SETS)
    assert s.malformed is not None
    assert s.malformed.reason == Reason.MISSING_THINK == "missing_think"
    assert (s.reward, s.answers, s.labels, s.confidences) == (0.0, [], [], [])


def test_lenient_labels_what_strict_refuses_and_pays_no_more():
    text = completion(MULTI, ["Pneumonia", "Bronchitis", "Gout"], ["90%", "0.8", "0.1"])
    strict, lenient = (score(text, DIFFERENTIAL, MULTI, strict=strict) for strict in (True, False))
    assert strict.labels == []
    assert lenient.labels == [True, True, False]
    assert lenient.confidences == [0.9, 0.8, 0.1]
    assert lenient.repairs == (Reason.BAD_CONFIDENCE,)
    assert lenient.reward == strict.reward == 0.0
    assert lenient.terms == strict.terms == {"format": 0.0, "correctness": 0.0, "calibration": 0.0}
    assert not lenient.strictly_valid


def test_one_and_many_agree():
    texts = [completion(SETS, ["Pneumonia", "Gout", "Croup"]), "nonsense", completion(SETS, ["a", "a", "b"])]
    problems = [DIFFERENTIAL] * 3
    assert score_batch(texts, problems, SETS) == [score(t, p, SETS) for t, p in zip(texts, problems, strict=True)]


def test_an_exclusive_objective_refuses_a_problem_with_two_golds():
    with pytest.raises(InputError, match="exclusive regime a problem has one gold, got 2"):
        score("x", DIFFERENTIAL, Objective("rlvr-single", regime="exclusive"))


def test_batches_must_line_up():
    with pytest.raises(InputError, match="equally many"):
        score_batch(["a"], [DIFFERENTIAL, DIFFERENTIAL], SETS)


class Unreliable:
    """Fails the first `failures` times it is asked about an answer that says so."""

    name = "unreliable"

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        if "break" in answers and self.failures:
            self.failures -= 1
            raise MachineryError("the machine is on fire")
        return exact.match(answers, problem)


def test_broken_machinery_raises_in_score():
    with pytest.raises(MachineryError, match="on fire"):
        score(completion(SETS, ["break", "b", "c"]), DIFFERENTIAL, SETS, matcher=Unreliable(1))


def test_broken_machinery_is_retried_in_a_batch():
    texts = [completion(SETS, ["break", "Pneumonia", "c"])]
    assert score_batch(texts, [DIFFERENTIAL], SETS, matcher=Unreliable(2))[0].reward == 2.0


def test_broken_machinery_is_an_error_and_not_a_wrong_answer():
    texts = [completion(SETS, ["break", "Pneumonia", "c"]), completion(SETS, ["Pneumonia", "b", "c"])]
    broken, fine = score_batch(texts, [DIFFERENTIAL] * 2, SETS, matcher=Unreliable(99))
    assert broken.reward is None
    assert "on fire" in (broken.error or "")
    assert broken.answers == ["break", "Pneumonia", "c"]
    assert fine == Score(
        reward=2.0,
        terms={"format": 1.0, "correctness": 1.0},
        answers=["Pneumonia", "b", "c"],
        labels=[True, False, False],
        confidences=[None] * 3,
        matches=fine.matches,
        distinct=3,
    )


def test_the_released_preset_pays_as_the_released_code_does():
    released = Objective("rlcr-multi", k=3, preset="released")
    assert tags_of(released.format)[0].name == "analysis"
    s = score(completion(released, ["Pneumonia", "Pneumonia.", "x"], [0.4, 0.4, 0.2]), DIFFERENTIAL, released)
    brier = (0.6**2 + 0.4**2 + 0.2**2) / 3
    assert s.terms["correctness"] == 1.0, "any correct, and spelling passes for diversity"
    assert s.reward == pytest.approx(0.5 + 0.5 + 0.5 * (1 - brier))
    over = score(completion(released, ["Pneumonia", "b", "c"], [0.9, 0.8, 0.1]), DIFFERENTIAL, released)
    assert (over.reward, over.terms) == (0, {"format": 0, "correctness": 0, "calibration": 0})
    sets = Objective("rlvr-multi", k=3, preset="released")
    assert score(completion(sets, ["Pneumonia"] * 3), DIFFERENTIAL, sets).reward == 1.0, "duplicates go unpunished"
