"""Several completions as one ranked set, joined as calibration joins them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.answers import AnswerSet, Candidate
from setwise.calibration.sets import Said
from setwise.calibration.sets import merged as joined
from setwise.matching import FuzzyMatcher, exact, named, normalize
from setwise.serving.merging import merged


def answer_set(*answers: tuple[str, float | None]) -> AnswerSet:
    return AnswerSet(tuple(Candidate(text, confidence) for text, confidence in answers))


def test_the_same_answer_in_other_words_is_one_with_its_mean_confidence():
    sets = [answer_set(("Pneumonia", 0.6), ("Flu", 0.2)), answer_set(("the pneumonia", 0.4)), None]
    assert merged(sets, exact) == [("Pneumonia", pytest.approx(1 / 3)), ("Flu", pytest.approx(0.2 / 3))]


def test_one_completion_is_ranked_by_its_confidences_and_a_repeat_counts_once():
    asked = answer_set(("Gout", 0.1), ("Flu", 0.7), ("gout.", 0.3))
    assert merged([asked], exact) == [("Flu", 0.7), ("Gout", 0.3)]


def test_without_confidences_one_completion_has_none_and_several_vote():
    first, second = answer_set(("Gout", None), ("Flu", None)), answer_set(("Flu", None))
    assert merged([first], exact) == [("Gout", None), ("Flu", None)]
    assert merged([first, second], exact) == [("Flu", 1.0), ("Gout", 0.5)]


def test_a_missing_confidence_among_others_is_0():
    assert merged([answer_set(("Gout", None), ("Flu", 0.2))], exact) == [("Flu", 0.2), ("Gout", 0.0)]


def test_nothing_that_can_be_read_is_an_empty_set():
    assert merged([None, None], exact) == []


@pytest.mark.parametrize(
    ("matcher", "same"),
    [
        (FuzzyMatcher(), ["pulmonary embolism", "Embolism, pulmonary"]),
        (named("code"), ["def f():\n    return 1", "def f():  return 1"]),
        (named("math"), ["1/2", "0.5"]),
    ],
    ids=["fuzzy", "code", "math"],
)
def test_the_relation_is_the_matcher_s(matcher, same: list[str]):
    try:
        assert len(merged([answer_set((text, 0.5)) for text in same], matcher)) == 1
        assert len(merged([answer_set((same[0], 0.5)), answer_set(("3", 0.5))], matcher)) == 2
    finally:
        getattr(matcher, "close", lambda: None)()


confidence = st.floats(0, 1).map(lambda value: round(value, 2))
completions = st.lists(
    st.lists(st.tuples(st.sampled_from(["Gout", "gout.", "Flu", "the flu", "Asthma"]), confidence), max_size=4),
    min_size=1,
    max_size=5,
)


@given(completions)
def test_sets_are_joined_as_calibration_joins_them(drawn: Sequence[Sequence[tuple[str, float]]]):
    """Else a profile would know other sets than those it is asked about."""
    served = merged([answer_set(*each) if each else None for each in drawn], exact)
    learned = joined([[Said(normalize(text), q, False) for text, q in each] for each in drawn])
    assert [stated for _, stated in served] == list(learned.stated)
