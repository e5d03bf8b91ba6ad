"""What repeated sampling still finds, and what it repeats."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.metrics.diversity import ngram_overlaps, rarefaction, rarefaction_curve

SAMPLES = st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=4), min_size=1, max_size=7)


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
