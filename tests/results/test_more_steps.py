"""DDXPlus with credit per answer and 240 steps instead of 160: what the pages say of the records."""

from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from results.differences import difference
from results.learning_tables import known_in
from results.rebuild import DOCS
from results.trainings import DDXPLUS, LONGER, evaluations
from setwise.config import read_recipe
from setwise.records.measured import Estimate
from tests.results.archives import Archives, audited_share
from tests.results.told import listed, percent, prose

SINGLE, SETS, ASKED = map(DDXPLUS.of, ("rlvr-single", "rlvr-multi", "rlvr-multi+prompt"))
PATIENTS = 2109
"""To train on."""
VALIDATED = {"pooled/brier": -1, "set/ece": -1, "coverage": 1}
"""By metric: the sign of what is better."""


@pytest.fixture(scope="module")
def notes() -> str:
    return prose(DOCS / "results" / "ddxplus-credit-settings.md")


def test_their_recipes_differ_in_their_steps_and_each_patient_comes_up_once(records: Archives, notes: str):
    for longer, run in zip(LONGER, DDXPLUS.ours, strict=True):
        folders = (records.told[archive].folder / "train" / name for archive, name in (longer, run))
        own, other = (read_recipe(folder / "config.yaml") for folder in folders)
        assert replace(own.optimisation, steps=160) == other.optimisation
        assert (own.generation.prompts_per_step, own.generation.group_size, own.optimisation.steps) == (8, 16, 240)
        assert len(records.log(longer)) == 240
        assert (own.reward, own.run.seed) == (other.reward, other.run.seed)
    assert f"for which {8 * 240:,} of the {PATIENTS:,} patients come up once." in notes


def changes(unpacked: dict[str, Path], metric: str, end: str = "") -> list[Estimate]:
    """From 160 to 240 steps, seed by seed."""
    trainings = ([(archive, f"{run}{end}") for archive, run in runs] for runs in (DDXPLUS.ours, LONGER))
    return [
        difference(metric, *pair) for pair in zip(*(evaluations(unpacked, runs) for runs in trainings), strict=True)
    ]


def sides(found: list[Estimate]) -> list[int]:
    """Of 0 that each interval is on; 0 if it includes 0."""
    return [((each.low or 0) > 0) - ((each.high or 0) < 0) for each in found]


def signed(found: list[Estimate]) -> str:
    return listed([f"{each.value:+.3f}" for each in found])


@pytest.mark.slow
def test_what_changes_with_the_steps(unpacked: dict[str, Path], records: Archives, notes: str):
    metrics = "pooled/brier", "pass_at_1", "coverage"
    brier, first, covered = (changes(unpacked, metric) for metric in metrics)
    over = [records.difference_span(DDXPLUS.ours, metric, LONGER) for metric in metrics]
    assert (sides(brier), sides(first), sides(covered)) == ([-1, -1, 0], [-1, 1, 1], [0, 1, 1])
    falls = listed([f"{abs(each.value):.3f}" for each in brier])
    assert f"falls by {falls}, over trainings a difference of {over[0]}." in notes
    assert f"first answers differ by {signed(first)}, over trainings by {over[1]}," in notes
    assert f"coverage by {signed(covered)}, over trainings by {over[2]}." in notes


@pytest.mark.slow
def test_what_changes_on_validation_patients(unpacked: dict[str, Path], records: Archives, notes: str):
    found = {metric: sides(changes(unpacked, metric, "-validation")) for metric in VALIDATED}
    assert found == {"pooled/brier": [-1, -1, 0], "set/ece": [-1, -1, 0], "coverage": [0, 1, 1]}
    assert sides(changes(unpacked, "pass_at_1", "-validation")) == [-1, 1, 1]
    longer, before = (f"{records.validated(runs[0], 'pass_at_1'):.3f}" for runs in (LONGER, DDXPLUS.ours))
    assert f"and worse with seed 0, {longer} instead of {before}." in notes


def test_what_confidences_know_is_told(records: Archives, notes: str):
    known = records.known(LONGER)
    assert f"in the same place in {known} of pairs, after 160 steps in {records.known(DDXPLUS.ours)}." in notes
    assert f"in {known} of pairs, set ECE is" in prose(DOCS / "results" / "ddxplus-credit.md")
    assert f"it is {known}. Set ECE is below" in prose(DOCS / "results" / "overview.md")
    assert all(records.of(run, "pooled/brier_skill")["low"] > 0.4 for run in LONGER)


@pytest.mark.parametrize(("metric", "sign"), VALIDATED.items())
def test_they_are_better_on_validation_patients_with_every_seed(records: Archives, metric: str, sign: int):
    for longer, run in zip(LONGER, DDXPLUS.ours, strict=True):
        assert sign * (records.validated(longer, metric) - records.validated(run, metric)) > 0


@pytest.mark.slow
def test_set_ece_is_below_rlvr_multis(unpacked: dict[str, Path], records: Archives, notes: str):
    ours, theirs = (records.values(runs, "set/ece") for runs in (LONGER, ASKED))
    assert f"{ours}, where RLVR-multi has {theirs}." in notes
    pairs = zip(evaluations(unpacked, ASKED), evaluations(unpacked, LONGER), strict=True)
    found = [difference("set/ece", *pair) for pair in pairs]
    assert all(each.value < 0 for each in found)
    assert [(each.high or 0) > 0 for each in found] == [True, True, False], "within chance with seeds 0 and 1"
    assert f"over trainings it is {records.difference_span(ASKED, 'set/ece', LONGER)}." in notes


@pytest.mark.slow
def test_first_answers_and_coverage_beside_the_other_methods(records: Archives, notes: str):
    for metric, theirs in (("pass_at_1", SINGLE), ("coverage", SETS)):
        pairs = zip(LONGER, theirs, strict=True)
        assert all(records.value(ours, metric) > records.value(other, metric) for ours, other in pairs)
    own, single = (records.shares(runs, "pass_at_1") for runs in (LONGER, SINGLE))
    first = records.difference_span(SINGLE, "pass_at_1", LONGER)
    assert f"{own}, RLVR-single's {single}, over trainings a difference of {first}." in notes
    ours, theirs = (records.values(runs, "coverage") for runs in (LONGER, SETS))
    covered = records.difference_span(SETS, "coverage", LONGER)
    assert f"{ours} against {theirs}, a difference of {covered}." in notes
    page = prose(DOCS / "results" / "ddxplus-credit.md")
    assert f"set ECE is {records.values(LONGER, 'set/ece')}, {own} of first answers" in page
    assert f"right, and coverage is {ours}." in page


def test_the_thinking_becomes_a_formula(records: Archives, notes: str):
    found = listed([audited_share(run, "template_thinking", 1) for run in LONGER])
    rang = listed([str(records.told[archive].alarms()[run, "one_thought"]) for archive, run in LONGER])
    assert f"one of a few thoughts in {found} of the completions" in notes
    assert f"`one_thought` rang at steps {rang}." in notes


def test_what_confidences_know_still_rises_a_little(records: Archives, notes: str):
    windows = range(161, 181), range(221, 241)
    before, last = ([known_in(records.log(run), window) for run in LONGER] for window in windows)
    assert all(later > earlier for earlier, later in zip(before, last, strict=True))
    said = [listed([f"{known:.2f}" for known in each]) for each in (before, last)]
    assert f"was {said[0]} in steps 161 to 180 and {said[1]} in the last 20." in notes
    assert fmean(last) > fmean(before) + 0.05


def test_one_training_stumbles(records: Archives, notes: str):
    late = {seed: records.log(run)[100:] for seed, run in enumerate(LONGER)}
    broken = {(seed, int(step["step"])): 1 - step["strictly_valid"] for seed, log in late.items() for step in log}
    stumble = [broken.pop((2, step)) for step in (161, 162, 163)]
    said = listed([percent(share) for share in stumble])
    assert f"With seed 2, {said} of the completions broke the format in steps 161 to 163," in notes
    assert f"In all other steps from 101 on it is at most {percent(max(broken.values()))}." in notes
    unread = sum(step["parse/bad_confidence"] for step in late[2] if step["step"] in (161, 162, 163))
    assert 0.95 < unread / sum(stumble) <= 1, "nearly all"
