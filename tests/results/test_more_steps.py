"""DDXPlus with 240 steps instead of 160: what the pages say of the records."""

from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import signed_span
from results.differences import difference
from results.learning_tables import known_in
from results.readings import full_claims
from results.rebuild import DOCS, HERE
from results.trainings import DDXPLUS_160, DDXPLUS_240, Run, evaluations
from setwise.config import read_recipe
from setwise.records.measured import Estimate
from tests.results.archives import Archives, audited_share
from tests.results.told import listed, percent, prose

SINGLE, SETS, ASKED, PAPERS = map(DDXPLUS_240.of, ("rlvr-single", "rlvr-multi", "rlvr-multi+prompt", "rlcr-multi"))
PATIENTS = 2109
"""To train on."""
VALIDATED = {"pooled/brier": -1, "set/ece": -1, "coverage": 1}
"""By metric: the sign of what is better."""


@pytest.fixture(scope="module")
def notes() -> str:
    return prose(DOCS / "results" / "ddxplus-credit-settings.md")


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "ddxplus-credit.md")


def test_their_recipes_differ_in_their_steps_and_each_patient_comes_up_once(records: Archives, notes: str):
    others = [
        (DDXPLUS_240.of(method), DDXPLUS_160.of(method)) for method in ("rlvr-single", "rlvr-multi", "rlcr-multi")
    ]
    pairs = [pair for longer, shorter in others for pair in zip(longer, shorter, strict=False)]
    assert len(pairs) == 7
    for longer, run in (*zip(DDXPLUS_240.ours, DDXPLUS_160.ours, strict=True), *pairs):
        folders = (records.told[archive].folder / "train" / name for archive, name in (longer, run))
        own, other = (read_recipe(folder / "config.yaml") for folder in folders)
        assert replace(own.optimisation, steps=160) == other.optimisation
        assert (own.generation.prompts_per_step, own.generation.group_size, own.optimisation.steps) == (8, 16, 240)
        assert len(records.log(longer)) == 240
        assert (own.reward, own.run.seed) == (other.reward, other.run.seed)
    assert f"for which {8 * 240:,} of the {PATIENTS:,} patients come up once." in notes


def differences(
    unpacked: dict[str, Path], metric: str, theirs: list[Run] = DDXPLUS_160.ours, end: str = ""
) -> list[Estimate]:
    """Of our trainings with 240 steps from theirs, seed by seed."""
    trainings = ([(archive, f"{run}{end}") for archive, run in runs] for runs in (theirs, DDXPLUS_240.ours))
    pairs = zip(*(evaluations(unpacked, runs) for runs in trainings), strict=True)
    return [difference(metric, *pair) for pair in pairs]


def sides(found: list[Estimate]) -> list[int]:
    """Of 0 that each interval is on; 0 if it includes 0."""
    return [((each.low or 0) > 0) - ((each.high or 0) < 0) for each in found]


def signed(found: list[Estimate]) -> str:
    return listed([f"{each.value:+.3f}" for each in found])


@pytest.mark.slow
def test_what_changes_with_the_steps(unpacked: dict[str, Path], records: Archives, notes: str):
    metrics = "pooled/brier", "pass_at_1", "coverage"
    brier, first, covered = (differences(unpacked, metric) for metric in metrics)
    over = [records.difference_span(DDXPLUS_160.ours, metric, DDXPLUS_240.ours) for metric in metrics]
    assert (sides(brier), sides(first), sides(covered)) == ([-1, -1, 0], [-1, 1, 1], [0, 1, 1])
    falls = listed([f"{abs(each.value):.3f}" for each in brier])
    assert f"falls by {falls}, over trainings a difference of {over[0]}." in notes
    assert f"first answers differ by {signed(first)}, over trainings by {over[1]}," in notes
    assert f"coverage by {signed(covered)}, over trainings by {over[2]}." in notes


@pytest.mark.slow
def test_what_changes_on_validation_patients(unpacked: dict[str, Path], records: Archives, notes: str):
    found = {metric: sides(differences(unpacked, metric, end="-validation")) for metric in VALIDATED}
    assert found == {"pooled/brier": [-1, -1, 0], "set/ece": [-1, -1, 0], "coverage": [0, 1, 1]}
    assert sides(differences(unpacked, "pass_at_1", end="-validation")) == [-1, 1, 1]
    longer, before = (f"{records.validated(runs[0], 'pass_at_1'):.3f}" for runs in (DDXPLUS_240.ours, DDXPLUS_160.ours))
    assert f"and worse with seed 0, {longer} instead of {before}." in notes


def test_what_confidences_know_is_told(records: Archives, notes: str, page: str):
    known = records.known(DDXPLUS_240.ours)
    assert f"in the same place in {known} of pairs, after 160 steps in {records.known(DDXPLUS_160.ours)}." in notes
    sets = listed([percent(records.value(run, "set/auroc")) for run in DDXPLUS_240.ours])
    assert f"in {known} of pairs, and a set with a right answer a higher claim than one without in {sets}." in page
    assert all(records.of(run, "pooled/brier_skill")["low"] > 0.4 for run in DDXPLUS_240.ours)
    spans, constants = (
        listed([records.span(run, "pooled/brier") for run in DDXPLUS_240.ours]),
        records.values(DDXPLUS_240.ours, "pooled/brier_base_rate"),
    )
    assert f"of all answers are {spans}. The best constants have {constants}." in page


def test_the_papers_credit_knows_less_and_is_worse_than_a_constant(records: Archives, page: str):
    [papers] = PAPERS
    assert records.of(papers, "pooled/brier_skill")["high"] < 0
    brier, constant = (f"{records.value(papers, f'pooled/{name}'):.3f}" for name in ("brier", "brier_base_rate"))
    told = f"{records.known(PAPERS)} of pairs, and a Brier score of {brier} where its constant has {constant}."
    assert f"**With the paper's credit, one training knows less:** {told}" in page
    claims = [claim for claim, _ in full_claims(records.folder(papers))]
    assert fmean({*claim} <= {0.3, 0.6} for claim in claims) > 0.9
    assert fmean(claim[0] == 0.3 for claim in claims) > 0.99


def test_its_confidences_begin_to_know_something_late_while_first_answers_get_worse(records: Archives, page: str):
    [papers] = PAPERS
    log, alarms = records.log(papers), records.told[papers[0]].alarms()
    collapsed, uninformed = (
        alarms[papers[1], name] for name in ("confidence_collapse", "confidences_without_information")
    )
    assert f"alike until step 70 (`confidence_collapse` rang at step {collapsed})," in page
    assert f"differed between places alone (`confidences_without_information` rang at step {uninformed})," in page
    spread = [step["confidence/std"] for step in log]
    assert fmean(spread[60:70]) < 0.03 < fmean(spread[70:80])
    assert known_in(log, range(81, 161)) < 0.52
    later = [f"{known_in(log, window):.2f}" for window in (range(181, 201), range(221, 241))]
    assert "after step 200: AUROC within places is {} in steps 181 to 200 and {} in the last 20.".format(*later) in page
    before, last = (percent(fmean(step["pass_at_1"] for step in steps)) for steps in (log[160:180], log[220:]))
    assert f"from {before} right in steps 161 to 180 to {last} in the last 20" in page


@pytest.mark.parametrize(("metric", "sign"), VALIDATED.items())
def test_they_are_better_on_validation_patients_with_every_seed(records: Archives, metric: str, sign: int):
    for longer, run in zip(DDXPLUS_240.ours, DDXPLUS_160.ours, strict=True):
        assert sign * (records.validated(longer, metric) - records.validated(run, metric)) > 0


@pytest.mark.slow
def test_set_ece_is_below_rlvr_multis_with_every_seed(unpacked: dict[str, Path], records: Archives, page: str):
    assert sides(differences(unpacked, "set/ece", ASKED)) == [-1, -1, -1]
    ours, theirs = (records.values(runs, "set/ece") for runs in (DDXPLUS_240.ours, ASKED))
    over = records.difference_span(ASKED, "set/ece", DDXPLUS_240.ours)
    assert f"set ECE {ours} against {theirs}. Each interval of the difference is below 0; over" in page
    assert f"over trainings it is {over}, so three trainings do not show it." in page


@pytest.mark.slow
def test_coverage_is_above_rlvr_multis_with_every_seed(unpacked: dict[str, Path], records: Archives, page: str):
    assert sides(differences(unpacked, "coverage", SETS)) == [1, 1, 1]
    ours, theirs = (records.values(runs, "coverage") for runs in (DDXPLUS_240.ours, SETS))
    over = records.difference_span(SETS, "coverage", DDXPLUS_240.ours)
    assert f"with every seed:** {ours} against {theirs}. Each interval of the difference is above 0; over" in page
    assert f"over trainings it is {over}, which does not show it either." in page


BESIDE = (
    ("coverage", 3, "RLVR-multi", SETS),
    ("pass_at_1", 3, "RLVR-single", SINGLE),
    ("set/ece", 3, "RLVR-multi, asked", ASKED),
    ("tokens", 0, "RLVR-single", SINGLE),
)
"""In the README's table: the metric, its decimals, and whose numbers are beside those of these trainings."""


def test_the_readme_tables_them(records: Archives):
    readme = prose(HERE.parent / "README.md")
    for metric, digits, name, theirs in BESIDE:
        told = [
            ", ".join(f"{records.value(run, metric):.{digits}f}" for run in runs) for runs in (DDXPLUS_240.ours, theirs)
        ]
        assert f"| {told[0]} | {name}: {told[1]} |" in readme


@pytest.mark.slow
def test_three_seeds_show_none_of_these_differences(records: Archives):
    assert "Three seeds are too few to show any of these differences." in prose(HERE.parent / "README.md")
    for metric, _, _, theirs in BESIDE:
        _, low, high = records.difference(theirs, metric, DDXPLUS_240.ours)
        assert low < 0 < high


@pytest.mark.slow
def test_that_confidences_are_better_is_shown_over_trainings(records: Archives, page: str):
    value, low, high = records.difference(ASKED, "pooled/brier", DDXPLUS_240.ours)
    assert high < 0
    span = signed_span(value, low, high)
    assert f"Over trainings the difference from RLVR-multi's, asked for confidences, is {span}." in page
    assert f"a lower Brier score than that of RLVR-multi, asked: {span}." in prose(HERE.parent / "README.md")
    assert f"They do show a lower Brier score than RLVR-multi's, {span}." in prose(DOCS / "results" / "overview.md")


@pytest.mark.slow
def test_first_answers_beside_single_ones(unpacked: dict[str, Path], records: Archives, page: str):
    assert sides(differences(unpacked, "pass_at_1", SINGLE)) == [0, 1, 1]
    own, single = (records.shares(runs, "pass_at_1") for runs in (DDXPLUS_240.ours, SINGLE))
    assert f"is right for {own} of patients, RLVR-single's for {single}: about as often with seed 0" in page
    first = records.difference_span(SINGLE, "pass_at_1", DDXPLUS_240.ours)
    assert f"with the other two. Over trainings the difference is {first}." in page


@pytest.mark.slow
def test_that_more_steps_help_the_other_methods_is_not_shown(records: Archives, page: str):
    spans = []
    for method, metric in (("rlvr-single", "pass_at_1"), ("rlvr-multi", "coverage"), ("rlvr-multi+prompt", "set/ece")):
        value, low, high = records.difference(DDXPLUS_160.of(method), metric, DDXPLUS_240.of(method))
        assert low < 0 < high
        spans.append(signed_span(value, low, high))
    first, covered, claimed = spans
    assert f"RLVR-single's first answers change by {first}, RLVR-multi's coverage by {covered}" in page
    assert f"and its set ECE by {claimed}." in page


def test_tokens_are_told(records: Archives, page: str):
    ours, theirs = map(records.tokens, (DDXPLUS_240.ours, SINGLE))
    words = [records.told[archive].words_of_thought(run) for archive, run in SINGLE]
    assert f"take {ours} tokens, three samples of RLVR-single {theirs}: it thinks for {listed(words)} words." in page


def test_the_thinking_becomes_a_formula(records: Archives, notes: str):
    found = listed([audited_share(run, "template_thinking", 1) for run in DDXPLUS_240.ours])
    rang = listed([str(records.told[archive].alarms()[run, "one_thought"]) for archive, run in DDXPLUS_240.ours])
    assert f"one of a few thoughts in {found} of the completions" in notes
    assert f"`one_thought` rang at steps {rang}." in notes


def test_what_confidences_know_still_rises_a_little(records: Archives, notes: str):
    windows = range(161, 181), range(221, 241)
    before, last = ([known_in(records.log(run), window) for run in DDXPLUS_240.ours] for window in windows)
    assert all(later > earlier for earlier, later in zip(before, last, strict=True))
    said = [listed([f"{known:.2f}" for known in each]) for each in (before, last)]
    assert f"was {said[0]} in steps 161 to 180 and {said[1]} in the last 20." in notes
    assert fmean(last) > fmean(before) + 0.05


def test_one_training_stumbles(records: Archives, notes: str):
    late = {seed: records.log(run)[100:] for seed, run in enumerate(DDXPLUS_240.ours)}
    broken = {(seed, int(step["step"])): 1 - step["strictly_valid"] for seed, log in late.items() for step in log}
    stumble = [broken.pop((2, step)) for step in (161, 162, 163)]
    said = listed([percent(share) for share in stumble])
    assert f"With seed 2, {said} of the completions broke the format in steps 161 to 163," in notes
    assert f"In all other steps from 101 on it is at most {percent(max(broken.values()))}." in notes
    unread = sum(step["parse/bad_confidence"] for step in late[2] if step["step"] in (161, 162, 163))
    assert 0.95 < unread / sum(stumble) <= 1, "nearly all"
