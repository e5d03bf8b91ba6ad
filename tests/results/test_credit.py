"""Credit per answer on a real model: what the records must show, and what its pages say of them."""

from pathlib import Path
from statistics import mean, stdev

import pytest

from results.blocks import signed_span
from results.claims import over_seeds
from results.credit_settings import FASTER, MORE, TRAININGS, WEIGHT_1, WEIGHT_4, digits_of
from results.rebuild import DOCS, HERE
from results.trainings import DDXPLUS, MORE_PATIENTS, SINGLE, Run, within_places
from setwise.config import read_recipe
from setwise.records.training_log import Step
from setwise.training.watch.alarms import PROGRESS, AlarmBoard
from tests.results.told import Told, listed, percent, prose

WINDOW = 20
WARMED = DDXPLUS.per_answer
SINGLES = DDXPLUS.of("rlvr-single")


class Archives:
    """What the records of several archives say."""

    def __init__(self, folders: dict[str, Path]) -> None:
        self.told = {archive: Told(folder) for archive, folder in folders.items()}

    def of(self, run: Run, metric: str) -> dict[str, float]:
        return self.told[run[0]].of(run[1], metric)

    def value(self, run: Run, metric: str) -> float:
        return self.of(run, metric)["value"]

    def span(self, run: Run, metric: str) -> str:
        found = self.of(run, metric)
        return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"

    def values(self, runs: list[Run], metric: str) -> str:
        return thousandths([self.value(run, metric) for run in runs])

    def difference(self, theirs: list[Run], metric: str) -> tuple[float, float, float]:
        """Of our trainings on DDXPlus from theirs, over seeds and patients, with its interval."""
        found = over_seeds(metric, *([self.folder(run) for run in runs] for runs in (theirs, DDXPLUS.ours))).value
        assert found.low is not None
        assert found.high is not None
        return found.value, found.low, found.high

    def over(self, theirs: list[Run], metric: str) -> str:
        return f"Over trainings the difference is {signed_span(*self.difference(theirs, metric))}"

    def log(self, run: Run) -> list[Step]:
        return self.told[run[0]].log(run[1])

    def folder(self, run: Run) -> Path:
        return self.told[run[0]].folder / "eval" / run[1]

    def validated(self, run: Run, metric: str) -> float:
        return self.value((run[0], f"{run[1]}-validation"), metric)


@pytest.fixture(scope="module")
def records(unpacked: dict[str, Path]) -> Archives:
    return Archives(unpacked)


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "ddxplus-credit.md")


@pytest.fixture(scope="module")
def notes() -> str:
    return prose(DOCS / "results" / "ddxplus-credit-settings.md")


def thousandths(values: list[float]) -> str:
    return listed([f"{value:.3f}" for value in values])


def test_confidences_beat_their_best_constant_in_every_training(records: Archives, page: str):
    assert all(records.of(run, "pooled/brier_skill")["low"] > 0.2 for run in DDXPLUS.ours)
    assert f"are {listed([records.span(run, 'pooled/brier') for run in DDXPLUS.ours])}." in page
    assert f"The best constants have {records.values(DDXPLUS.ours, 'pooled/brier_base_rate')}." in page


@pytest.mark.slow
def test_the_papers_credit_is_not_shown_to_beat_its_constants_and_ours_is_shown_to_beat_it(
    records: Archives, page: str
):
    papers = DDXPLUS.of("rlcr-multi")
    assert all(records.of(run, "pooled/brier_skill")["low"] < 0 for run in papers)
    brier, constant = (records.values(papers, f"pooled/{name}") for name in ("brier", "brier_base_rate"))
    assert (
        f"RLCR-multi has {brier}, where its constants have {constant}. {records.over(papers, 'pooled/brier')}" in page
    )
    assert records.difference(papers, "pooled/brier")[2] < 0


def test_confidences_tell_right_answers_and_sets_from_wrong_ones_in_every_training(records: Archives, page: str):
    assert all(records.of(run, "set/auroc")["low"] > 0.7 for run in DDXPLUS.ours)
    answers, sets = ([records.value(run, f"{of}/auroc") for run in DDXPLUS.ours] for of in ("pooled", "set"))
    assert f"in {listed([percent(each) for each in answers])} of pairs (AUROC {thousandths(answers)})" in page
    assert f"one without in {listed([percent(each) for each in sets])}." in page


@pytest.mark.slow
def test_first_answers_and_coverage_are_not_shown_to_differ(records: Archives, page: str):
    ours, theirs = (
        listed([percent(records.value(run, "pass_at_1"), 1) for run in runs]) for runs in (DDXPLUS.ours, SINGLES)
    )
    first = f"right for {ours} of patients, RLVR-single's for {theirs}. {records.over(SINGLES, 'pass_at_1')}: neither"
    assert first in page
    sets = DDXPLUS.of("rlvr-multi")
    ours, theirs = (records.values(runs, "coverage") for runs in (DDXPLUS.ours, sets))
    assert f"is {ours}, RLVR-multi's {theirs}. {records.over(sets, 'coverage')}" in page
    for runs, metric in ((SINGLES, "pass_at_1"), (sets, "coverage")):
        _, low, high = records.difference(runs, metric)
        assert low < 0 < high


def test_claims_of_sets_are_told(records: Archives, page: str):
    asked, papers = DDXPLUS.of("rlvr-multi+prompt"), DDXPLUS.of("rlcr-multi")
    ours, of_asked, of_papers = (records.values(runs, "set/ece") for runs in (DDXPLUS.ours, asked, papers))
    assert f"set ECE {ours}. RLVR-multi's, asked for confidences, is {of_asked}," in page
    assert f"with the paper's credit {of_papers}. They know less" in page
    areas = [records.values(runs, "set/auroc") for runs in (asked, papers)]
    assert f"(AUROC of sets {areas[0]}, and {areas[1]})" in page
    skill = records.of(DDXPLUS.ours[1], "set/brier_skill")
    assert skill["low"] < 0
    assert f"(Brier skill {signed_span(**skill)})" in page


def test_tokens_are_told(records: Archives, page: str):
    ours, theirs = (listed([f"{records.value(run, 'tokens'):.0f}" for run in runs]) for runs in (DDXPLUS.ours, SINGLES))
    words = [records.told[archive].words_of_thought(run) for archive, run in SINGLES]
    told = f"take {ours} tokens, three samples of RLVR-single {theirs}: it thinks for {listed(words)} words."
    assert told in page


def test_rlcr_single_keeps_its_answers_and_its_confidences_know_something(records: Archives, page: str):
    right = records.value(SINGLE, "pass_at_1")
    assert right > 0.95 * max(records.value(run, "pass_at_1") for run in SINGLES)
    assert records.of(SINGLE, "top1/brier_skill")["low"] > 0
    assert f"{percent(right, 1)} of its answers are right" in page


def test_without_the_warm_up_one_of_two_knows_little(records: Archives):
    for trainings, knowing in ((WEIGHT_4, [True, False]), (MORE, [False, True])):
        assert [records.value(run, "set/auroc") > 0.7 for run in trainings] == knowing
        assert [records.of(run, "top1/brier_skill")["low"] > 0.03 for run in trainings] == knowing
        assert [records.of(run, "top1/brier_skill")["high"] > 0.01 for run in trainings] == knowing
    assert records.of(FASTER, "pooled/brier_skill")["low"] > 0
    assert records.value(FASTER, "set/auroc") < 0.7


def test_more_patients_cost_coverage(records: Archives, notes: str):
    papers = records.value((MORE_PATIENTS, "rlvr-multi-seed1"), "coverage")
    below = [papers - records.value(run, "coverage") for run in MORE]
    assert f"With 16 x 8, coverage is also {listed([f'{each:.3f}' for each in below])} below RLVR-multi's." in notes
    with_fewer = [records.value(run, "coverage") for run in DDXPLUS.of("rlvr-multi")]
    assert all(records.value(run, "coverage") > other - 0.02 for run, other in zip(WEIGHT_4, with_fewer, strict=False))


@pytest.mark.slow
def test_confidences_that_know_something_vary_in_their_tenths_and_the_reverse_does_not_hold(records: Archives):
    digits = {title: digits_of(records.folder(run)) for title, run in TRAININGS.items()}
    within = {title: within_places(records.folder(run)) or 0 for title, run in TRAININGS.items()}
    knowing = {title for title, run in TRAININGS.items() if records.value(run, "set/auroc") > 0.7}
    assert knowing == {
        *(f"warm-up, 8 x 16, seed {seed}" for seed in range(3)),
        "no warm-up, 8 x 16, seed 0",
        "no warm-up, 16 x 8, seed 1",
    }
    assert all(within[title] > 0.75 and digits[title].share < 0.3 for title in knowing)
    others = digits.keys() - knowing
    assert len(others) == 8
    assert all(within[title] < 0.62 for title in others)
    varied = {"no warm-up, 8 x 16, weight 1, seed 0", "the paper's credit, 8 x 16, seed 1"}
    assert {title for title in others if digits[title].share < 0.5} == varied
    assert all(each.hundredths > 0.9 for title, each in digits.items() if "warm-up" in title)


def test_confidences_fall_first_and_less_with_the_warm_up(records: Archives, notes: str):
    lowest = {}
    for title, run in TRAININGS.items():
        log = records.log(run)
        means = [mean(step["confidence/mean"] for step in log[first : first + 10]) for first in range(len(log) - 9)]
        lowest[title] = min(means)
        low = means.index(min(means))
        assert low + 10 <= 46
        assert mean(step["coverage"] for step in log[low : low + 10]) < 1 / 3
        assert mean(step["confidence/mean"] for step in log[-10:]) > 3 * min(means)
    warmed = [low for title, low in lowest.items() if title.startswith("warm-up")]
    others = [low for title, low in lowest.items() if title.startswith("no warm-up")]
    assert len(warmed) + len(others) == 9
    assert f"fall to {thousandths(warmed)} with the warm-up" in notes
    assert f"to between {min(others):.3f} and {max(others):.3f} without" in notes
    papers = [low for title, low in lowest.items() if title.startswith("the paper's")]
    assert min(papers) > min(warmed)
    assert f"lower than with the warm-up, to {thousandths(papers)}, and three of those four" in notes


def test_with_the_warm_up_confidences_learn_late(records: Archives, notes: str):
    windows = [_by_window(records.log(run), "confidence/auroc_within_places") for run in DDXPLUS.ours]
    assert max(max(each[:4]) for each in windows) < 0.58
    assert min(each[-1] - each[3] for each in windows) > 0.1
    assert f"rises: to {listed([f'{each[-1]:.2f}' for each in windows])} in the last" in notes


def test_confidences_are_right_on_average_in_training_and_not_in_the_end(records: Archives, notes: str):
    last = [records.log(run)[-40:] for run in DDXPLUS.ours]
    on_average = [mean(step["confidence/mean"] - step["coverage"] for step in steps) for steps in last]
    in_the_end = [
        records.value(run, "pooled/confidence") - records.value(run, "pooled/accuracy") for run in DDXPLUS.ours
    ]
    spreads = [stdev(step["confidence/mean"] - step["coverage"] for step in steps) for steps in last]
    assert max(spreads) / 40**0.5 < 0.025
    assert (
        f"they were {listed([f'{gap:+.3f}' for gap in on_average])} off on average (seeds 0, 1, 2), give or take 0.02;"
        in notes
    )
    assert f"on the test patients they are {listed([f'{gap:+.3f}' for gap in in_the_end])} off" in notes


def test_no_alarm_about_confidences_rings_in_trainings_that_learn(records: Archives):
    for run in DDXPLUS.ours:
        board, log = AlarmBoard(), records.log(run)
        rung = {
            alarm.name
            for number, step in enumerate(log, start=1)
            for alarm in board.watch(number, {**step, PROGRESS: number / len(log)})
        }
        assert not {name for name in rung if name.startswith("confidence")}


@pytest.mark.parametrize(
    ("archive", "trainings", "made"),
    [(DDXPLUS.papers, 10, (8, 16, 160)), (WARMED, 3, (8, 16, 160)), (MORE_PATIENTS, 6, (16, 8, 132))],
    ids=[DDXPLUS.papers, WARMED, MORE_PATIENTS],
)
def test_runs_of_an_archive_differ_in_method_and_seed_alone(
    archive: str, trainings: int, made: tuple[int, ...], records: Archives
):
    told = records.told[archive]
    runs = sorted((told.folder / "train").iterdir())
    assert len(runs) == trainings
    for run in runs:
        recipe = read_recipe(run / "config.yaml")
        generation, optimisation = recipe.generation, recipe.optimisation
        assert (generation.prompts_per_step, generation.group_size, optimisation.steps) == made
        assert optimisation.learning_rate == (4e-6 if (archive, run.name) == FASTER else 2e-6)
        assert optimisation.calibration_warmup == (0.33 if archive == WARMED else 0)
        assert run.name.endswith(f"-seed{recipe.run.seed}")
        assert len(told.log(run.name)) == optimisation.steps


def test_the_recipe_has_the_chosen_settings(records: Archives):
    trained = read_recipe(records.told[WARMED].folder / "train" / DDXPLUS.ours[0][1] / "config.yaml")
    recipe = read_recipe(HERE.parent / "recipes" / "small" / "ddxplus" / "rlcr-multi-per-answer.yaml")
    assert recipe.optimisation == trained.optimisation
    assert recipe.generation == trained.generation
    assert recipe.reward == trained.reward


def test_the_chosen_settings_are_better_on_validation_patients(records: Archives):
    improving = (("pass_at_1", 1), ("pooled/brier", -1), ("pooled/auroc", 1))
    for better, worse, metrics in (
        (WEIGHT_4[0], WEIGHT_1, (*improving, ("coverage", 1))),
        (DDXPLUS.ours[0], WEIGHT_4[0], (*improving, ("coverage", 1), ("set/auroc", 1))),
        (MORE[1], FASTER, (*improving, ("set/auroc", 1))),
    ):
        for metric, sign in metrics:
            assert sign * (records.validated(better, metric) - records.validated(worse, metric)) > 0


def test_the_larger_weight_learns_faster(records: Archives, notes: str):
    weaker, chosen = (_by_window(records.log(run), "confidence/auroc") for run in (WEIGHT_1, WEIGHT_4[0]))
    assert all(own > other for own, other in zip(chosen[1:], weaker[1:], strict=True))
    assert f"{chosen[-1]:.3f} against {weaker[-1]:.3f} in the last" in notes


def _by_window(log: list[Step], metric: str) -> list[float]:
    windows = (log[first : first + WINDOW] for first in range(0, len(log), WINDOW))
    return [mean(step[metric] for step in window if metric in step) for window in windows]
