"""`setwise.load(...).ask(...)`: the same answers as the server's, without one."""

from dataclasses import replace
from pathlib import Path

import pytest

import setwise
from setwise.errors import InputError, ModelError
from setwise.objectives import Objective, Regime
from setwise.prompting import lesson
from setwise.records.manifest import Manifest
from setwise.serving import AnswerSetModel, Choices
from tests.serving.made_up import COUGH, COUGHS, MUMBLE, TOE, scripted, write_script
from tests.serving.made_up_profile import made_up_profile


@pytest.fixture
def model(tmp_path: Path) -> AnswerSetModel:
    return scripted(tmp_path)


def test_a_question_gets_its_answers_the_most_confident_first(model: AnswerSetModel):
    answered = model.ask(COUGH)
    assert [(each.text, each.stated) for each in answered.answers] == [
        ("Pneumonia", 0.6),
        ("Bronchitis", 0.25),
        ("Influenza", 0.1),
    ]
    assert (answered.thinking, answered.text, answered.samples) == ("The lung or the airways.", COUGHS[0], 1)
    assert answered.kept == answered.answers
    assert not answered.abstained


def test_many_questions_are_answered_in_their_order(model: AnswerSetModel):
    asked = [TOE, COUGH, TOE, MUMBLE]
    assert [each.question for each in model.ask_all(asked)] == asked


def test_with_a_profile_confidences_are_calibrated_and_a_decision_keeps_a_prefix(tmp_path: Path):
    profile = made_up_profile()
    profile.write(tmp_path / "profile.json")
    model = setwise.load(write_script(tmp_path / "script.jsonl"), tmp_path / "profile.json")
    answered = model.ask(COUGH, alpha=0.4)
    stated = [0.6, 0.25, 0.1]
    assert [each.calibrated for each in answered.answers] == pytest.approx(profile.calibrated(stated))
    assert answered.decision == profile.decide(stated, 0.4, key=COUGH)
    assert answered.decision is not None
    assert [each.kept for each in answered.answers] == [place < answered.decision.kept for place in range(3)]
    assert list(answered.reach) == profile.reach(stated, key=COUGH)
    record = answered.to_record()
    assert record["decision"] == answered.decision.to_record()
    assert record["set"]["calibrated"] == pytest.approx(profile.set_confidence(stated))


def test_completions_are_drawn_as_in_the_run_of_the_profile_and_otherwise_nothing_is_calibrated(tmp_path: Path):
    drawn = {"temperature": 1.0, "top_p": 0.9, "max_tokens": 40}
    profile = replace(made_up_profile(), about={"sampling": drawn})
    script = write_script(tmp_path / "script.jsonl")
    model = setwise.load(script, profile)
    assert (model.asking.sampling.temperature, model.asking.sampling.max_tokens) == (1.0, 40)
    assert model.ask(COUGH).set_confidence is not None
    other = setwise.load(script, profile, choices=Choices(temperature=0.2)).ask(COUGH)
    assert other.set_confidence is None
    assert "asked otherwise" in (other.note or "")


def test_a_profile_of_another_model_or_regime_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A promise holds for the model it was learned from. One that lies nowhere here may have been moved."""
    monkeypatch.chdir(tmp_path)
    Manifest(taught=(lesson(Objective("rlcr-multi", k=3, regime=Regime.INCLUSIVE)),)).write("ours")
    Path("theirs").mkdir()
    spec, profile = "openai:ours@http://localhost:9/v1", replace(made_up_profile(), about={})
    for learned_from in ("", "hf:elsewhere/model", "hf:ours"):
        known = replace(profile, about={"model": learned_from}, regime=Regime.INCLUSIVE)
        assert setwise.load(spec, known).profile is known
    other = replace(profile, about={"model": "hf:theirs"}, regime=Regime.INCLUSIVE)
    with pytest.raises(
        InputError, match='belongs to another model, got "hf:theirs"; learn one from a run of openai:ours@'
    ):
        setwise.load(spec, other)
    with pytest.raises(InputError, match="of answers in regime exclusive, and the model is asked in regime inclusive"):
        setwise.load(spec, profile)


def test_a_model_of_which_nothing_is_known_is_asked_in_the_regime_of_its_profile(tmp_path: Path):
    script = write_script(tmp_path / "script.jsonl")
    assert setwise.load(script).asking.objective.regime is Regime.INCLUSIVE
    assert setwise.load(script, made_up_profile()).asking.objective.regime is Regime.EXCLUSIVE


def test_a_promise_that_the_model_cannot_keep_abstains_and_says_so(model: AnswerSetModel):
    answered = replace(model, profile=made_up_profile()).ask(COUGH, alpha=0.001)
    assert answered.abstained
    assert answered.kept == ()
    assert "cannot promise" in answered.to_record()["decision"]["reason"]


def test_an_answer_that_cannot_be_read_is_passed_on(model: AnswerSetModel):
    answered = replace(model, profile=made_up_profile()).ask(MUMBLE, alpha=0.4)
    assert answered.abstained
    assert answered.malformed == "missing_think"


def test_a_profile_of_several_samples_draws_as_many_and_is_not_used_for_others(model: AnswerSetModel):
    judged = replace(model, profile=replace(made_up_profile(), samples=3))
    assert judged.ask(COUGH).samples == 3
    assert judged.ask(COUGH).set_confidence is not None
    alone = judged.ask(COUGH, samples=1)
    assert alone.set_confidence is None
    assert alone.note == "the profile knows sets of samples = 3, and this one has samples = 1"


def test_an_alpha_without_a_profile_is_one_line(model: AnswerSetModel):
    with pytest.raises(InputError, match="needs a profile"):
        model.ask(COUGH, alpha=0.1)


def test_a_model_that_gives_no_completion_is_an_error(model: AnswerSetModel):
    with pytest.raises(ModelError, match="the script has 0 replies"):
        model.ask("Never heard of?")


@pytest.mark.parametrize("samples", [0, -1, 65, True])
def test_samples_are_counted(model: AnswerSetModel, samples: int):
    with pytest.raises(InputError, match="samples must be"):
        model.ask(COUGH, samples=samples)
