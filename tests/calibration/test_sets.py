"""How the attempts of a run become ranked sets."""

import pytest

from setwise.calibration.sets import LONGEST, Said, completions_of, labelled_sets, merged, require_confidences
from setwise.errors import InputError
from setwise.records.attempt import Attempt, Construction


def written(problem: str, stated: tuple[float | None, ...], right: tuple[bool, ...], forms: tuple[str, ...]) -> Attempt:
    return Attempt(problem, right, len(right), right, stated, forms)


def test_the_most_confident_answer_comes_first_and_level_ones_stay_in_order():
    (found,) = labelled_sets([written("a", (0.4, 0.7, 0.4), (True, False, False), ("x", "y", "z"))])
    assert found.stated == (0.7, 0.4, 0.4)
    assert found.right == (False, True, False)
    assert found.right.index(True) + 1 == 2


def test_a_missing_confidence_counts_as_none_at_all():
    (found,) = labelled_sets([written("a", (None, 0.2), (True, False), ("x", "y"))])
    assert found.stated == (0.2, 0.0)
    assert found.right == (False, True)


def test_completions_are_joined_by_what_they_say():
    one = written("a", (0.8, 0.4), (False, True), ("x", "y"))
    other = written("a", (0.6, 0.4), (True, False), ("y", "z"))
    (found,) = labelled_sets([one, other], samples=2)
    assert found.stated == (0.5, 0.4, 0.2)
    assert found.right == (True, False, False)


def test_what_is_left_over_makes_no_set():
    one = written("a", (0.8,), (True,), ("x",))
    assert len(labelled_sets([one] * 5, samples=2)) == 2
    assert labelled_sets([one], samples=2) == []


def test_a_repetition_within_a_completion_is_one_answer():
    said = merged([[Said("x", 0.8, True), Said("x", 0.3, True)]])
    assert said.stated == (0.8,)


def test_answers_without_a_form_are_like_no_other():
    assert merged([[Said(None, 0.5, False), Said(None, 0.5, False)], [Said(None, 0.5, False)]]).stated == (0.25,) * 3


def test_samples_without_confidences_are_votes_and_an_unread_one_votes_for_nothing():
    right = (True, False, True)
    sampled = Attempt("a", right, 4, right, (), ("x", "y", "x"), construction=Construction.SAMPLED, completions=4)
    assert len(completions_of(sampled)) == 4
    (found,) = labelled_sets([sampled])
    assert found.stated == (0.5, 0.25)


def test_a_long_set_ends_after_the_ranks_a_profile_knows():
    many = written("a", tuple(n / 40 for n in range(30)), (False,) * 30, tuple(map(str, range(30))))
    assert len(labelled_sets([many])[0].stated) == LONGEST


def test_one_completion_without_confidences_teaches_nothing():
    silent = Attempt("a", (True,), 1, forms=("x",))
    with pytest.raises(InputError, match=r"^runs/x: the run states no confidences; evaluate a method that states them"):
        require_confidences([silent], None, "runs/x")
    require_confidences([silent], 5, "runs/x")


def test_answers_that_cannot_be_told_apart_are_not_joined():
    formless = Attempt("a", (True, False), 2, confidences=(0.5, 0.2))
    require_confidences([formless], None, "")
    with pytest.raises(InputError, match="the records do not tell which answers are the same"):
        require_confidences([formless], 2, "")
