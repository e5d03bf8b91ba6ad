"""Counting right and different answers."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.evaluation.metrics import (
    attainable_coverage,
    coverage,
    most_confident,
    n_correct,
    ngram_overlaps,
    pass_at_1,
    pass_at_k,
    rarefaction,
    rarefaction_curve,
    recall,
    uniqueness,
)

SAMPLES = st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=4), min_size=1, max_size=7)


@given(st.lists(st.booleans(), max_size=6), st.integers(1, 4))
def test_the_four_ways_to_count_agree_with_each_other(correct, golds):
    k = max(1, len(correct))
    found = n_correct(correct)
    assert coverage(correct, k) * k == pytest.approx(found)
    assert recall(correct, golds) * golds == pytest.approx(found)
    assert attainable_coverage(correct, k, golds) == pytest.approx(
        max(coverage(correct, k), recall(correct, golds)) if found else 0
    )
    assert pass_at_k(correct) == (found > 0)


def test_a_set_cut_short_is_wrong_where_it_is_missing():
    assert coverage([True], k=3) == pytest.approx(1 / 3)
    assert pass_at_1([], k=3) == 0
    assert pass_at_1([True], k=3, sampled=True) == pytest.approx(1 / 3)


def test_pass_at_1_of_samples_is_the_expectation_of_a_random_pick():
    correct = [True, False, False, True]
    assert pass_at_1(correct, 4, sampled=True) == sum(pass_at_1([c], 1) for c in correct) / 4


def test_the_most_confident_candidate_decides_and_the_first_of_equals():
    assert most_confident([False, True, True], [0.1, 0.8, None]) == 1
    assert most_confident([False, True], [0.5, 0.5]) == 0
    assert most_confident([True], [None]) is None


def test_uniqueness_counts_forms():
    assert uniqueness(["a", "b", "a"]) == 2
    assert uniqueness([]) == 0


@given(SAMPLES, st.data())
def test_rarefaction_is_the_mean_over_every_draw(samples, data):
    n = data.draw(st.integers(0, len(samples)))
    draws = [len(frozenset().union(*draw)) for draw in combinations(samples, n)]
    assert rarefaction(samples, n) == pytest.approx(sum(draws) / len(draws))


@given(SAMPLES)
def test_the_whole_curve_is_its_points_and_never_falls(samples):
    curve = rarefaction_curve(samples)
    assert curve == [rarefaction(samples, n) for n in range(1, len(samples) + 1)]
    assert all(a <= b + 1e-12 for a, b in pairwise(curve))
    assert curve[-1] == pytest.approx(len(frozenset().union(*samples)))


def test_more_draws_than_samples_are_refused():
    with pytest.raises(ValueError, match="number of samples, 1"):
        rarefaction([{"a"}], 2)


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=8).map(" ".join), min_size=2, max_size=5))
def test_overlap_is_the_mean_over_every_pair(texts):
    def grams(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        return set(pairwise(words))

    for place, value in enumerate(ngram_overlaps(texts, n=2)):
        own = grams(texts[place])
        others = [each for other, text in enumerate(texts) if other != place and (each := grams(text))]
        expected = sum(len(own & other) / len(own) for other in others) / len(others) if own and others else None
        assert value == (None if expected is None else pytest.approx(expected))


def test_a_text_without_n_grams_does_not_make_the_others_look_different():
    assert ngram_overlaps(["a b c d e", "a b c d e", ""]) == [1.0, 1.0, None]


def test_overlap_does_not_grow_with_the_number_of_like_texts():
    texts = ["a b c d e f", "a b c d x y"]
    assert ngram_overlaps(texts * 1)[0] == pytest.approx(1 / 3)
    assert ngram_overlaps([*texts, "a b c d z w"])[0] == pytest.approx(1 / 3)
