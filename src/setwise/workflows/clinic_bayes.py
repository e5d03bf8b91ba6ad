"""The best that any model can do in the clinic: the K likeliest answers, likeliest first, each with its true
probability.

Exact if all questions can be enumerated, otherwise a mean over sampled patients with exact beliefs and a standard
error. The K likeliest answers are also what the rewards ask for: an answer of probability p earns p - p (1 - p) / K
with an honest confidence, which grows with p.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from setwise.errors import InputError
from setwise.metrics.calibration import BINS, bin_index
from setwise.objectives import Regime
from setwise.records.best_possible import BestPossible, BestValue
from setwise.tasks.clinic_world import HIDDEN, NO, YES, Floats, States, World, all_charts, stable_uniforms

MOST_FINDINGS_ENUMERATED = 11
SAMPLED_PATIENTS = 5_000


@dataclass(frozen=True, slots=True)
class _Questions:
    """Questions with their probabilities, and for each the top K beliefs and P(any of them is right)."""

    weights: Floats
    top: Floats
    any_right: Floats
    is_sample: bool


def bayes_best(world: World, k: int, *, seed: int = 0) -> BestPossible:
    """Expected metrics of the best model that answers with K conditions."""
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= len(world.conditions):
        raise InputError(f"k must be a whole number from 1 to the {len(world.conditions)} conditions", value=k)
    if len(world.findings) <= MOST_FINDINGS_ENUMERATED:
        return BestPossible(world.regime, k, "exact", _values(_enumerated(world, k), world.regime))
    sampled = _sampled(world, k, seed)
    return BestPossible(world.regime, k, f"{SAMPLED_PATIENTS} sampled patients", _values(sampled, world.regime))


def _values(questions: _Questions, regime: Regime) -> dict[str, BestValue]:
    top, any_right = questions.top, questions.any_right
    q_set = top.sum(axis=1) if regime is Regime.EXCLUSIVE else 1 - (1 - top).prod(axis=1)
    noise = top * (1 - top)
    values = {
        "coverage": _mean(questions, top.mean(axis=1)),
        "n_correct": _mean(questions, top.sum(axis=1)),
        "pass_at_1": _mean(questions, top[:, 0]),
        "pass_at_k": _mean(questions, any_right),
        "top1/brier": _mean(questions, noise[:, 0]),
        "pooled/brier": _mean(questions, noise.mean(axis=1)),
        "set/confidence": _mean(questions, q_set),
    }
    for family, rate in (("top1", values["pass_at_1"].mean), ("pooled", values["coverage"].mean)):
        values[f"{family}/brier_base_rate"] = BestValue(rate * (1 - rate))
        values[f"{family}/ece"] = BestValue(0.0)
    values["set/ece"] = BestValue(_expected_gap(q_set, any_right, questions.weights))
    return values


def _mean(questions: _Questions, amounts: Floats) -> BestValue:
    mean = float(questions.weights @ amounts)
    if not questions.is_sample:
        return BestValue(mean)
    return BestValue(mean, float(amounts.std(ddof=1) / np.sqrt(len(amounts))))


def _expected_gap(claimed: Floats, happens: Floats, weights: Floats) -> float:
    """Calibration error in 10 bins over infinitely many problems.

    In the inclusive regime it is not 0 even for the best model: 1 - prod(1 - q) treats the answers as independent, but
    diagnoses that share findings are not.
    """
    return float(np.abs(np.bincount(bin_index(claimed), weights * (claimed - happens), minlength=BINS)).sum())


def _enumerated(world: World, k: int) -> _Questions:
    states = np.array(list(product((NO, YES, HIDDEN), repeat=len(world.findings))))
    shown = (states != HIDDEN).sum(axis=1)
    chances = world.seen**shown * (1 - world.seen) ** (len(world.findings) - shown)
    weights = chances * world.joint(states).sum(axis=1)
    if world.regime is Regime.EXCLUSIVE:
        top = -np.sort(-world.posterior_given(states), axis=1)[:, :k]
        return _Questions(weights, top, top.sum(axis=1), is_sample=False)
    question_of, chart_of = _compatible_pairs(len(world.findings))
    charts = all_charts(len(world.findings))
    chart_weights, right = world.joint(charts).sum(axis=1), world.differential(charts)
    mass = np.bincount(question_of, chart_weights[chart_of])

    def belief(happens: States) -> Floats:
        return np.bincount(question_of, chart_weights[chart_of] * happens) / mass

    beliefs = np.stack([belief(right[chart_of, c]) for c in range(len(world.conditions))], axis=1)
    chosen = np.argsort(-beliefs, axis=1, kind="stable")[:, :k]
    any_right = belief(np.logical_or.reduce([right[chart_of, chosen[question_of, rank]] for rank in range(k)]))
    return _Questions(weights, np.take_along_axis(beliefs, chosen, axis=1), any_right, is_sample=False)


def _compatible_pairs(findings: int) -> tuple[States, States]:
    """Every question with every full chart it allows, as positions in the order of `itertools.product`."""
    questions, charts = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    shown, truth = np.array([NO, YES, HIDDEN, HIDDEN]), np.array([NO, YES, NO, YES])
    for _ in range(findings):
        questions = (questions[:, None] * 3 + shown).ravel()
        charts = (charts[:, None] * 2 + truth).ravel()
    return questions, charts


def _sampled(world: World, k: int, seed: int) -> _Questions:
    numbers = stable_uniforms(SAMPLED_PATIENTS * world.numbers_a_patient, "bayes", seed)
    _, _, states = world.draw(numbers.reshape(SAMPLED_PATIENTS, -1))
    beliefs = world.belief_given(states)
    chosen = np.argsort(-beliefs, axis=1, kind="stable")[:, :k]
    any_right = np.array([world.any_right(row, picks) for row, picks in zip(states, chosen, strict=True)])
    weights = np.full(len(states), 1 / len(states))
    return _Questions(weights, np.take_along_axis(beliefs, chosen, axis=1), any_right, is_sample=True)
