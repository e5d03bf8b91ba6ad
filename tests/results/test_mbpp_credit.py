"""Credit per answer on programs: what the page says of the records."""

from collections import defaultdict
from itertools import product
from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import estimate_span, signed_span
from results.claims import difference
from results.failure_tables import by_place
from results.rebuild import DOCS, HERE
from results.trainings import MBPP, PROGRAMS_BRIER, Run, evaluations, full_claims, within_places
from setwise.config import read_recipe
from tests.results.told import Told, listed, percent, prose

METHODS = ("rlvr-single", "rlvr-multi", "rlvr-multi+prompt", "rlcr-multi")
[OURS], [SINGLE], [SETS], [ASKED], [PAPERS] = MBPP.ours, *map(MBPP.of, METHODS)
SKILL = "pooled/brier_skill"
PROBLEMS = 374
"""To train on."""


@pytest.fixture(scope="module")
def told(unpacked: dict[str, Path]) -> Told:
    return Told(unpacked[MBPP.papers])


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "mbpp-credit.md")


def known(unpacked: dict[str, Path], *runs: Run) -> list[str]:
    return [percent(within_places(run) or 0) for run in evaluations(unpacked, runs)]


def differing(unpacked: dict[str, Path], other: Run, metric: str) -> str:
    return estimate_span(difference(metric, *evaluations(unpacked, [other, OURS])).value)


def test_confidences_know_which_programs_are_right_and_the_papers_do_not(
    unpacked: dict[str, Path], told: Told, page: str
):
    own, papers = known(unpacked, OURS, PAPERS)
    skills = [told.of(run, SKILL) for _, run in (OURS, PAPERS)]
    assert skills[0]["low"] > 0 > skills[1]["high"]
    assert f"a wrong one in {own} of pairs" in page
    assert f"than the best constant's: skill {signed_span(**skills[0])}." in page
    assert f"right ones are higher in {papers} of pairs, and the skill is {signed_span(**skills[1])}." in page
    [run] = evaluations(unpacked, [PAPERS])
    stated = [claim for claim, _ in full_claims(run)]
    share = fmean(claim in ((0.6, 0.5, 0.7), (0.7, 0.6, 0.5)) for claim in stated)
    assert f"states 0.6, 0.5, 0.7 or 0.7, 0.6, 0.5 in {percent(share)} of its sets" in page


def test_most_of_it_is_knowing_which_problems_are_easy(unpacked: dict[str, Path], page: str):
    ours, papers = (percent(higher_for_the_same_problem(run)) for run in evaluations(unpacked, [OURS, PAPERS]))
    assert f"the right one has the higher confidence in {ours} of pairs; with the paper's credit in {papers}." in page


def higher_for_the_same_problem(run: Path) -> float:
    """Of the pairs of a right and a wrong program for one problem, in one place: in how many the right one has the
    higher confidence, half of ties."""
    stated: dict[tuple[str, int], dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for claim, attempt in full_claims(run):
        for place, (confidence, right) in enumerate(zip(claim, attempt.correct, strict=True)):
            stated[attempt.problem, place][right].append(confidence)
    pairs = [pair for own in stated.values() for pair in product(own[True], own[False])]
    return fmean((right > wrong) + (right == wrong) / 2 for right, wrong in pairs)


def test_they_are_too_high_and_were_not_in_training(unpacked: dict[str, Path], told: Told, page: str):
    [run] = evaluations(unpacked, [OURS])
    claimed, right = zip(*by_place(run), strict=True)
    means = [listed([f"{each:.2f}" for each in values]) for values in (claimed, right)]
    assert f"{means[0]} on average by place, where {means[1]} are right." in page
    log = told.log(OURS[1])
    stated, covered = (fmean(step[name] for step in log[-40:]) for name in ("confidence/mean", "coverage"))
    assert f"Over the last forty steps of training the mean was {stated:.2f}, where {covered:.2f} were right." in page
    recipe = read_recipe(told.folder / "train" / OURS[1] / "config.yaml")
    seen = [steps * recipe.generation.prompts_per_step / PROBLEMS for steps in (len(log) - 40, len(log))]
    assert 1 < seen[0] < 2 < seen[1] < 3, "once or twice before"


@pytest.mark.slow
def test_what_the_page_says_of_answers(unpacked: dict[str, Path], told: Told, page: str):
    ours, single = (percent(told.value(run, "pass_at_1"), 1) for _, run in (OURS, SINGLE))
    first = differing(unpacked, SINGLE, "pass_at_1")
    assert f"{ours} are right, RLVR-single's {single}, a difference of {first}." in page
    covered = [f"{told.value(run, 'coverage'):.3f}" for _, run in (OURS, SETS, PAPERS, SINGLE)]
    below = [differing(unpacked, run, "coverage") for run in (SETS, PAPERS)]
    assert f"{covered[0]} against {covered[2]}, a difference of {below[1]}, and not shown to differ" in page
    assert f"RLVR-multi's {covered[1]}, a difference of {below[0]}. Three samples of" in page
    assert f"Three samples of RLVR-single have {covered[3]}." in page
    tokens = [f"{told.value(run, 'tokens'):.0f}" for _, run in (OURS, SINGLE, SETS, PAPERS)]
    assert f"take {tokens[0]} tokens, three samples of RLVR-single {tokens[1]}.** RLVR-multi takes {tokens[2]}," in page
    assert f"RLCR-multi with the paper's credit {tokens[3]}." in page


def test_sets_per_answer_hold_the_most_right_programs(told: Told, page: str):
    ours, sets, papers, single = (told.of(run, "distinct_correct/canonical") for _, run in (OURS, SETS, PAPERS, SINGLE))
    spans = [f"{each['value']:.2f} [{each['low']:.2f}, {each['high']:.2f}]" for each in (ours, sets, papers, single)]
    assert f"holds {spans[0]} different right programs, RLVR-multi's {spans[1]}," in page
    assert f"with the paper's credit {spans[2]}, and three samples of RLVR-single {spans[3]}." in page


def test_programs_of_a_set_are_right_together(unpacked: dict[str, Path], told: Told, page: str):
    eces = [f"{told.value(run, 'set/ece'):.3f}" for _, run in (OURS, ASKED, PAPERS)]
    [run] = evaluations(unpacked, [OURS])
    right = [sum(attempt.correct) for _, attempt in full_claims(run)]
    none, all_three = (percent(right.count(count) / len(right)) for count in (0, 3))
    assert f"set ECE {eces[0]}, {eces[1]} for RLVR-multi asked for confidences, and {eces[2]} for RLCR-multi" in page
    assert f"Here {none} of the sets hold no right program and {all_three} three." in page


def test_the_score_was_chosen_on_validation_problems(unpacked: dict[str, Path], told: Told, page: str):
    runs = [f"{run}-validation" for _, run in (OURS, PROGRAMS_BRIER)]
    skills = [told.of(run, SKILL) for run in runs]
    log, brier = (f"{each['value']:+.3f}" for each in skills)
    knows = known(unpacked, *((MBPP.per_answer, run) for run in runs))
    assert f"higher skill, {log} against {brier}, and knows more: {knows[0]} of pairs within places against" in page
    assert f"{knows[1]}. So the recipe has it." in page
    spans = listed([f"[{each['low']:+.3f}, {each['high']:+.3f}]" for each in skills])
    assert f"the intervals are {spans}." in page
    recipe = read_recipe(HERE.parent / "recipes" / "small" / "mbpp" / "rlcr-multi-per-answer.yaml")
    assert recipe.optimisation == read_recipe(told.folder / "train" / OURS[1] / "config.yaml").optimisation


def test_the_brier_score_made_confidences_long(unpacked: dict[str, Path], told: Told, page: str):
    _, run = PROGRAMS_BRIER
    stated = [q for claim, _ in full_claims(told.folder / "eval" / run) for q in claim]
    share = percent(fmean(len(str(q).partition(".")[2]) > 4 for q in stated))
    tokens = f"{told.value(run, 'tokens'):.0f}"
    assert f"sets take {tokens} tokens, in part because {share} of their confidences have more than four dec" in page
    assert stated.count(4 / 9) > 100
