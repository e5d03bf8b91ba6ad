"""Completions as one `Answered`: what it holds, what a plain client reads in its text, and when a profile is silent."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from setwise.answers import AnswerSet
from setwise.errors import InputError
from setwise.models import Completion, Sampling
from setwise.objectives import Objective, Regime
from setwise.parsing import parse
from setwise.serving.answers import Answered
from setwise.serving.asking import Asking
from setwise.serving.reading import ASKED_OTHERWISE, NO_CONFIDENCES, Reader
from tests.serving.made_up import COUGH, COUGHS, completion
from tests.serving.made_up_profile import made_up_profile

MULTI = Objective("rlcr-multi", 3)
FIRST, SECOND, UNREADABLE = COUGHS


def reader(objective: Objective = MULTI) -> Reader:
    return Reader(Asking(objective=objective, system_prompt=""))


def read(*texts: str, objective: Objective = MULTI) -> Answered:
    return reader(objective).read(COUGH, [Completion(text) for text in texts])


def written(answered: Answered, objective: Objective) -> AnswerSet:
    """The text of several completions as a client reads it, strictly, without knowing how many answers there are."""
    k = len(answered.answers) if objective.multi else 1
    found = parse(answered.text, replace(objective, k=k, analysis=False))
    assert isinstance(found, AnswerSet), (found, answered.text)
    return found


def test_one_completion_is_passed_on_as_it_was_written():
    assert read(FIRST).text == FIRST
    assert read(UNREADABLE).text == UNREADABLE


def test_several_completions_become_one_text_in_the_format_of_the_model():
    answered = read(FIRST, SECOND)
    found = written(answered, MULTI)
    assert (
        found.answers == [each.text for each in answered.answers] == ["Pneumonia", "Bronchitis", "Influenza", "Asthma"]
    )
    assert found.confidences == [each.stated for each in answered.answers] == [0.5, 0.375, 0.05, 0.025]
    assert found.thinking == answered.thinking == "The lung or the airways."


@pytest.mark.parametrize(
    "objective",
    [replace(MULTI, think_opened=True), replace(MULTI, preset="released"), replace(MULTI, regime=Regime.EXCLUSIVE)],
    ids=["thinking opened", "analysis", "exclusive"],
)
def test_the_text_of_several_completions_is_well_formed_whatever_the_format(objective: Objective):
    opened = "<think>" if objective.think_opened else ""
    answered = read(*(text.removeprefix(opened) for text in (FIRST, SECOND)), objective=objective)
    assert len(written(answered, objective).candidates) == 4
    assert answered.text.startswith("<think>") is not objective.think_opened


def test_without_confidences_the_text_has_none_and_the_answers_carry_their_shares():
    objective = Objective("rlvr-multi", 2)
    texts = [
        "<think>hm</think>" + "".join(f"<answer{i}>{each}</answer{i}>" for i, each in enumerate(pair, 1))
        for pair in (("Gout", "Flu"), ("Flu", "Asthma"))
    ]
    answered = read(*texts, objective=objective)
    assert [(each.text, each.stated) for each in answered.answers] == [("Flu", 1.0), ("Gout", 0.5), ("Asthma", 0.5)]
    assert written(answered, objective).answers == ["Flu", "Gout", "Asthma"]


def test_of_single_answers_the_text_has_the_most_confident():
    objective = Objective("rlcr-single")
    answers = (("Gout", 0.2), ("Flu", 0.9))
    texts = [
        f"<think>hm</think><answer>{a}</answer><analysis>so</analysis><confidence>{q}</confidence>" for a, q in answers
    ]
    answered = read(*texts, objective=objective)
    assert [each.text for each in answered.answers] == ["Flu", "Gout"]
    assert written(answered, objective).answers == ["Flu"]


@pytest.mark.parametrize("said", ["1", "0.99999", "0.333333", "0.0002", "0.00001"])
def test_every_confidence_in_the_text_of_several_completions_can_be_read(said: str):
    answered = read(completion(("Gout", 0.5)).replace("0.5", said), UNREADABLE)
    assert written(answered, MULTI).confidences == [pytest.approx(float(said) / 2, abs=1e-4)]


def test_of_several_unreadable_completions_nothing_is_written():
    answered = read(UNREADABLE, UNREADABLE)
    assert (answered.text, answered.answers, answered.thinking, answered.stated_set) == ("", (), "", None)


def test_the_thinking_is_that_of_the_first_readable_completion():
    assert read(UNREADABLE, FIRST).thinking == "The lung or the airways."


@pytest.mark.parametrize(
    ("texts", "malformed"),
    [
        ((FIRST, SECOND), None),
        ((FIRST, UNREADABLE), "missing_think"),
        ((f"{FIRST} That is all.", SECOND), "extra_text"),
        ((f"{FIRST} That is all.", UNREADABLE), "missing_think"),
    ],
    ids=["well formed", "unreadable", "repaired", "unreadable after repaired"],
)
def test_what_is_wrong_is_told_and_an_unreadable_completion_before_a_repaired_one(texts: Sequence[str], malformed: str):
    assert read(*texts).malformed == malformed


def test_a_completion_that_ran_into_its_limit_is_truncated():
    assert reader().read(COUGH, [Completion(UNREADABLE, "length")]).malformed == "truncated"


def test_exclusive_answers_claim_no_more_than_certainty_together():
    text = completion(("Gout", 0.9), ("Flu", 0.8), ("Asthma", 0.1))
    assert read(text, objective=replace(MULTI, regime=Regime.EXCLUSIVE)).stated_set == 1.0
    assert read(text).stated_set == pytest.approx(1 - 0.1 * 0.2 * 0.9)


def judged() -> Reader:
    return replace(reader(), profile=made_up_profile())


def test_without_an_alpha_everything_is_calibrated_and_kept():
    answered = judged().read(COUGH, [Completion(FIRST)])
    assert answered.decision is None
    assert len(answered.kept) == len(answered.reach) == 3
    assert None not in [answered.set_confidence, *(each.calibrated for each in answered.answers)]


def with_sampling(about: dict[str, float]) -> Reader:
    return replace(judged(), profile=replace(made_up_profile(), about={"sampling": about}))


@pytest.mark.parametrize(
    ("said", "text", "as_taught", "note"),
    [
        (judged(), FIRST, False, ASKED_OTHERWISE),
        (with_sampling({"temperature": 0.2}), FIRST, True, ASKED_OTHERWISE),
        (with_sampling({"top_p": 0.5}), FIRST, True, ASKED_OTHERWISE),
        (judged(), "<think>hm</think><answer1>Gout</answer1>", True, NO_CONFIDENCES),
    ],
    ids=["prompt", "temperature", "top_p", "no confidences"],
)
def test_a_profile_is_silent_about_other_questions_and_says_why(said: Reader, text: str, as_taught: bool, note: str):
    answered = said.read(COUGH, [Completion(text)], 0.4, as_taught=as_taught)
    assert (answered.note, answered.decision, answered.set_confidence, answered.reach) == (note, None, None, ())
    assert [each.calibrated for each in answered.answers] == [None] * len(answered.answers)
    assert answered.kept == answered.answers


def test_a_profile_that_does_not_know_how_its_run_was_drawn_speaks():
    asking = replace(judged().asking, sampling=Sampling(temperature=0.1))
    assert replace(judged(), asking=asking).read(COUGH, [Completion(FIRST)]).note is None


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, float("nan")])
def test_an_alpha_is_a_chance(alpha: float):
    with pytest.raises(InputError, match="above 0 and below 1"):
        judged().require_profile(alpha)


def test_an_alpha_needs_a_profile_and_no_alpha_needs_none():
    with pytest.raises(InputError, match="needs a profile"):
        reader().require_profile(0.1)
    reader().require_profile(None)
    judged().require_profile(0.1)


def test_as_many_completions_are_merged_as_the_profile_was_learned_from():
    assert reader().samples == judged().samples == 1
    assert replace(judged(), profile=replace(made_up_profile(), samples=5)).samples == 5
