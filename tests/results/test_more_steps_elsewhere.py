"""One seed each of HotPotQA-Modified and MBPP with more steps: what the pages say of the records."""

from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import estimate_span, signed_span
from results.differences import difference
from results.goal_tables import GOALS
from results.learning_tables import covered_at_the_end
from results.question_kinds import kinds_in
from results.readings import full_claims
from results.rebuild import DOCS
from results.trainings import HOTPOTQA, HOTPOTQA_200, MBPP, MBPP_150, Run, evaluations
from setwise.config import read_recipe
from tests.results.archives import Archives, audited_share, thousandths
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
SURE = 0.9
"""What a set claims in all."""


def section(page: str) -> str:
    return prose(DOCS / "results" / page).partition("## More steps")[2].partition(" ## ")[0]


@pytest.fixture(scope="module")
def of_questions() -> str:
    return section("hotpotqa-credit.md")


@pytest.fixture(scope="module")
def of_programs() -> str:
    return section("mbpp-credit.md")


@pytest.fixture(scope="module")
def overview() -> str:
    return prose(DOCS / "results" / "overview.md")


def between(unpacked: dict[str, Path], metric: str, first: Run, second: Run) -> str:
    return estimate_span(difference(metric, *evaluations(unpacked, [first, second])))


def change(unpacked: dict[str, Path], metric: str, run: Run) -> str:
    """By the steps after 120."""
    return between(unpacked, metric, BEFORE[run], run)


def test_they_differ_in_their_steps_alone(unpacked: dict[str, Path], records: Archives, of_questions: str):
    for pair in BEFORE.items():
        longer, shorter = (read_recipe(unpacked[archive] / "train" / run / "config.yaml") for archive, run in pair)
        assert replace(longer.optimisation, steps=120) == shorter.optimisation
        assert (longer.generation, longer.reward) == (shorter.generation, shorter.reward)
        assert longer.run.seed == shorter.run.seed
    questions, problems = (8 * len(records.log(run)) for run in (QUESTIONS, PROGRAMS))
    assert f"for which {questions:,} of the 1,674 questions come up once." in of_questions
    assert 3 < problems / 374 < 4, "three times, and some a fourth"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "single", "page"),
    [(QUESTIONS, QUESTIONS_SINGLE, "hotpotqa-credit.md"), (PROGRAMS, PROGRAMS_SINGLE, "mbpp-credit.md")],
    ids=["questions", "programs"],
)
def test_first_answers_meet_the_bound_they_had_missed(
    unpacked: dict[str, Path], records: Archives, overview: str, ours: Run, single: Run, page: str
):
    right, theirs = (percent(records.value(run, "pass_at_1"), 1) for run in (ours, single))
    now, before = (between(unpacked, "pass_at_1", *pair) for pair in ((single, ours), (BEFORE[single], BEFORE[ours])))
    text, was = section(page), before.partition(" ")[0]
    assert f"in this training:** {right} are" in text
    assert f"RLVR-single's {theirs}, a difference of {now}; after 120 steps it was {was}." in text
    changes = [change(unpacked, "pass_at_1", run) for run in (ours, single)]
    assert f"RLCR-multi changed by {changes[0]}, RLVR-single by {changes[1]}." in text
    assert f": the difference is {now}." in overview
    [bound] = (goal for goal in GOALS if goal.title.startswith("first answers"))
    assert bound.met(bound.number(*evaluations(unpacked, [ours, single])))
    assert not bound.met(bound.number(*evaluations(unpacked, [BEFORE[ours], BEFORE[single]])))


@pytest.mark.slow
def test_what_changes_where_one_answer_is_right(unpacked: dict[str, Path], records: Archives, of_questions: str):
    covered = [f"{records.value(run, 'coverage'):.3f}" for run in (QUESTIONS, ASKED)]
    differing = between(unpacked, "coverage", ASKED, QUESTIONS)
    assert f"{covered[0]} against {covered[1]} when that is asked for confidences, {differing}." in of_questions
    known = [records.known([run]) for run in (QUESTIONS, BEFORE[QUESTIONS])]
    now, before = (records.of(run, "pooled/brier_skill") for run in (QUESTIONS, BEFORE[QUESTIONS]))
    assert f"{known[0]} of pairs within places, after 120 steps {known[1]}; skill {signed_span(**now)}," in of_questions
    assert f"after 120 steps {before['value']:+.3f}." in of_questions
    ours, theirs = (f"{records.value(run, 'set/ece'):.3f}" for run in (QUESTIONS, ASKED))
    changed = change(unpacked, "set/ece", QUESTIONS)
    assert f"RLVR-multi's, {ours} against {theirs}, and not shown to have changed, {changed}." in of_questions


def test_comparisons_are_claimed_too_high(unpacked: dict[str, Path], of_questions: str):
    kinds, [now, before] = kinds_in(real("hotpotqa")), evaluations(unpacked, [QUESTIONS, BEFORE[QUESTIONS]])

    def claims(run: Path, kind: str) -> list[tuple[float, bool]]:
        stated = (each for each in full_claims(run) if kinds[each[1].problem] == kind)
        return [(sum(claim), any(attempt.correct)) for claim, attempt in stated]

    longer, shorter, others = claims(now, "comparison"), claims(before, "comparison"), claims(now, "bridge")
    claimed, held = zip(*(map(fmean, zip(*each, strict=True)) for each in (longer, shorter, others)), strict=True)
    assert f"claim {claimed[0]:.2f} in all, and {percent(held[0])} hold the right answer;" in of_questions
    assert f"after 120 steps it was {claimed[1]:.2f} and {percent(held[1])}." in of_questions
    sure = [percent(fmean(total >= SURE for total, _ in each)) for each in (longer, shorter)]
    assert f"Of these sets {sure[0]} claim 0.9 or more, after 120 steps {sure[1]}." in of_questions
    assert f"other questions claim {claimed[2]:.2f}, and {percent(held[2])} hold it." in of_questions


@pytest.mark.slow
def test_confidences_separate_right_from_wrong_programs_better(
    unpacked: dict[str, Path], records: Archives, of_programs: str
):
    within, of_sets, skill = (
        change(unpacked, metric, PROGRAMS)
        for metric in ("pooled/auroc_within_places", "set/auroc", "pooled/brier_skill")
    )
    assert f"{records.known([PROGRAMS])} of pairs within places, a change of {within}; AUROC" in of_programs
    assert f"AUROC of sets {records.value(PROGRAMS, 'set/auroc'):.3f}, {of_sets}." in of_programs
    now = signed_span(**records.of(PROGRAMS, "pooled/brier_skill"))
    assert f"Skill is {now}, and its change within chance, {skill}." in of_programs
    claimed, right = (f"{records.value(PROGRAMS, f'pooled/{of}'):.2f}" for of in ("confidence", "accuracy"))
    assert f"too high: {claimed} on average, where {right} are right." in of_programs


@pytest.mark.slow
def test_more_sets_hold_one_program_twice(unpacked: dict[str, Path], records: Archives, of_programs: str):
    repeats = [audited_share(run, "equivalent_programs") for run in (PROGRAMS, BEFORE[PROGRAMS])]
    assert f"hold one program twice:** {repeats[0]}, after 120 steps {repeats[1]}." in of_programs
    metric = "distinct_correct/canonical"
    counted, fewer = f"{records.value(PROGRAMS, metric):.2f}", change(unpacked, metric, PROGRAMS)
    assert f"Counted once, a set holds {counted} different right programs, {fewer}, and" in of_programs
    assert f"and only {between(unpacked, metric, PROGRAMS_SINGLE, PROGRAMS)} more than three samples" in of_programs
    covered, changed = thousandths([records.value(PROGRAMS, "coverage")]), change(unpacked, "coverage", PROGRAMS)
    assert f"Coverage is {covered}, not shown to have changed, {changed}." in of_programs


def test_tokens_and_what_the_single_model_thinks(records: Archives, of_questions: str, of_programs: str):
    ours, single = (f"{records.value(run, 'tokens'):.0f}" for run in (QUESTIONS, QUESTIONS_SINGLE))
    assert f"Three answers take {ours} tokens, RLVR-single's {single}." in of_questions
    texts = records.told[QUESTIONS_SINGLE[0]].texts(QUESTIONS_SINGLE[1])
    assert {text.partition("</think>")[0].split(">")[-1].strip() for text in texts} == {"your reasoning"}
    ours, single = (f"{records.value(run, 'tokens'):.0f}" for run in (PROGRAMS, PROGRAMS_SINGLE))
    assert f"Three programs take {ours} tokens, three samples of RLVR-single {single}." in of_programs


def test_part_of_the_rise_is_memory(unpacked: dict[str, Path], records: Archives, of_programs: str):
    remembered, new = covered_at_the_end(unpacked, [PROGRAMS], 0), records.value(PROGRAMS, "coverage")
    assert f"in the last 20 steps the coverage of sets is {remembered:.2f}, and {new:.2f} on new" in of_programs
