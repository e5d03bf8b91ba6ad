"""RLCR-single in the longer trainings, with either credit: what the pages say of the records."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, pstdev

import pytest

from results.blocks import signed_span
from results.rebuild import DOCS, HERE
from results.trainings import (
    ALL_DIGITS,
    DDXPLUS_160,
    HOTPOTQA,
    LARGER_BONUS,
    MBPP,
    SINGLE,
    SINGLE_PROGRAMS,
    Run,
    evaluations,
)
from setwise.records.run import RunFolder
from setwise.records.training_log import Step, TrainingLog
from tests.results.told import Told, higher_within, listed, percent, prose

[PATIENTS], [QUESTIONS], [PROGRAMS] = (dataset.of("rlcr-single") for dataset in (DDXPLUS_160, HOTPOTQA, MBPP))
STUCK = HOTPOTQA.of("rlcr-multi")[1]
USUAL = {"bronchitis": 0.8, "anemia": 0.6, "pericarditis": 0.4, "cluster headache": 0.6}
COLLAPSE, UNINFORMED = "confidence_collapse", "confidences_without_information"


@pytest.fixture(scope="module")
def singles() -> str:
    return prose(DOCS / "results" / "rlcr-single.md")


def page(name: str) -> str:
    return prose(DOCS / "results" / f"{name}.md")


def answers(unpacked: dict[str, Path], run: Run) -> Counter[tuple[str, float | None]]:
    """Each with its confidence."""
    [folder] = evaluations(unpacked, [run])
    said = (zip(each.forms, each.confidences, strict=True) for each in RunFolder(folder).attempts() if each.confidences)
    return Counter((str(form), confidence) for both in said for form, confidence in both)


def diagnoses(unpacked: dict[str, Path], run: Run) -> dict[str, list[bool]]:
    """By diagnosis: whether it is right, each time it is given."""
    [folder] = evaluations(unpacked, [run])
    found: dict[str, list[bool]] = defaultdict(list)
    for attempt in RunFolder(folder).attempts():
        for form, right in zip(attempt.forms, attempt.correct, strict=True):
            found[str(form)].append(right)
    return found


def average(log: list[Step], metric: str, first: int, last: int) -> float:
    return fmean(step[metric] for step in log if first <= step["step"] <= last)


def test_patients_get_one_of_four_diagnoses_with_the_papers_credit(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[PATIENTS[0]]), PATIENTS
    said = answers(unpacked, PATIENTS)
    assert {form for form, _ in said} == USUAL.keys()
    assert sum(said[each] for each in USUAL.items()) > 0.98 * said.total()
    right, single = (told.value(each, "pass_at_1") for each in (run, DDXPLUS_160.of("rlvr-single")[0][1]))
    text = page("ddxplus-credit")
    assert f"{percent(right, 1)} are right. It knows four diagnoses" in text
    assert listed([f"{name} {confidence}" for name, confidence in USUAL.items()]) in text
    judged = diagnoses(unpacked, PATIENTS)
    shares = [percent(fmean(judged[name])) for name in USUAL]
    assert f"right so unequally often, {listed(shares)}, that" in text
    areas = [Told(unpacked[archive]).value(each, "top1/auroc") for archive, each in (PATIENTS, SINGLE)]
    assert f"(AUROC {areas[0]:.3f} against {areas[1]:.3f})" in text
    assert f"but its confidences tell less (AUROC {areas[1]:.3f} against {areas[0]:.3f})." in singles
    ours = Told(unpacked[SINGLE[0]]).value(SINGLE[1], "pass_at_1")
    assert f"and {ours:.3f} of its answers are right instead of {right:.3f}, in one training of each, but" in singles
    assert f"and {percent(right, 1)} are right, {right / single:.2f} times as many as RLVR-single's." in singles
    log = told.log(run)
    assert f"{told.right_at_first(run)[0]} were right in the first ten steps" in singles
    assert f"`{COLLAPSE}` rang at step {told.alarms()[run, COLLAPSE]}, and confidences" in singles
    assert f"were {average(log, 'confidence/mean', 31, 40):.3f} on average in steps 31 to 40." in singles
    assert f"{percent(average(log, 'pass_at_1', 41, 50))} were right in the next ten steps" in singles


def test_patients_get_one_of_few_diagnoses_with_credit_per_answer_too(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[SINGLE[0]]), SINGLE
    stated: dict[str, list[float]] = defaultdict(list)
    for (form, confidence), count in answers(unpacked, SINGLE).items():
        stated[form] += [confidence or 0] * count
    judged = diagnoses(unpacked, SINGLE)
    usual = sorted(judged, key=lambda name: -len(judged[name]))[:3]
    share = percent(sum(len(judged[name]) for name in usual) / sum(map(len, judged.values())))
    text = page("ddxplus-credit")
    named = listed([f"{name} {fmean(stated[name]):.2f}" for name in usual])
    right = listed([percent(fmean(judged[name])) for name in usual])
    assert f"{named} make up {share} of the answers, and {right} of them are right." in text
    assert max(pstdev(stated[name]) for name in usual) < 0.03, "whoever the patient is"
    assert f"whoever the patient is, and three make up {share} of the answers." in singles
    rang = [alarm.step for alarm in TrainingLog(told.folder / "train" / run).alarms() if alarm.name == UNINFORMED]
    assert f"and `{UNINFORMED}` rang at steps {listed([str(step) for step in rang])}: bronchitis" in text


def test_questions_get_a_piece_of_the_prompt_with_the_papers_credit(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[QUESTIONS[0]]), QUESTIONS
    last = max(step["step"] for step in told.log(run) if step["pass_at_1"] > 0)
    text = page("hotpotqa-credit")
    assert f"from step {last + 1:.0f} on none was right" in text
    assert f"From step {last + 1:.0f} on [no answer was" in singles
    assert f"{told.right_at_first(run)[0]} right in the first ten steps, `{COLLAPSE}`" in singles
    assert f"`{COLLAPSE}` at step {told.alarms()[run, COLLAPSE]}. From" in singles
    said = answers(unpacked, QUESTIONS)
    share = percent(said["no sentence around it", 0.0] / said.total(), 1)
    assert f"{share} of them are *no sentence around it*, a piece of the prompt, with confidence 0." in text
    assert told.value(run, "pass_at_1") == 0


def test_the_confidences_of_sets_can_get_stuck(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[STUCK[0]]), STUCK
    log = told.log(run)
    last = max(step["step"] for step in log if step["confidence/mean"] > 0)
    assert f"states nothing but 0 from step {last + 1:.0f} on, and hardly anything else from step 40:" in singles
    assert max(step["confidence/mean"] for step in log if step["step"] >= 40) < 0.001
    assert f"`groups_without_variance` rang at step {told.alarms()[run, 'groups_without_variance']}." in singles
    right, single = (told.value(each, "pass_at_1") for each in (run, HOTPOTQA.of("rlvr-single")[1][1]))
    assert f"its first ones are right only {right / single:.2f} times as often as RLVR-single's." in singles
    assert average(log, "pass_at_1", 111, 120) > average(log, "pass_at_1", 31, 40), "answers did not collapse"


def test_on_programs_the_confidences_collapse_and_the_answers_do_not(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[SINGLE_PROGRAMS[0]]), SINGLE_PROGRAMS
    (_, other), _ = MBPP.of("rlvr-single")
    share = told.share_of_confidences(run, 0.6)
    rung = told.alarms()[run, COLLAPSE]
    assert f"but {share} of its confidences are 0.6; `{COLLAPSE}` rang at step {rung}. With the" in singles
    claimed, right = (told.value(run, f"top1/{name}") for name in ("confidence", "accuracy"))
    assert (
        f"On MBPP confidences of the first training are {claimed:.2f} on average, and {right:.2f} of the answers"
        in singles
    )
    text = page("mbpp-credit")
    times = told.value(run, "pass_at_1") / told.value(other, "pass_at_1")
    assert f"{percent(told.value(run, 'pass_at_1'), 1)} are right, {times:.2f} times as many as RLVR-single's" in text
    assert f"{share} of its confidences are 0.6" in text
    gained = told.of(run, "top1/brier_skill")
    assert gained["high"] < 0
    assert f"skill {signed_span(**gained)}" in text


def test_on_programs_all_digits_alone_do_not_help(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[ALL_DIGITS[0]]), ALL_DIGITS
    share, rung = told.share_of_confidences(run, 0.6, digits=1), told.alarms()[run, COLLAPSE]
    assert f"{share} of its confidences are 0.6, and the alarm rang at step {rung}." in singles
    assert told.of(run, "top1/brier_skill")["high"] < 0


def written(told: Told, run: str, tag: str) -> float:
    """Characters between these tags, on average."""
    inside = (text.partition(f"<{tag}>")[2].partition(f"</{tag}>") for text in told.texts(run))
    return fmean(len(text.strip()) for text, closed, _ in inside if closed)


def by_problem(run: Path) -> Iterator[tuple[str, float, bool]]:
    for attempt in RunFolder(run).attempts():
        for confidence, right in zip(attempt.confidences, attempt.correct, strict=True):
            if confidence is not None:
                yield attempt.problem, confidence, right


def test_on_programs_confidences_know_something_with_a_larger_bonus(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[LARGER_BONUS[0]]), LARGER_BONUS
    (_, other), _ = MBPP.of("rlvr-single")
    assert not {alarm for trained, alarm in told.alarms() if trained == run}
    skill, area = told.of(run, "top1/brier_skill"), told.of(run, "top1/auroc")
    assert skill["low"] > 0
    assert area["low"] > 0.65
    higher = percent(area["value"])
    same = percent(higher_within(by_problem(told.folder / "eval" / run)))
    assert f"than a wrong one in {higher} of pairs, among programs for one problem in {same}:" in singles
    assert f"The Brier skill is {signed_span(**skill)}, and no alarm rang." in singles
    right, single = (percent(told.value(each, "pass_at_1"), 1) for each in (run, other))
    tokens = [f"{told.value(each, 'tokens'):.0f}" for each in (run, SINGLE_PROGRAMS[1])]
    assert f"{right} of its programs are right, RLVR-single's {single}, but its analysis" in singles
    characters = [f"{written(told, each, 'analysis'):.0f}" for each in (run, SINGLE_PROGRAMS[1])]
    assert "as long: {} characters, in the first training {}.".format(*characters) in singles
    assert written(told, run, "think") < 1.3 * written(told, SINGLE_PROGRAMS[1], "think"), "which is not why"
    assert "three programs take {} tokens instead of {}.".format(*tokens) in singles
    text = page("mbpp-credit")
    assert f"skill {signed_span(**skill)}, and {right} are right." in text
    validated = told.of(f"{run}-validation", "top1/brier_skill")
    assert f"on the 90 validation problems the skill is {signed_span(**validated)}." in text
    assert f"its skill is within chance, {signed_span(**validated)}." in singles


def test_on_programs_every_confidence_is_a_half_with_the_papers_credit(unpacked: dict[str, Path], singles: str):
    told, (_, run) = Told(unpacked[PROGRAMS[0]]), PROGRAMS
    (_, other), _ = MBPP.of("rlvr-single")
    stated = {q for each in RunFolder(told.folder / "eval" / run).attempts() for q in each.confidences}
    assert stated == {0.5}
    rung, right = told.alarms()[run, COLLAPSE], told.value(run, "pass_at_1")
    assert f"{told.right_at_first(run)[0]} right in the first ten steps, `{COLLAPSE}` at step {rung}, at 0.5" in singles
    times = f"{right / told.value(other, 'pass_at_1'):.2f}"
    assert f"every confidence is 0.5, and {right:.3f} of the answers are right, {times} times as many" in singles
    gained = told.of(run, "top1/brier_skill")
    assert gained["high"] < 0
    text = page("mbpp-credit")
    assert f"{percent(right, 1)} are right, and every confidence is 0.5, skill {signed_span(**gained)}." in text


def test_the_recipe_of_programs_has_the_published_settings(unpacked: dict[str, Path]):
    archive, run = LARGER_BONUS
    recipe = HERE.parent / "recipes" / "small" / "mbpp" / "rlcr-single-per-answer.yaml"
    Told(unpacked[archive]).assert_trained_by(run, recipe)
