"""The identities of the spec's section 4, over random inputs, for the `paper` preset."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise import Objective, Problem, Regime, score
from setwise.rewards import multi_brier
from tests.completions import completion

NAMES = ["Gout", "Croup", "Asthma", "Pneumonia", "Influenza", "Sepsis", "Angina", "Anemia"]
names = st.sampled_from(NAMES)
probabilities = st.integers(0, 100).map(lambda n: n / 100)
regimes = st.sampled_from(list(Regime))


@given(names, names, probabilities, st.booleans(), regimes)
def test_multi_with_one_answer_is_single(gold: str, answer: str, q: float, calibrated: bool, regime: Regime):
    kind = "rlcr" if calibrated else "rlvr"
    single, multi = Objective(f"{kind}-single", regime=regime), Objective(f"{kind}-multi", k=1, regime=regime)
    problem = Problem("1", "?", [gold])
    one = score(completion(single, [answer], [q]), problem, single)
    many = score(completion(multi, [answer], [q]), problem, multi)
    assert list(one.terms) == ["format", "correctness", *(["calibration"] if calibrated else [])]
    assert (one.reward, one.terms, one.labels) == (many.reward, many.terms, many.labels)


@given(st.integers(1, 5), probabilities)
def test_what_being_right_is_worth(k: int, q: float):
    objective = Objective("rlcr-multi", k=k)
    text = completion(objective, NAMES[:k], [q] * k)
    right, wrong = (score(text, Problem("1", "?", [gold]), objective).reward for gold in (NAMES[0], NAMES[-1]))
    assert right is not None
    assert wrong is not None
    assert right - wrong == pytest.approx(1 - (1 - 2 * q) / k)


@given(names, st.lists(names, min_size=2, max_size=5, unique=True))
def test_with_one_gold_correctness_is_pass_at_k(gold: str, answers: list[str]):
    objective = Objective("rlvr-multi", k=len(answers), regime="exclusive")
    s = score(completion(objective, answers), Problem("1", "?", [gold]), objective)
    assert s.terms["correctness"] == float(gold in answers)


@given(st.lists(names, min_size=1, max_size=6), st.lists(names, min_size=3, max_size=3, unique=True), st.data())
def test_permuting_golds_changes_nothing(golds: list[str], answers: list[str], data: st.DataObject):
    objective = Objective("rlcr-multi", k=3)
    shuffled = data.draw(st.permutations(golds))
    text = completion(objective, answers)
    before, after = (score(text, Problem("1", "?", some), objective) for some in (golds, shuffled))
    assert (before.reward, before.labels) == (after.reward, after.labels)


@given(st.lists(probabilities, min_size=1, max_size=4), st.data())
def test_the_truth_maximises_the_expected_calibration_term(truth: list[float], data: st.DataObject):
    claimed = data.draw(st.lists(probabilities, min_size=len(truth), max_size=len(truth)))

    def expected(confidences: list[float]) -> float:
        total = 0.0
        for outcome in range(2 ** len(truth)):
            labels = [bool(outcome >> i & 1) for i in range(len(truth))]
            chance = 1.0
            for p, label in zip(truth, labels, strict=True):
                chance *= p if label else 1 - p
            total -= chance * multi_brier(confidences, labels)
        return total

    assert expected(truth) >= expected(claimed) - 1e-12


@given(
    st.lists(names, min_size=1, max_size=5, unique=True),
    st.lists(names, min_size=3, max_size=3, unique=True),
    st.lists(probabilities, min_size=3, max_size=3),
    st.permutations(range(3)),
    st.sampled_from(["rlvr-multi", "rlcr-multi"]),
    st.sampled_from(["{}", "the {}", "{}.", "  {} ", "{}!"]),
)
def test_turning_an_answer_into_a_duplicate_never_pays(
    golds: list[str], answers: list[str], qs: list[float], order: list[int], name: str, spelling: str
):
    for regime in Regime:
        problem = Problem("1", "?", golds[:1] if regime is Regime.EXCLUSIVE else golds)
        objective = Objective(name, k=3, regime=regime)
        honest = score(completion(objective, answers, qs), problem, objective)
        copied = list(answers)
        copied[order[0]] = spelling.format(answers[order[1]])
        copy = score(completion(objective, copied, qs), problem, objective)
        if honest.terms["format"] == 1.0:
            assert copy.reward is not None
            assert honest.reward is not None
            assert copy.reward <= honest.reward


@given(names, probabilities, st.integers(0, 400))
def test_appending_zeros_to_a_confidence_changes_nothing(answer: str, q: float, zeros: int):
    objective = Objective("rlcr-single", analysis=False)
    problem = Problem("1", "?", ["Gout"])
    plain = score(completion(objective, [answer], [f"{q:.2f}"]), problem, objective)
    padded = score(completion(objective, [answer], [f"{q:.2f}" + "0" * zeros]), problem, objective)
    assert plain == padded or (plain.reward, plain.confidences) == (padded.reward, padded.confidences)


@given(st.lists(names, min_size=3, max_size=3), st.lists(probabilities, min_size=3, max_size=3), regimes)
def test_a_valid_answer_is_never_worth_less_than_an_invalid_one(answers: list[str], qs: list[float], regime: Regime):
    objective = Objective("rlcr-multi", k=3, regime=regime)
    s = score(completion(objective, answers, qs), Problem("1", "?", ["Gout"]), objective)
    if s.terms["format"] == 1.0:
        assert s.reward is not None
        assert s.reward >= 0.0


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_all_objectives_work_with_any_k(k: int, chance: random.Random):
    answers = [f"{NAMES[i % len(NAMES)]} {i}" for i in range(k)]
    golds = chance.sample(answers, chance.randint(1, k))
    for name in ("rlvr-multi", "rlcr-multi"):
        objective = Objective(name, k=k)
        s = score(completion(objective, answers), Problem("1", "?", golds), objective)
        assert s.terms["correctness"] == len(golds)
        assert s.distinct == k
