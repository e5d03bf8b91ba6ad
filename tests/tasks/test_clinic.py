"""The clinic: its beliefs are exact, and its best scores are what simulation finds."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.tasks import load_task
from setwise.tasks.clinic import patient
from setwise.tasks.clinic_world import HIDDEN, World, make_world
from setwise.workflows.clinic_bayes import bayes_best

REGIMES = pytest.mark.parametrize("regime", list(Regime))


def world_of(regime: Regime, **sizes: int) -> World:
    return make_world(3, regime=regime, **{"conditions": 6, "findings": 5, **sizes})


def simulated(world: World, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """What is shown of many patients, and which conditions are right for each, by the definition alone."""
    random = np.random.default_rng(seed)
    states, right = [], []
    for _ in range(count):
        condition = random.choice(len(world.conditions), p=world.priors)
        chart = (random.random(len(world.findings)) < world.likelihoods[condition]).astype(int)
        states.append(np.where(random.random(len(chart)) < world.seen, chart, HIDDEN))
        if world.regime is Regime.EXCLUSIVE:
            right.append(np.arange(len(world.conditions)) == condition)
        else:
            weight = world.priors * np.prod(np.where(chart, world.likelihoods, 1 - world.likelihoods), axis=1)
            posterior = weight / weight.sum()
            right.append((posterior >= world.threshold) | (posterior == posterior.max()))
    return np.array(states), np.array(right)


def test_a_posterior_is_bayes_rule():
    world = world_of(Regime.EXCLUSIVE)
    states = np.array([1, HIDDEN, 0, HIDDEN, 1])
    likelihoods = world.likelihoods
    weight = world.priors * likelihoods[:, 0] * (1 - likelihoods[:, 2]) * likelihoods[:, 4]
    np.testing.assert_allclose(world.posterior_given(states), weight / weight.sum())


def test_priors_count():
    world = replace(world_of(Regime.EXCLUSIVE), priors=np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1]))
    np.testing.assert_allclose(world.posterior_given(np.full(5, HIDDEN)), world.priors)


@REGIMES
def test_beliefs_are_the_frequencies_of_simulated_patients(regime: Regime):
    world = world_of(regime, findings=3)
    states, right = simulated(world, 30_000)
    for question in ([1, 0, HIDDEN], [HIDDEN, HIDDEN, 1], [HIDDEN] * 3):
        same = (states == question).all(axis=1)
        assert same.sum() > 500
        np.testing.assert_allclose(world.belief_given(np.array(question)), right[same].mean(axis=0), atol=0.06)


@REGIMES
@pytest.mark.parametrize("k", [1, 3])
def test_the_best_values_are_what_simulation_finds(regime: Regime, k: int):
    world = world_of(regime)
    states, right = simulated(world, 20_000, seed=k)
    beliefs = world.belief_given(states)
    chosen = np.argsort(-beliefs, axis=1)[:, :k]
    q = np.take_along_axis(beliefs, chosen, axis=1)
    c = np.take_along_axis(right, chosen, axis=1)
    q_set = q.sum(axis=1) if regime is Regime.EXCLUSIVE else 1 - (1 - q).prod(axis=1)
    found = {
        "coverage": c.mean(axis=1),
        "n_correct": c.sum(axis=1),
        "pass_at_1": c[:, 0],
        "pass_at_k": c.any(axis=1),
        "top1/brier": (q[:, 0] - c[:, 0]) ** 2,
        "pooled/brier": ((q - c) ** 2).mean(axis=1),
        "set/confidence": q_set,
    }
    best = bayes_best(world, k)
    assert best.method == "exact"
    for name, amounts in found.items():
        error = 4.5 * amounts.std() / np.sqrt(len(amounts))
        assert best.values[name].mean == pytest.approx(amounts.mean(), abs=error), name
    assert best.values["pooled/brier_base_rate"].mean == pytest.approx(c.mean() * (1 - c.mean()), abs=0.01)


@REGIMES
def test_no_other_set_of_answers_covers_more(regime: Regime):
    world = world_of(regime, findings=3)
    best = bayes_best(world, 2).values["n_correct"].mean
    weights, gains = [], []
    for states in product((0, 1, HIDDEN), repeat=3):
        question = np.array(states)
        weights.append(world.joint(question).sum() * 0.5**3)
        belief = world.belief_given(question)
        gains.append(max(belief[list(pair)].sum() for pair in combinations(range(6), 2)))
    assert sum(weights) == pytest.approx(1)
    assert best == pytest.approx(np.dot(weights, gains))


@REGIMES
def test_sampling_agrees_with_enumeration_within_its_error(regime: Regime, monkeypatch: pytest.MonkeyPatch):
    world = world_of(regime)
    exact = bayes_best(world, 3)
    monkeypatch.setattr("setwise.workflows.clinic_bayes.MOST_FINDINGS_ENUMERATED", 0)
    monkeypatch.setattr("setwise.workflows.clinic_bayes.SAMPLED_PATIENTS", 2000)
    sampled = bayes_best(world, 3)
    assert sampled.method == "2000 sampled patients"
    for name in ("coverage", "pass_at_1", "pass_at_k", "top1/brier", "pooled/brier", "set/confidence"):
        value = sampled.values[name]
        assert 0 < value.standard_error < 0.02
        assert value.mean == pytest.approx(exact.values[name].mean, abs=4.5 * value.standard_error), name


def test_in_the_exclusive_regime_the_set_is_calibrated_and_its_confidence_is_pass_at_k():
    values = bayes_best(world_of(Regime.EXCLUSIVE), 3).values
    assert values["set/ece"].mean == pytest.approx(0, abs=1e-12)
    assert values["set/confidence"].mean == pytest.approx(values["pass_at_k"].mean)


def test_in_the_inclusive_regime_independence_understates_the_set():
    values = bayes_best(world_of(Regime.INCLUSIVE), 3).values
    assert values["set/ece"].mean > 0.01
    assert values["set/confidence"].mean < values["pass_at_k"].mean


def test_the_default_clinic_can_be_learnt_and_cannot_be_known():
    world = load_task("clinic").world
    assert world is not None
    values = bayes_best(world, 3).values
    assert 0.4 < values["pass_at_1"].mean < 0.7
    assert 0.75 < values["pass_at_k"].mean < 0.95
    assert values["top1/brier"].mean < values["top1/brier_base_rate"].mean - 0.02


@pytest.mark.parametrize("k", [0, 7, True])
def test_k_beyond_the_conditions_is_refused(k: int):
    with pytest.raises(InputError, match="k must be a whole number from 1 to the 6 conditions"):
        bayes_best(world_of(Regime.EXCLUSIVE), k)


@REGIMES
def test_a_task_carries_its_world_and_the_golds_follow_the_regime(regime: Regime):
    task = load_task("clinic", regime=str(regime), limit=50)
    assert task.world is not None
    assert task.regime is regime
    assert task.answer_names == task.world.conditions
    problems = list(task)
    assert all({gold.text for gold in p.golds or ()} <= set(task.answer_names) for p in problems)
    assert {p.n_golds == 1 for p in problems} == ({True} if regime is Regime.EXCLUSIVE else {True, False})
    for problem in problems:
        belief = task.world.belief(problem.question)
        assert all(belief[gold.text] > 0 for gold in problem.golds or ())
        assert sum(task.world.posterior(problem.question).values()) == pytest.approx(1)


def test_a_question_says_what_is_shown_and_can_be_read_back():
    world = world_of(Regime.EXCLUSIVE)
    for states in ([1, 0, HIDDEN, HIDDEN, 1], [HIDDEN] * 5):
        question = world.question(np.array(states))
        assert world.states(question).tolist() == states
    assert world.question(np.array([HIDDEN] * 5)) == "patient : nothing known"


def test_a_patient_depends_on_world_split_seed_and_index_alone():
    task = load_task("clinic", split="test", seed=4, limit=5)
    assert task.world is not None
    assert patient(task.world, "test", 4, 3) == list(task)[3]
    assert list(task) == list(load_task("clinic", split="test", seed=4, limit=9))[:5]


def test_splits_and_seeds_are_different_patients_of_one_clinic():
    def questions(**wishes: object) -> list[str]:
        return [problem.question.text for problem in load_task("clinic", limit=30, **wishes)]  # pyright: ignore[reportArgumentType]

    drawn = [questions(), questions(split="test"), questions(seed=1), questions(split="test", seed=1)]
    assert len({tuple(stream) for stream in drawn}) == 4
    first, second = load_task("clinic").world, load_task("clinic", split="test", seed=9).world
    assert first is not None
    assert second is not None
    np.testing.assert_array_equal(first.likelihoods, second.likelihoods)


def test_another_world_seed_is_another_clinic():
    first, second = load_task("clinic").world, load_task("clinic", world_seed=1).world
    assert first is not None
    assert second is not None
    assert not np.array_equal(first.likelihoods, second.likelihoods)


def test_the_stream_is_the_same_on_every_machine():
    problem = next(iter(load_task("clinic")))
    assert problem.question.text == (
        "patient : cough no ; rash no ; swelling no ; dizziness yes ; itching yes ; wheezing no"
    )
