"""What credit does to the expected gradient, by going through every completion that a tiny model can write.

The model writes a thought, two answers and, for RLCR, two confidences; every token has logits of its own for every
prefix, so nothing is averaged away. Groups are pairs: all pairs, each with its probability.
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product
from math import log

import numpy as np
import pytest
import torch

from setwise.rewards.credit import Credit, Member, Pay, Weights, charges, pay_group

THOUGHTS, ANSWERS, CONFIDENCES = (0, 1), (0, 1, 2), (0.2, 0.7)
RIGHT = 0
WEIGHTS = Weights(1.0, 1.0, 1.0)
GROUP = 2
SHARE = 1 - 1 / GROUP
"""What is left of a reward when the mean of a group that it is in is taken off."""

Completion = tuple[int, ...]


def completions(confidences: bool) -> list[Completion]:
    parts = [range(2), *([range(3), range(2)] * 2 if confidences else [range(3)] * 2)]
    return list(product(*parts))


class Model:
    """A softmax over the next token for every prefix."""

    def __init__(self, confidences: bool, seed: int) -> None:
        drawn = torch.Generator().manual_seed(seed)
        self.completions = completions(confidences)
        sizes = {prefix: 0 for each in self.completions for prefix in (each[:n] for n in range(len(each)))}
        for each in self.completions:
            for place, token in enumerate(each):
                sizes[each[:place]] = max(sizes[each[:place]], token + 1)
        self.logits = {p: torch.randn(n, generator=drawn).requires_grad_() for p, n in sizes.items()}

    def log_probs(self, completion: Completion) -> list[torch.Tensor]:
        return [self.logits[completion[:place]].log_softmax(0)[token] for place, token in enumerate(completion)]

    def gradient(self, paid: Callable[[Sequence[Completion]], Sequence[Sequence[float]]]) -> torch.Tensor:
        """Expected over all groups, a pair and its reverse at once: the sum over tokens of their advantage times the
        gradient of their log."""
        logs = {each: self.log_probs(each) for each in self.completions}
        chance = {each: torch.stack(own).sum().exp().item() for each, own in logs.items()}
        weight = {each: [0.0] * len(each) for each in self.completions}
        for group in combinations_with_replacement(self.completions, GROUP):
            first, second = group
            together = chance[first] * chance[second] * (1 if first == second else 2)
            for each, advantages in zip(group, paid(group), strict=True):
                weight[each] = [w + together * a for w, a in zip(weight[each], advantages, strict=True)]
        terms = [w * log for each in logs for w, log in zip(weight[each], logs[each], strict=True)]
        loss = torch.stack(terms).sum()
        found = torch.autograd.grad(loss, list(self.logits.values()))
        return torch.cat([each.flatten() for each in found])


def member(completion: Completion, broken: Callable[[Completion], bool], without_duplicates: bool = False) -> Member:
    if broken(completion):
        return Member()
    answers = completion[1::2] if len(completion) == 5 else completion[1:]
    labels = [answers[0] == RIGHT, answers[1] == RIGHT and answers[0] != RIGHT]
    stated = [CONFIDENCES[token] for token in completion[2::2]] if len(completion) == 5 else []
    kept = without_duplicates or answers[0] != answers[1]
    return Member([float(label) for label in labels], labels, stated, kept)


def reward(own: Member) -> float:
    if not own.kept:
        return 0.0
    brier = sum((q - c) ** 2 for q, c in zip(own.confidences, own.labels, strict=False)) / 2
    return WEIGHTS.format + WEIGHTS.correctness * sum(own.gains) - WEIGHTS.calibration * brier


def never(completion: Completion) -> bool:
    return False


def by_completion(broken=never, without_duplicates=False):
    def paid(group):
        rewards = [reward(member(each, broken, without_duplicates)) for each in group]
        mean = sum(rewards) / len(rewards)
        return [[own - mean] * len(each) for own, each in zip(rewards, group, strict=True)]

    return paid


def by_answer(credit: Credit, broken=never, weights: Weights = WEIGHTS, without_duplicates=False):
    def paid(group):
        pays = pay_group([member(each, broken, without_duplicates) for each in group], weights, credit)
        return [tokens(pay, len(each)) for pay, each in zip(pays, group, strict=True)]

    return paid


def tokens(pay: Pay, length: int) -> list[float]:
    if not pay.answers:
        return [pay.whole] * length
    pairs = zip(pay.answers, pay.confidences, strict=True) if pay.confidences else ([each] for each in pay.answers)
    return [pay.whole, *(part for pair in pairs for part in pair)]


@pytest.fixture(scope="module", params=[0, 1])
def seed(request) -> int:
    return request.param


def test_for_rlvr_the_whole_later_gain_leaves_the_gradient_as_it_is(seed):
    """Duplicates, which cost the set, included."""
    model = Model(confidences=False, seed=seed)
    ours, papers = model.gradient(by_answer(Credit(later=1.0))), model.gradient(by_completion())
    assert papers.abs().max() > 0.01
    assert torch.allclose(ours, papers, atol=1e-6)


@pytest.mark.parametrize("later", [0.0, 0.25])
def test_less_of_it_leaves_out_what_an_answer_does_for_the_next_one_and_nothing_else(seed, later):
    """What is left out: (1 - later) times the second gain, on the tokens of the first answer."""
    model = Model(confidences=False, seed=seed)

    def left_out(group):
        members = [member(each, never) for each in group]
        gained = [own.gains[1] * own.kept for own in members]
        mean = sum(gained) / len(gained)
        return [[0.0, (1 - later) * (gain - mean), 0.0] for gain in gained]

    whole, less = model.gradient(by_answer(Credit(later=1.0))), model.gradient(by_answer(Credit(later=later)))
    assert torch.allclose(whole - less, model.gradient(left_out), atol=1e-6)
    assert (whole - less).abs().max() > 1e-3
    rest = torch.cat([torch.full((len(each),), len(prefix) == 2) for prefix, each in model.logits.items()])
    assert torch.allclose(whole[rest], less[rest], atol=1e-6), "the second answer has none that follow it"


def test_a_format_error_is_the_one_place_where_the_whole_later_gain_differs(seed):
    """Tokens of a malformed completion are paid alike, so what its right answers would have earned is not theirs to
    lose: the difference is the gain so far, on what the second answer does to the format."""
    model = Model(confidences=False, seed=seed)

    def broken(completion: Completion) -> bool:
        return completion[2] == 2

    def left_out(group):
        members = [member(each, broken) for each in group]
        read = [own.gains[0] for own in members if own.gains]
        mean = sum(read) / len(read) if read else 0.0
        return [[0.0, 0.0, own.gains[0] - mean if own.gains else 0.0] for own in members]

    ours = model.gradient(by_answer(Credit(later=1.0), broken))
    papers = model.gradient(by_completion(broken))
    assert torch.allclose(papers - ours, model.gradient(left_out), atol=1e-6)


def brier_score(q: float, right: bool) -> float:
    return -((q - right) ** 2)


def log_score(q: float, right: bool) -> float:
    return log(q if right else 1 - q) / 2


@pytest.mark.parametrize(("name", "score"), [("brier", brier_score), ("log", log_score)])
def test_for_rlcr_a_confidence_is_paid_its_own_term_and_the_rest_nothing_for_it(name, score, seed):
    """Twice the paper's Brier term, which it divides by K, or the log score, on its own tokens and no others."""
    model = Model(confidences=True, seed=seed)
    without = WEIGHTS._replace(calibration=0.0)
    credit = Credit(later=1.0, score=name)
    ours = model.gradient(by_answer(credit)) - model.gradient(by_answer(credit, weights=without))

    def own_terms(group):
        paid = []
        for own in (member(each, never) for each in group):
            first, second = map(score, own.confidences, own.labels)
            paid.append([0.0, 0.0, SHARE * first, 0.0, SHARE * second])
        return paid

    assert torch.allclose(ours, model.gradient(own_terms), atol=1e-6)
    moved = torch.cat([torch.full((len(each),), len(prefix) in (2, 4)) for prefix, each in model.logits.items()])
    assert torch.allclose(ours[~moved], torch.zeros(1), atol=1e-6), "answers and thoughts are paid for no confidence"
    assert ours[moved].abs().max() > 1e-3


@pytest.mark.parametrize("name", ["brier", "log"])
def test_the_expected_gradient_of_confidences_is_the_sampled_one_without_what_a_groups_mean_takes(name, seed):
    """Every number that a confidence's token could be is charged, by its probability, instead of the sampled one."""
    model = Model(confidences=True, seed=seed)
    if_right, if_wrong = charges(np.array(CONFIDENCES), name)
    charged = []
    for each in model.completions:
        logs = model.log_probs(each)
        chance = torch.stack(logs).sum().exp().detach()
        for place, right in zip((2, 4), member(each, never).labels, strict=True):
            numbers = model.logits[each[:place]].softmax(0)
            charged.append(chance * (numbers * torch.tensor(if_right if right else if_wrong)).sum())
    loss = -torch.stack(charged).sum()
    found = torch.autograd.grad(loss, list(model.logits.values()), materialize_grads=True)
    expected = torch.cat([each.flatten() for each in found])
    sampled = model.gradient(by_answer(Credit(later=1.0, score=name), weights=Weights(0.0, 0.0, 1.0)))
    assert torch.allclose(GROUP * SHARE * expected.float(), sampled, atol=1e-6)
    assert sampled.abs().max() > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("confidences", "later", "most"), [(False, 1.0, 0.96), (False, 0.25, 0.86), (True, 0.25, 0.73)]
)
def test_the_gradient_of_sets_without_duplicates_varies_less(seed, confidences, later, most):
    """At a fixed policy: the summed variance of one group's gradient, ours over the paper's."""
    model = Model(confidences=confidences, seed=seed)
    ours = variance(model, by_answer(Credit(later=later), without_duplicates=True))
    assert ours / variance(model, by_completion(without_duplicates=True)) < most


@pytest.mark.slow
def test_the_gradient_of_sets_with_many_duplicates_varies_more_for_rlcr(seed):
    """A third of these sets repeat themselves. A token before the repeat is told what the set lost, which is right on
    average and loud; docs/concepts/credit.md says so."""
    model = Model(confidences=True, seed=seed)
    share = variance(model, by_answer(Credit(later=0.25))) / variance(model, by_completion())
    assert 1 < share < 1.2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["brier", "log"])
@pytest.mark.parametrize(("size", "low", "high"), [(2, 0.27, 0.36), (16, 0.48, 0.71)])
def test_the_expected_gradient_of_confidences_varies_less_than_the_sampled_one(size, low, high, name, seed):
    """Over groups drawn at a fixed policy, both scaled to the same mean. What is left is the luck of the labels and of
    what was written before."""
    model, drawn = Model(confidences=True, seed=seed), np.random.default_rng(0)
    chances = np.array([torch.stack(model.log_probs(each)).sum().exp().item() for each in model.completions])
    members = [member(each, never) for each in model.completions]
    by_charge, by_draw = _steps(model, members, charges(np.array(CONFIDENCES), name))
    credit, weights = Credit(later=1.0, score=name), Weights(0.0, 0.0, 1.0)
    expected, sampled = [], []
    for _ in range(3000):
        group = drawn.choice(len(members), size, p=chances / chances.sum())
        pays = pay_group([members[each] for each in group], weights, credit)
        sampled.append(sum(np.array(pay.confidences) @ by_draw[each] for each, pay in zip(group, pays, strict=True)))
        expected.append((1 - 1 / size) * by_charge[group].sum(0))
    share = np.var(expected, axis=0).sum() / np.var(sampled, axis=0).sum()
    assert low < share < high


def _steps(model: Model, members: Sequence[Member], charged) -> tuple[np.ndarray, np.ndarray]:
    """For each completion: the gradient of what its confidences are charged on average, and those of the logs of the
    numbers that were drawn."""
    ends = np.cumsum([len(logits) for logits in model.logits.values()])
    begins = dict(zip(model.logits, [0, *ends[:-1]], strict=True))
    by_charge, by_draw = np.zeros((len(members), ends[-1])), np.zeros((len(members), 2, ends[-1]))
    for row, (each, own) in enumerate(zip(model.completions, members, strict=True)):
        for number, (place, right) in enumerate(zip((2, 4), own.labels, strict=True)):
            chances = model.logits[each[:place]].detach().softmax(0).double().numpy()
            charge, begin = charged[0] if right else charged[1], begins[each[:place]]
            by_charge[row, begin : begin + len(chances)] = -chances * (charge - chances @ charge)
            by_draw[row, number, begin : begin + len(chances)] = -chances
            by_draw[row, number, begin + each[place]] += 1
    return by_charge, by_draw


def variance(model: Model, paid: Callable[[Sequence[Completion]], Sequence[Sequence[float]]]) -> float:
    """The trace of the covariance of one group's gradient."""
    places, size = {}, 0
    for prefix, logits in model.logits.items():
        places[prefix], size = size, size + len(logits)
    chance, steps = {}, {}
    for each in model.completions:
        chance[each], steps[each] = 1.0, np.zeros((len(each), size))
        for number, token in enumerate(each):
            own = model.logits[each[:number]].detach().softmax(0).double().numpy()
            begin = places[each[:number]]
            chance[each] *= own[token]
            steps[each][number, begin : begin + len(own)] = -own
            steps[each][number, begin + token] += 1
    mean, square = np.zeros(size), 0.0
    for first, second in product(model.completions, repeat=GROUP):
        together = chance[first] * chance[second]
        advantages = paid((first, second))
        step = np.array(advantages[0]) @ steps[first] + np.array(advantages[1]) @ steps[second]
        mean += together * step
        square += together * float(step @ step)
    return square - float(mean @ mean)
