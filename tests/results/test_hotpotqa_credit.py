"""Credit per answer where one answer is right: what the records must show, and what the page says of them."""

import re
from pathlib import Path

import pytest

from results.blocks import estimate_span, signed_span
from results.collecting import records_in
from results.differences import difference, over_seeds
from results.failure_tables import by_place
from results.learning_tables import WINDOWS, known_in
from results.question_kinds import DOCUMENT, KINDS, MEASURED, RUNS, by_kind, kinds_in, with_table
from results.rebuild import DOCS, HERE
from results.trainings import BRIER_PAID, HOTPOTQA, SINGLE_QUESTIONS, evaluations
from setwise.config import read_recipe
from setwise.records.run import RunFolder
from tests.results.archives import Archives
from tests.results.told import Told, listed, percent, prose
from tests.tasks.made_up import real

OURS = [name for _, name in HOTPOTQA.ours]
ASKED = [name for _, name in HOTPOTQA.of("rlvr-multi+prompt")]
SETS = [name for _, name in HOTPOTQA.of("rlvr-multi")]
SINGLES = [name for _, name in HOTPOTQA.of("rlvr-single")]
PAPERS, STUCK = [name for _, name in HOTPOTQA.of("rlcr-multi")]
_, ONE_ANSWER = SINGLE_QUESTIONS
_, BRIER = BRIER_PAID
QUESTIONS = 1674
"""To train on (docs/results/published-runs.md)."""
FIRST_CONFIDENCE = re.compile(r"<confidence1>\s*\d*\.(\d+)")


@pytest.fixture(scope="module")
def told(unpacked: dict[str, Path]) -> Told:
    return Told(unpacked[HOTPOTQA.papers])


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "hotpotqa-credit.md")


def values(told: Told, runs: list[str], metric: str, digits: int = 3) -> str:
    return listed([f"{told.value(run, metric):.{digits}f}" for run in runs])


def skill(told: Told, run: str) -> str:
    return signed_span(**told.of(run, "pooled/brier_skill"))


def test_confidences_beat_their_best_constant_in_both_trainings_and_not_with_the_papers_credit(
    unpacked: dict[str, Path], told: Told, records: Archives, page: str
):
    assert all(told.of(run, "pooled/brier_skill")["low"] > 0.1 for run in OURS)
    gains = [percent(told.value(run, "pooled/brier_skill")) for run in OURS]
    assert f"by {listed(gains)}: skill {listed([skill(told, run) for run in OURS])}." in page
    assert f"than a wrong one in {records.known(HOTPOTQA.ours)} of pairs." in page
    assert told.of(PAPERS, "pooled/brier_skill")["high"] < 0
    stated = [attempt.confidences for attempt in RunFolder(told.folder / "eval" / PAPERS).attempts()]
    share = percent(stated.count((0.1, 0.2, 0.1)) / len(stated), 1)
    shorter = skill(Told(unpacked["hotpotqa-seed0"]), "rlcr-multi")
    assert f"states 0.1, 0.2 and 0.1 in {share} of its sets with seed 0, and with seed 1 every confidence is 0." in page
    assert {q for attempt in RunFolder(told.folder / "eval" / STUCK).attempts() for q in attempt.confidences} <= {
        0,
        None,
    }
    assert f"The skills are {skill(told, PAPERS)} and {skill(told, STUCK)};" in page
    assert f"of 16 x 16 the skill was {shorter}." in page
    brier, *logs = (f"{told.value(run, 'pooled/brier_skill'):+.2f}" for run in (BRIER, *OURS))
    credit = prose(DOCS / "concepts" / "credit.md")
    assert f"the Brier skill of all was {brier}." in credit
    assert f"two trainings with as many steps have {listed(logs)}." in credit
    settings = read_recipe(told.folder / "train" / PAPERS / "config.yaml")
    assert (settings.reward.weights.get("calibration", 1), settings.optimisation.calibration_warmup) == (1, 0)
    assert settings.optimisation.confidence_entropy_bonus == 0


def test_mean_confidences_are_close_to_the_share_that_is_right(told: Told, page: str):
    places = [by_place(told.folder / "eval" / run) for run in OURS]
    first, second, third = (
        tuple(listed([f"{each[place][of]:.2f}" for each in places]) for of in (0, 1)) for place in range(3)
    )
    assert f"{first[0]} for first answers, of which {first[1]} are right, " in page
    assert f"{second[0]} for second ones ({second[1]}), {third[0]} for third ones ({third[1]})." in page
    assert all(sum(claimed for claimed, _ in each) < sum(right for _, right in each) for each in places)


def test_confidences_follow_the_kind_of_question(page: str):
    document = DOCUMENT.read_text(encoding="utf-8")
    assert with_table(document) == document
    records = {record["training"]: record for record in records_in(MEASURED)}
    assert list(records) == list(RUNS)
    *logs, brier, papers, stuck, longer = records.values()
    for place, (claimed, right) in enumerate((((2.4, 3.2), (2.7, 3)), ((5, 10), (7, 9)))):
        for of, (low, high) in (("claimed", claimed), ("right", right)):
            ratios = [each["comparison"][of][place] / each["bridge"][of][place] for each in logs]
            assert all(low < ratio < high for ratio in ratios)
    assert all(0.005 < each[kind]["skill"] < 0.03 for each in logs for kind in KINDS)
    assert longer["comparison"]["skill"] < 0 < longer["bridge"]["skill"]
    assert all(each[kind]["skill"] < 0 for each in (brier, papers, stuck) for kind in KINDS)
    assert papers["bridge"]["claimed"] == pytest.approx(papers["comparison"]["claimed"], abs=1e-3)
    assert f"calls {percent(logs[0]['comparison']['share'])} of the questions *comparisons*" in page


def test_kinds_of_question_are_measured_on_the_dataset(unpacked: dict[str, Path]):
    kinds = kinds_in(real("hotpotqa"))
    for record in records_in(MEASURED):
        [run] = evaluations(unpacked, [RUNS[record["training"]]])
        assert by_kind(run, kinds) == {kind: record[kind] for kind in KINDS}


def test_claims_of_sets_are_nearer_to_the_truth_than_rlvr_multis(told: Told, page: str):
    whole, cut = (values(told, ASKED, metric) for metric in ("set/ece", "set/ece_clipped"))
    assert f"set ECE {values(told, OURS, 'set/ece')} against {whole}, or {cut} if sums above 1 are cut" in page
    areas = " against ".join(values(told, runs, "set/auroc") for runs in (OURS, ASKED))
    assert f"AUROC of sets: {areas}." in page


@pytest.mark.slow
def test_what_the_page_says_of_answers(unpacked: dict[str, Path], told: Told, page: str):
    coverages = " against ".join(values(told, runs, "coverage") for runs in (OURS, SETS))
    groups = (evaluations(unpacked, runs) for runs in (HOTPOTQA.of("rlvr-multi"), HOTPOTQA.ours))
    over = estimate_span(over_seeds("coverage", *groups).value)
    assert f"{coverages}, over trainings a difference of {over}." in page
    ours, singles = (listed([percent(told.value(run, "pass_at_1"), 1) for run in runs]) for runs in (OURS, SINGLES))
    groups = (evaluations(unpacked, runs) for runs in (HOTPOTQA.of("rlvr-single"), HOTPOTQA.ours))
    over = estimate_span(over_seeds("pass_at_1", *groups).value)
    assert f"{ours} are right, RLVR-single's {singles}, over trainings a difference of {over}." in page
    assert f"With the Brier score {percent(told.value(BRIER, 'pass_at_1'), 1)} are." in page
    overview = prose(DOCS / "results" / "overview.md")
    assert f"with seed 0, by a difference of {first_minus(unpacked, SINGLES[0], OURS[0])}, and just meet it" in overview
    assert f"take {values(told, OURS, 'tokens', 0)} tokens, RLVR-single's {values(told, SINGLES, 'tokens', 0)}." in page


@pytest.mark.slow
def test_rlcr_single_keeps_its_answers_and_its_confidences_do_not_beat_a_constant(
    unpacked: dict[str, Path], told: Told, page: str
):
    right, single = (told.value(run, "pass_at_1") for run in (ONE_ANSWER, SINGLES[0]))
    differing = first_minus(unpacked, SINGLES[0], ONE_ANSWER)
    assert f"{percent(right, 1)} are right, {right / single:.2f} times as many as" in page
    assert f"a difference of {differing}; three take {told.value(ONE_ANSWER, 'tokens'):.0f} tokens." in page
    rung = told.alarms()[ONE_ANSWER, "confidences_without_information"]
    assert f"`confidences_without_information` rang at step {rung}. It has" in page
    assert f"in {percent(told.value(ONE_ANSWER, 'top1/auroc'))} of pairs, but the Brier score is not" in page
    gained = told.of(ONE_ANSWER, "top1/brier_skill")
    assert f"skill {signed_span(**gained)}." in page
    interval = signed_span(**gained).partition(" ")[2]
    assert f"within chance of 0, {interval}, and" in prose(DOCS / "results" / "rlcr-single.md")
    assert gained["low"] < 0 < gained["value"]


def first_minus(unpacked: dict[str, Path], other: str, run: str) -> str:
    both = evaluations(unpacked, [(HOTPOTQA.papers, other), (HOTPOTQA.per_answer, run)])
    return estimate_span(difference("pass_at_1", *both))


@pytest.mark.slow
def test_the_brier_score_left_confidences_at_0(unpacked: dict[str, Path], told: Told, page: str):
    _, *others = by_place(told.folder / "eval" / BRIER)
    assert [claimed for claimed, _ in others] == [0, 0]
    assert [round(1 / right) for _, right in others] == [10, 37]
    assert f", and its skill is {skill(told, BRIER)}." in page
    assert f"more often than RLVR-single's, {first_minus(unpacked, SINGLES[0], BRIER)}," in page
    assert f"and the same seed, {first_minus(unpacked, OURS[0], BRIER)}." in page


def test_the_brier_score_made_first_confidences_long(told: Told, page: str):
    texts = told.texts(BRIER)
    firsts = [FIRST_CONFIDENCE.search(text) for text in texts]
    decimals = [len(found[1]) for found in firsts if found]
    assert sum(each in (16, 17) for each in decimals) > len(texts) / 2
    assert "made most first ones 16 or 17 decimals long" in page


def test_no_question_comes_twice_in_a_log(told: Told):
    for run in (BRIER, *OURS, PAPERS, STUCK):
        recipe = read_recipe(told.folder / "train" / run / "config.yaml")
        assert len(told.log(run)) * recipe.generation.prompts_per_step < QUESTIONS


def test_confidences_learn_late_with_the_brier_score_and_never_with_the_papers_credit(told: Told):
    runs = (BRIER, *OURS, PAPERS, STUCK)
    _, before, late = ([known_in(told.log(run), window) for run in runs] for window in WINDOWS)
    assert before[0] < 0.6 < 0.68 < late[0]
    assert min(*before[1:3], *late[1:3]) > 0.64
    assert max(*before[3:], *late[3:]) < 0.52


@pytest.mark.parametrize("run", [OURS[0], ONE_ANSWER])
def test_the_recipe_has_the_published_settings(told: Told, run: str):
    told.assert_trained_by(run, HERE.parent / "recipes" / "small" / "hotpotqa" / f"{run.removesuffix('-seed0')}.yaml")
