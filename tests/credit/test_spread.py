"""Scores of a group turned into advantages of its tokens."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from setwise.answers import Match
from setwise.credit import NumberTokens, SampledCompletion, TokenCrediting, TokenText, credit_named
from setwise.credit.spread import member_of, pay_scores, weights_of
from setwise.errors import InputError
from setwise.objectives import PRESETS, Objective, Regime, RewardPreset
from setwise.questions import Problem
from setwise.records.score import Score
from setwise.rewards import TERMS, term
from setwise.rewards.credit import Credit
from setwise.scoring import score, score_batch

PROBLEM = Problem("1", "?", ["Gout", "Flu"])
OBJECTIVE = Objective("rlcr-multi", 2)


def said(*answers: tuple[str, str]) -> str:
    tags = (f"<answer{i}>{a}</answer{i}><confidence{i}>{q}</confidence{i}>" for i, (a, q) in enumerate(answers, 1))
    return "<think>x</think>" + "".join(tags)


RIGHT_FIRST = said(("Gout", "0.8"), ("Cold", "0.1"))
RIGHT_LAST = said(("Cold", "0.3"), ("Flu", "0.6"))
DOUBLE = said(("Gout", "0.8"), ("gout", "0.1"))
BROKEN = "<think>never closed"
OWN = Credit(later=0.0)


def crediting(objective: Objective = OBJECTIVE, **more) -> TokenCrediting:
    """A token a character."""
    return TokenCrediting(objective, OWN, TokenText(lambda ids: "".join(map(chr, ids))), **more)


def sampled(text: str) -> SampledCompletion:
    return SampledCompletion([*map(ord, text), 0], text, len(text))


def of_texts(*texts: str, **more):
    scores = score_batch(texts, [PROBLEM] * len(texts), OBJECTIVE)
    return crediting(**more).of_group(scores, PROBLEM, [sampled(text) for text in texts])


def test_each_answer_is_paid_for_itself():
    first, last = of_texts(RIGHT_FIRST, RIGHT_LAST)
    for text, paid, answers in ((RIGHT_FIRST, first, (0.5, -0.5)), (RIGHT_LAST, last, (-0.5, 0.5))):
        assert len(paid.advantages) == len(text) + 1
        assert paid.advantages[text.index("<answer1>")] == pytest.approx(answers[0])
        assert paid.advantages[text.index("</answer2>")] == pytest.approx(answers[1])
        assert paid.advantages[0] == paid.advantages[-1] == 0
        spots = [text[place] for place in np.flatnonzero(paid.confidence)]
        assert (
            "".join(spots)
            == text[text.index("<confidence1>") + 13 :][:3] + text[text.index("<confidence2>") + 13 :][:3]
        )


def test_confidences_are_paid_by_the_share_of_calibration_and_answers_are_not():
    texts = (RIGHT_FIRST, RIGHT_LAST, RIGHT_FIRST.replace("0.8", "0.2"))
    scores = score_batch(texts, [PROBLEM] * len(texts), OBJECTIVE)
    none, half, whole = (
        crediting().of_group(scores, PROBLEM, [sampled(text) for text in texts], share) for share in (0.0, 0.5, 1.0)
    )
    for text, *paid in zip(texts, none, half, whole, strict=True):
        stated, answer = text.index("</confidence1>"), text.index("</answer1>")
        ends = [own.advantages[-1] for own in paid]
        by_share = [own.advantages[stated] - end for own, end in zip(paid, ends, strict=True)]
        assert by_share == pytest.approx([0, by_share[2] / 2, by_share[2]])
        assert by_share[2] != 0
        assert len({own.advantages[answer] for own in paid}) == 1


@pytest.mark.parametrize("score", ["brier", "log"])
def test_a_token_that_chose_a_number_is_charged_for_all_that_it_could_have_chosen(score):
    text = TokenText(lambda ids: "".join(map(chr, ids)))
    numbers = NumberTokens(text, {chr(number): number for number in range(32, 127)})
    credit, texts = replace(OWN, score=score), (RIGHT_FIRST, RIGHT_LAST)
    scores = score_batch(texts, [PROBLEM] * 2, OBJECTIVE)
    rows = [sampled(own) for own in texts]
    [expected, _], [drawn, _] = (
        TokenCrediting(OBJECTIVE, credit, text, numbers=each).of_group(scores, PROBLEM, rows, 0.5)
        for each in (numbers, None)
    )
    places = [RIGHT_FIRST.index("0.8") + 2, RIGHT_FIRST.index("0.1") + 2]
    assert [*expected.charged] == places
    stated = np.arange(10) / 10
    for place, truth in zip(places, (stated, 1 - stated), strict=True):
        charge = (1 - truth) ** 2 if score == "brier" else -np.log(np.clip(truth, 0.01, 0.99)) / 2
        assert expected.charged[place] == pytest.approx(0.5 * charge)
    assert not drawn.charged
    elsewhere = np.delete(np.arange(len(drawn.advantages)), places)
    assert expected.advantages[elsewhere] == pytest.approx(drawn.advantages[elsewhere])
    assert expected.advantages[places] == pytest.approx(drawn.advantages[-1]), "only what the format pays"
    assert (drawn.advantages[places] != drawn.advantages[-1]).all()


def test_every_token_of_a_broken_completion_is_paid_the_same():
    _, broken = of_texts(RIGHT_FIRST, BROKEN)
    assert broken.advantages == pytest.approx([-1.0] * (len(BROKEN) + 1))
    assert not broken.confidence.any()


def test_what_the_machinery_could_not_score_is_paid_nothing_and_moves_no_mean():
    scores = score_batch([RIGHT_FIRST, RIGHT_LAST], [PROBLEM] * 2, OBJECTIVE)
    lost = replace(scores[0], reward=None, error="the sandbox is gone", labels=[])
    texts = [sampled(RIGHT_FIRST), sampled(RIGHT_LAST), sampled(RIGHT_FIRST)]
    paid = crediting().of_group([*scores, lost], PROBLEM, texts)
    assert not paid[2].advantages.any()
    assert paid[0].advantages.tolist() == of_texts(RIGHT_FIRST, RIGHT_LAST)[0].advantages.tolist()


def test_dividing_by_the_standard_deviation_divides_everything():
    plain, divided = of_texts(RIGHT_FIRST, DOUBLE), of_texts(RIGHT_FIRST, DOUBLE, divide_by_std=True)
    rewards = [score(text, PROBLEM, OBJECTIVE).reward or 0.0 for text in (RIGHT_FIRST, DOUBLE)]
    expected = plain[0].advantages / (np.std(rewards, ddof=1) + 1e-4)
    assert divided[0].advantages == pytest.approx(expected)


def test_a_sum_above_one_is_the_confidences_doing():
    exclusive = Objective("rlcr-multi", 2, regime=Regime.EXCLUSIVE)
    gout = Problem("1", "?", ["Gout"])
    over = RIGHT_FIRST.replace("0.1", "0.9")
    pays = [
        pay_scores([score(t, gout, o) for t in (over, RIGHT_FIRST)], gout, o, OWN, weights_of(o))[0]
        for o in (exclusive, OBJECTIVE)
    ]
    assert pays[0].answers == pays[1].answers
    assert pays[0].confidences == pytest.approx([paid - 0.5 for paid in pays[1].confidences])


def test_where_the_preset_takes_everything_nobody_is_paid():
    released = Objective("rlcr-multi", 2, preset="released", analysis=False)
    over = score(RIGHT_FIRST.replace("0.1", "0.9"), PROBLEM, released)
    assert over.reward == 0
    assert not member_of(over, PROBLEM, released).kept
    kept = member_of(score(RIGHT_FIRST, PROBLEM, released), PROBLEM, released)
    assert (kept.gains, kept.other) == ([1.0, 0.0], 0.5), "the offset of its calibration is paid to all"


def test_a_term_of_somebody_elses_is_paid_to_all_tokens():
    preset = RewardPreset("mine", weights={**PRESETS["paper"].weights, "thought_length": 0.5})

    @term("thought_length", definition="Characters of thinking.")
    def thought_length(judged) -> float:
        return float(judged.thinking_characters)

    objective = Objective("rlcr-multi", 2, preset=preset)
    try:
        assert member_of(score(RIGHT_FIRST, PROBLEM, objective), PROBLEM, objective).other == 0.5
    finally:
        del TERMS.added["thought_length"]


def test_programs_are_valued_by_the_tests_they_pass():
    preset = RewardPreset("vpo", set_value="vpo")
    objective = Objective("rlvr-multi", 2, preset=preset)
    problem = Problem("1", "?", tests=["a", "b", "c", "d"])
    found = Score(reward=2.0, labels=[False, False], matches=[Match(False, passed=0b0011), Match(False, passed=0b0001)])
    assert member_of(found, problem, objective).gains == [0.5, 0.0]


def test_names():
    assert credit_named("completion", OBJECTIVE) is None
    assert credit_named("answer", OBJECTIVE, 0.5) == Credit(later=0.5)
    assert credit_named("answer", OBJECTIVE, score="log") == Credit(score="log")
    misspelt: Any = "Brier"
    with pytest.raises(InputError, match="a confidence is scored by one of brier, log"):
        credit_named("answer", OBJECTIVE, score=misspelt)
    with pytest.raises(InputError, match="credit dcpo is for one answer with a confidence"):
        credit_named("dcpo", OBJECTIVE)
    with pytest.raises(InputError, match="credit is one of completion, answer, dcpo, bae"):
        credit_named("answers", OBJECTIVE)
