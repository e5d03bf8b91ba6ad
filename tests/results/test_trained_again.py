"""The seeds of HotPotQA-Modified and MBPP that were trained again with more steps: what the pages say of them."""

from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import estimate_span, signed_span
from results.differences import difference
from results.learning_tables import covered_at_the_end
from results.question_kinds import kinds_in
from results.readings import full_claims
from results.rebuild import DOCS
from results.trainings import HOTPOTQA, HOTPOTQA_200, MBPP, MBPP_150, Run, evaluations
from setwise.config import read_recipe
from tests.results.archives import Archives, audited_share
from tests.results.told import percent, prose
from tests.tasks.made_up import real

[QUESTIONS], [PROGRAMS] = HOTPOTQA_200.ours, MBPP_150.ours
[QUESTIONS_SINGLE], [PROGRAMS_SINGLE] = (each.of("rlvr-single") for each in (HOTPOTQA_200, MBPP_150))
[ASKED] = HOTPOTQA_200.of("rlvr-multi+prompt")
BEFORE = {
    QUESTIONS: HOTPOTQA.ours[0],
    QUESTIONS_SINGLE: HOTPOTQA.of("rlvr-single")[0],
    PROGRAMS: MBPP.ours[1],
    PROGRAMS_SINGLE: MBPP.of("rlvr-single")[1],
}
"""By training: that with 120 steps."""
SKILL = "pooled/brier_skill"
SURE = 0.9
"""What a set claims in all."""
overview = prose(DOCS / "results" / "overview.md")


@pytest.fixture(scope="module")
def of_questions() -> str:
    return prose(DOCS / "results" / "hotpotqa-credit.md").partition("## More steps")[2]


@pytest.fixture(scope="module")
def of_programs() -> str:
    return prose(DOCS / "results" / "mbpp-credit.md").partition("## More steps")[2]


def test_they_differ_in_their_steps_alone(unpacked: dict[str, Path], records: Archives, of_questions: str):
    for longer, shorter in BEFORE.items():
        own, other = (
            read_recipe(unpacked[archive] / "train" / run / "config.yaml") for archive, run in (longer, shorter)
        )
        assert replace(own.optimisation, steps=other.optimisation.steps) == other.optimisation
        assert (own.generation, own.reward, own.run.seed) == (other.generation, other.reward, other.run.seed)
    questions, problems = (8 * len(records.log(run)) for run in (QUESTIONS, PROGRAMS))
    assert f"for which {questions:,} of the 1,674 questions come up once." in of_questions
    assert 3 < problems / 374 < 4, "three times, and some a fourth"


def changed(unpacked: dict[str, Path], metric: str, first: Run, second: Run) -> str:
    return estimate_span(difference(metric, *evaluations(unpacked, [first, second])))


@pytest.mark.slow
def test_first_answers_meet_the_bound_they_had_missed(
    unpacked: dict[str, Path], records: Archives, of_questions: str, of_programs: str
):
    for ours, single, page in (
        (QUESTIONS, QUESTIONS_SINGLE, of_questions),
        (PROGRAMS, PROGRAMS_SINGLE, of_programs),
    ):
        theirs, now = percent(records.value(single, "pass_at_1"), 1), changed(unpacked, "pass_at_1", single, ours)
        before, _, _ = changed(unpacked, "pass_at_1", BEFORE[single], BEFORE[ours]).partition(" ")
        assert f"RLVR-single's {theirs}, a difference of {now}; after 120 steps it was {before}." in page
        assert f":** {percent(records.value(ours, 'pass_at_1'), 1)} are" in page
        gained = [changed(unpacked, "pass_at_1", BEFORE[run], run) for run in (ours, single)]
        assert f"RLCR-multi changed by {gained[0]}, RLVR-single by {gained[1]}." in page
        assert f"meets it, by a difference of {now}." in overview
        assert [within_bound(records, *pair) for pair in ((ours, single), (BEFORE[ours], BEFORE[single]))] == [
            True,
            False,
        ]


def within_bound(records: Archives, ours: Run, single: Run) -> bool:
    return records.value(ours, "pass_at_1") >= 0.98 * records.value(single, "pass_at_1")


@pytest.mark.slow
def test_coverage_where_one_answer_is_right(unpacked: dict[str, Path], records: Archives, of_questions: str):
    ours, theirs = (f"{records.value(run, 'coverage'):.3f}" for run in (QUESTIONS, ASKED))
    differing = changed(unpacked, "coverage", ASKED, QUESTIONS)
    assert f"{ours} against {theirs} when that is asked for confidences, {differing}." in of_questions


def test_what_confidences_know(records: Archives, of_questions: str, of_programs: str):
    for ours, page in ((QUESTIONS, of_questions), (PROGRAMS, of_programs)):
        known = [records.known([run]) for run in (ours, BEFORE[ours])]
        assert f"{known[0]} of pairs within places, after 120 steps {known[1]}; skill" in page
        now, before = (records.of(run, SKILL) for run in (ours, BEFORE[ours]))
        assert f"skill {signed_span(**now)}, after 120 steps {before['value']:+.3f}" in page
    asked, now, before = (f"{records.value(run, 'set/ece'):.3f}" for run in (ASKED, QUESTIONS, BEFORE[QUESTIONS]))
    assert f"below RLVR-multi's, {now} against {asked}, and not below the {before} after 120 steps." in of_questions
    areas = [f"{records.value(run, 'set/auroc'):.3f}" for run in (PROGRAMS, BEFORE[PROGRAMS])]
    assert f"AUROC of sets {areas[0]}, after 120 steps {areas[1]}." in of_programs
    claimed, right = (f"{records.value(PROGRAMS, f'pooled/{of}'):.2f}" for of in ("confidence", "accuracy"))
    assert f"too high: {claimed} on average, where {right} are right." in of_programs


def test_some_sets_of_comparisons_are_too_sure(unpacked: dict[str, Path], of_questions: str):
    claims = [[*full_claims(run)] for run in evaluations(unpacked, [QUESTIONS, BEFORE[QUESTIONS]])]
    sure, sure_before = ([each for each in own if sum(each[0]) >= SURE] for own in claims)
    shares = [percent(len(sets) / len(own)) for sets, own in zip((sure, sure_before), claims, strict=True)]
    held = [percent(fmean(any(attempt.correct) for _, attempt in sets)) for sets in (sure, sure_before)]
    mean = f"{fmean(sum(claim) for claim, _ in sure):.3f}"
    assert f"{shares[0]} claim 0.9 or more in all, {mean} on average, and {held[0]} of those hold" in of_questions
    kinds = kinds_in(real("hotpotqa"))
    compared = percent(fmean(kinds[attempt.problem] == "comparison" for _, attempt in sure))
    assert f"After 120 steps {shares[1]} claimed as much, and {held[1]} of those held it. {compared} of" in of_questions


def test_tokens_and_what_the_single_model_thinks(records: Archives, of_questions: str, of_programs: str):
    ours, single = (f"{records.value(run, 'tokens'):.0f}" for run in (QUESTIONS, QUESTIONS_SINGLE))
    assert f"Three answers take {ours} tokens, RLVR-single's {single}." in of_questions
    texts = records.told[QUESTIONS_SINGLE[0]].texts(QUESTIONS_SINGLE[1])
    assert {text.partition("</think>")[0].split(">")[-1].strip() for text in texts} == {"your reasoning"}
    ours, single = (f"{records.value(run, 'tokens'):.0f}" for run in (PROGRAMS, PROGRAMS_SINGLE))
    assert f"Three programs take {ours} tokens, three samples of RLVR-single {single}." in of_programs


def test_more_sets_hold_one_program_twice(records: Archives, of_programs: str):
    repeats = [audited_share(run, "equivalent_programs") for run in (PROGRAMS, BEFORE[PROGRAMS])]
    assert f"hold one program twice:** {repeats[0]}, after 120 steps {repeats[1]}." in of_programs
    covered = [f"{records.value(run, 'coverage'):.3f}" for run in (PROGRAMS, BEFORE[PROGRAMS])]
    counted = [
        f"{records.value(run, 'distinct_correct/canonical'):.2f}"
        for run in (PROGRAMS, BEFORE[PROGRAMS], PROGRAMS_SINGLE)
    ]
    assert f"So coverage is {covered[0]}, after 120 steps {covered[1]}, but counted once a set" in of_programs
    assert f"{counted[0]} different right programs, after 120 steps {counted[1]}, and three samples of" in of_programs
    assert f"RLVR-single {counted[2]}." in of_programs


def test_part_of_the_rise_is_memory(unpacked: dict[str, Path], records: Archives, of_programs: str):
    remembered, new = covered_at_the_end(unpacked, [PROGRAMS], 0), records.value(PROGRAMS, "coverage")
    assert f"in the last 20 steps the coverage of sets is {remembered:.2f}, and {new:.2f} on new" in of_programs
