"""Credit per answer on programs: what the page says of the records."""

import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import estimate_span, signed_span
from results.differences import difference
from results.failure_tables import by_place
from results.learning_tables import covered_at_the_end
from results.readings import full_claims, metrics_of
from results.rebuild import DOCS, HERE
from results.trainings import DDXPLUS_160, MBPP, PROGRAMS_BRIER, evaluations
from setwise.config import read_recipe
from tests.results.archives import Archives
from tests.results.told import Told, higher_within, listed, percent, prose

OURS = MBPP.ours
SINGLE, SETS, ASKED, PAPERS = map(MBPP.of, ("rlvr-single", "rlvr-multi", "rlvr-multi+prompt", "rlcr-multi"))
SKILL = "pooled/brier_skill"
PROBLEMS = 374
"""To train on."""


@pytest.fixture(scope="module")
def told(unpacked: dict[str, Path]) -> Told:
    return Told(unpacked[MBPP.papers])


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "mbpp-credit.md")


def test_confidences_know_which_programs_are_right_and_the_papers_do_not(
    unpacked: dict[str, Path], records: Archives, page: str
):
    ours, papers = ([records.of(run, SKILL) for run in runs] for runs in (OURS, PAPERS))
    assert all(skill["low"] > 0 for skill in ours)
    assert all(skill["high"] < 0 for skill in papers)
    own, theirs = (listed([signed_span(**skill) for skill in skills]) for skills in (ours, papers))
    assert f"than a wrong one in {records.known(OURS)} of pairs" in page
    assert f"than the best constants': skill {own}. With the paper's credit they know nothing:" in page
    assert f"right ones are higher in {records.known(PAPERS)} of pairs, and the skills are {theirs}." in page
    first, second = ([claim for claim, _ in full_claims(run)] for run in evaluations(unpacked, PAPERS))
    usual = percent(fmean(claim in ((0.6, 0.5, 0.7), (0.7, 0.6, 0.5)) for claim in first))
    thirds = percent(second.count((0.33,) * 3) / len(second))
    assert f"states 0.6, 0.5, 0.7 or 0.7, 0.6, 0.5 in {usual} of its sets, with seed 1" in page
    assert f"[0.33 three times](open-failures.md) in {thirds}." in page


def test_most_of_it_is_knowing_which_problems_are_easy(unpacked: dict[str, Path], page: str):
    ours, papers = (
        listed([percent(higher_within(by_problem_and_place(run))) for run in evaluations(unpacked, runs)])
        for runs in (OURS, PAPERS)
    )
    assert f"the right one has the higher confidence in {ours} of pairs; with the paper's credit in {papers}." in page


def by_problem_and_place(run: Path) -> Iterator[tuple[tuple[str, int], float, bool]]:
    for claim, attempt in full_claims(run):
        for place, (confidence, right) in enumerate(zip(claim, attempt.correct, strict=True)):
            yield (attempt.problem, place), confidence, right


def test_they_are_too_high(unpacked: dict[str, Path], told: Told, page: str):
    places = [[fmean(values) for values in zip(*by_place(run), strict=True)] for run in evaluations(unpacked, OURS)]
    assert all(claimed > right for claimed, right in places)
    claimed, right = (listed([f"{each:.2f}" for each in values]) for values in zip(*places, strict=True))
    assert f"{claimed} on average, where {right} are right." in page
    logs = [told.log(run) for _, run in OURS]
    stated, covered = (
        listed([f"{fmean(step[name] for step in log[-40:]):.2f}" for log in logs])
        for name in ("confidence/mean", "coverage")
    )
    assert f"of training the means were {stated}, where {covered} were right." in page
    recipe = read_recipe(told.folder / "train" / OURS[0][1] / "config.yaml")
    seen = [steps * recipe.generation.prompts_per_step / PROBLEMS for steps in (len(logs[0]) - 40, len(logs[0]))]
    assert 1 < seen[0] < 2 < seen[1] < 3, "once or twice before"


@pytest.mark.slow
def test_what_the_page_says_of_answers(unpacked: dict[str, Path], records: Archives, page: str):
    ours, single = (records.shares(runs, "pass_at_1") for runs in (OURS, SINGLE))
    first = records.difference_span(SINGLE, "pass_at_1", OURS)
    assert f"{ours} are right, RLVR-single's {single}, over trainings a difference of {first}." in page
    times = records.value(OURS[1], "pass_at_1") / records.value(SINGLE[1], "pass_at_1")
    missed = estimate_span(difference("pass_at_1", *evaluations(unpacked, [SINGLE[1], OURS[1]])))
    assert f"With seed 1 it is {missed}, {times:.2f} times as many," in page
    assert f"miss theirs with seed 1, by a difference of {missed}." in prose(DOCS / "results" / "overview.md")
    covered = [records.values(runs, "coverage") for runs in (OURS, SETS, PAPERS, SINGLE)]
    below = [records.difference_span(runs, "coverage", OURS) for runs in (SETS, PAPERS)]
    assert f"{covered[0]} against {covered[1]}, over trainings a difference of {below[0]}; nor from that" in page
    assert f"with the paper's credit, {covered[2]}, a difference of {below[1]}." in page
    assert f"Three samples of RLVR-single have {covered[3]}." in page
    tokens = [*map(records.tokens, (OURS, SINGLE, SETS, PAPERS))]
    assert f"take {tokens[0]} tokens, three samples of RLVR-single {tokens[1]}.** RLVR-multi takes {tokens[2]}," in page
    assert f"RLCR-multi with the paper's credit {tokens[3]}." in page


def test_sets_hold_more_right_programs_than_samples(records: Archives, page: str):
    counted = [
        [records.value(run, "distinct_correct/canonical") for run in runs] for runs in (OURS, SETS, PAPERS, SINGLE)
    ]
    ours, sets, papers, single = (listed([f"{each:.2f}" for each in values]) for values in counted)
    assert f"a set per answer holds {ours} different right programs, RLVR-multi's {sets}," in page
    assert f"with the paper's credit {papers}, and three samples of RLVR-single {single}." in page
    *of_sets, of_samples = counted
    assert min(min(values) for values in of_sets) > max(of_samples)


def test_repeated_programs_differ_more_between_trainings_than_between_methods(told: Told, records: Archives, page: str):
    kept = [[records.value(run, "uniqueness/canonical") for run in runs] for runs in (OURS, SETS, PAPERS)]
    means = [fmean(values) for values in kept]
    assert min(abs(first - second) for first, second in kept) > max(means) - min(means)
    assert all("sign/same_program" not in step for _, run in (OURS[0], SETS[0], PAPERS[0]) for step in told.log(run))
    alarms = told.alarms()
    others, vpo = "rlvr-multi-per-answer-seed0", "rlvr-multi-vpo-seed0"
    rang = [alarms[run, "same_program"] for run in (OURS[1][1], SETS[1][1], PAPERS[1][1], others)]
    assert (
        f"rang in four of the five with 120 steps that had it, at steps {listed([*map(str, rang)])}, and not with VPO."
        in page
    )
    assert (vpo, "same_program") not in alarms
    assert "sign/same_program" in told.log(vpo)[0]


def test_programs_of_a_set_are_right_together(unpacked: dict[str, Path], records: Archives, page: str):
    ours, asked, papers = (records.values(runs, "set/ece") for runs in (OURS, ASKED, PAPERS))
    assert f"set ECE {ours}, and {asked} for RLVR-multi asked for confidences." in page
    right = [[sum(attempt.correct) for _, attempt in full_claims(run)] for run in evaluations(unpacked, OURS)]
    none, all_three = (listed([percent(counts.count(count) / len(counts)) for counts in right]) for count in (0, 3))
    assert f"but {none} of the sets hold no right program and {all_three} three." in page
    assert f"RLCR-multi with the paper's credit has {papers}." in page
    [_, thirds] = map(metrics_of, evaluations(unpacked, PAPERS))
    claim, held = f"{1 - (1 - 0.33) ** 3:.2f}", percent(thirds["pass_at_k"].value)
    assert f"three times 0.33 claims {claim}, {held} of the sets hold a right program" in page


def test_the_score_was_chosen_on_validation_problems(told: Told, records: Archives, page: str):
    runs = [f"{run}-validation" for _, run in (OURS[0], PROGRAMS_BRIER)]
    skills = [told.of(run, SKILL) for run in runs]
    log, brier = (f"{each['value']:+.3f}" for each in skills)
    knows = [records.known([(MBPP.per_answer, run)]) for run in runs]
    assert f"higher skill, {log} against {brier}, and knows more: {knows[0]} of pairs within places against" in page
    assert f"{knows[1]}. So the recipe has it." in page
    spans = listed([f"[{each['low']:+.3f}, {each['high']:+.3f}]" for each in skills])
    assert f"the intervals are {spans}." in page
    recipe = read_recipe(HERE.parent / "recipes" / "small" / "mbpp" / "rlcr-multi-per-answer.yaml")
    assert recipe.optimisation == read_recipe(told.folder / "train" / OURS[0][1] / "config.yaml").optimisation


def test_the_brier_score_made_confidences_long(unpacked: dict[str, Path], told: Told, page: str):
    _, run = PROGRAMS_BRIER
    stated = [q for claim, _ in full_claims(told.folder / "eval" / run) for q in claim]
    share = percent(fmean(len(str(q).partition(".")[2]) > 4 for q in stated))
    tokens = f"{told.value(run, 'tokens'):.0f}"
    assert f"sets take {tokens} tokens, in part because {share} of their confidences have more than four dec" in page
    assert stated.count(4 / 9) > 100


def test_the_logs_still_rise(unpacked: dict[str, Path], records: Archives, page: str):
    rising = [covered_at_the_end(unpacked, MBPP.of("rlvr-multi"), window) for window in (3, 2, 1, 0)]
    assert all(0.03 < later - earlier < 0.08 for earlier, later in pairwise(rising))
    new = [f"{records.value(run, 'coverage'):.2f}" for run in MBPP.of("rlvr-multi")]
    assert f"RLVR-multi's is {rising[-1]:.2f} in the last 20 steps, and {listed(new)} on new problems." in page
    once, twice = (math.ceil(times * PROBLEMS / 8) for times in (1, 2))
    assert f"Each problem had come up once by step {once} and twice by step {twice}" in page


def test_on_patients_they_do_not(unpacked: dict[str, Path]):
    for runs in (*map(DDXPLUS_160.of, ("rlvr-single", "rlvr-multi", "rlcr-multi")), DDXPLUS_160.ours):
        windows = [covered_at_the_end(unpacked, runs, window) for window in (3, 2, 1, 0)]
        assert max(windows) - min(windows) < 0.035
