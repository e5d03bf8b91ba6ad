"""Who is paid for what: the arithmetic, case by case."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.rewards.credit import Credit, Member, Pay, Weights, pay_group
from setwise.settings import ConfidenceScore

OWN = Credit(later=0.0)
RIGHT, WRONG = [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]


def member(gains, confidences=(), **more) -> Member:
    return Member(gains, [gain > 0 for gain in gains], confidences, kept=True, **more)


def test_an_answer_is_paid_what_the_set_gained_by_it():
    first, second = pay_group([member([1.0, 0.0]), member([0.0, 1.0])], Weights(), OWN)
    assert first.answers == pytest.approx([0.5, -0.5])
    assert second.answers == pytest.approx([-0.5, 0.5])
    assert first.whole == second.whole == 0, "as sets they are worth the same"
    assert first.end == second.end == 0


@pytest.mark.parametrize(("later", "paid"), [(0.0, 0.5), (0.5, 0.5 + 0.25 + 0.125), (1.0, 1.5)])
def test_an_answer_is_paid_a_share_of_what_follows(later, paid):
    good, _ = pay_group([member([1.0, 1.0, 1.0]), member([0.0, 0.0, 0.0])], Weights(), Credit(later))
    assert good.answers == pytest.approx([paid, *good.answers[1:]])
    assert good.answers[2] == pytest.approx(0.5)


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=3), min_size=2, max_size=5))
def test_the_first_answer_and_all_that_follow_it_are_paid_the_set(groups):
    """With the whole later gain nothing is lost: an answer's pay is its set's, less what came before."""
    members = [member(gains) for gains in groups]
    means = [fmean(column) for column in zip(*groups, strict=True)]
    for own, pay in zip(groups, pay_group(members, Weights(), Credit(later=1.0)), strict=True):
        assert pay.answers[0] == pytest.approx(pay.whole)
        for place in range(3):
            to_go = sum(gain - mean for gain, mean in zip(own[place:], means[place:], strict=True))
            assert pay.answers[place] == pytest.approx(to_go)


def test_a_format_error_costs_every_token_and_a_duplicate_costs_the_set():
    broken, double, good = pay_group(
        [Member(), member([1.0, 0.0])._replace(kept=False), member([1.0, 0.0])], Weights(), OWN
    )
    assert broken == Pay(broken.whole)
    assert broken.whole == pytest.approx(-1 / 3 - 1 / 3)
    assert double.whole == broken.whole
    assert good.whole == pytest.approx(2 / 3 + 2 / 3)
    assert double.answers[1] < broken.whole + 1e-9, "it lost a right first answer"
    assert good.end > 0 > double.end


def test_groups_in_which_nothing_can_be_read_are_paid_the_same():
    assert [pay.whole for pay in pay_group([Member(), Member()], Weights(), OWN)] == [0.0, 0.0]


def test_a_confidence_is_compared_with_what_others_would_have_scored_on_its_label():
    one, other = pay_group([member([1.0], [0.9]), member([0.0], [0.3])], Weights(), OWN)
    assert one.confidences == pytest.approx([(0.01 + 0.49) / 2 - 0.01])
    assert other.confidences == pytest.approx([(0.81 + 0.09) / 2 - 0.09])


def test_baselines_of_others():
    members = [member([1.0], [0.9]), member([1.0], [0.5]), member([0.0], [0.4])]
    group = pay_group(members, Weights(), Credit(baseline="group"))
    assert [pay.confidences[0] for pay in group] == pytest.approx([0.13, -0.11, -0.02])
    alike = pay_group(members, Weights(), Credit(baseline="equal_labels"))
    assert [pay.confidences[0] for pay in alike] == pytest.approx([0.12, -0.12, 0.0])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6), st.booleans())
def test_the_baseline_takes_out_the_label(stated, label):
    """Samples that share a label are paid nothing on average, whatever it is."""
    members = [member([float(label)], [q]) for q in stated]
    paid = [pay.confidences[0] for pay in pay_group(members, Weights(), OWN)]
    assert fmean(paid) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("score", ["brier", "log"])
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_truth_is_paid_best(score, truth, said, other):
    credit = Credit(score=score)

    def expected(q: float) -> float:
        """What a confidence is paid on average over the label, beside one other sample."""
        right, wrong = (
            pay_group([member([label], [q]), member([1.0], [other])], Weights(), credit)[0].confidences[0]
            for label in (1.0, 0.0)
        )
        return truth * right + (1 - truth) * wrong

    assert expected(truth) >= expected(said) - 1e-9


def regret(score: ConfidenceScore, truth: float, said: float) -> float:
    """What a confidence loses on average against the truth, as one of two samples."""

    def lost(label: float) -> float:
        group = [member([label], [said]), member([label], [truth])]
        said_pay, true_pay = (pay.confidences[0] for pay in pay_group(group, Weights(), Credit(score=score)))
        return true_pay - said_pay

    return truth * lost(1.0) + (1 - truth) * lost(0.0)


def test_the_log_score_charges_as_the_brier_score_near_one_half_and_more_where_few_are_right():
    near = (regret("log", 0.5, 0.52), regret("brier", 0.5, 0.52))
    assert near == pytest.approx((0.0004, 0.0004), rel=0.01)
    assert regret("brier", 0.06, 0.0) == pytest.approx(0.06**2)
    assert regret("log", 0.06, 0.0) > 8 * regret("brier", 0.06, 0.0)
    assert regret("log", 0.06, 0.0) == regret("log", 0.06, 0.01), "nothing is charged without end"


def test_a_sum_above_one_costs_the_confidences_alone():
    usual = [member(RIGHT, [0.5, 0.2, 0.1]), member(WRONG, [0.5, 0.2, 0.1])]
    over = [usual[0]._replace(oversummed=True), usual[1]]
    before, after = (pay_group(members, Weights(), OWN)[0] for members in (usual, over))
    assert after.answers == before.answers
    assert after.whole == before.whole
    assert after.confidences == pytest.approx([paid - 0.5 for paid in before.confidences])


def test_weights_weigh_their_own_part():
    members = [member([1.0, 0.0], [0.9, 0.1]), member([0.0, 0.0], [0.2, 0.2])]
    once, thrice = (pay_group(members, Weights(calibration=weight), OWN)[0] for weight in (1, 3))
    assert thrice.answers == once.answers
    assert thrice.confidences == pytest.approx([3 * paid for paid in once.confidences])


def test_terms_of_others_pay_all_tokens():
    plain, paid = (pay_group([member([1.0], other=other), member([1.0])], Weights(), OWN)[0] for other in (0.0, 0.4))
    assert (paid.whole, paid.answers[0], paid.end) == pytest.approx(
        (plain.whole + 0.2, plain.answers[0] + 0.2, plain.end + 0.2)
    )
