"""How the settings of credit per answer were found: what the records must show, and what the notes say of them."""

from statistics import mean, stdev

import pytest

from results.credit_settings import FASTER, MORE, TRAININGS, WEIGHT_1, WEIGHT_4, digits_of
from results.readings import within_places
from results.rebuild import DOCS, HERE
from results.trainings import DDXPLUS_160, DDXPLUS_240, DECAYED, MORE_PATIENTS
from setwise.config import read_recipe
from setwise.records.training_log import Step
from setwise.training.watch.alarms import PROGRESS, AlarmBoard
from tests.results.archives import Archives, thousandths
from tests.results.told import listed, prose

WINDOW = 20
WARMED, FALLING, LONG = DDXPLUS_160.per_answer, DECAYED[0][0], DDXPLUS_240.ours[0][0]


@pytest.fixture(scope="module")
def notes() -> str:
    return prose(DOCS / "results" / "ddxplus-credit-settings.md")


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
    with_fewer = [records.value(run, "coverage") for run in DDXPLUS_160.of("rlvr-multi")]
    assert all(records.value(run, "coverage") > other - 0.02 for run, other in zip(WEIGHT_4, with_fewer, strict=False))


@pytest.mark.slow
def test_confidences_that_know_something_vary_in_their_tenths_and_the_reverse_does_not_hold(records: Archives):
    digits = {title: digits_of(records.folder(run)) for title, run in TRAININGS.items()}
    within = {title: within_places(records.folder(run)) or 0 for title, run in TRAININGS.items()}
    knowing = {title for title, known in within.items() if known > 0.75}
    assert knowing == {
        *(f"warm-up, 8 x 16, seed {seed}" for seed in range(3)),
        "warm-up, falling rate, 8 x 16, seed 1",
        *(f"warm-up, 240 steps, 8 x 16, seed {seed}" for seed in range(3)),
        "no warm-up, 8 x 16, seed 0",
        "no warm-up, 16 x 8, seed 1",
    }
    assert all(digits[title].share < 0.3 for title in knowing)
    others = digits.keys() - knowing
    assert len(others) == 10
    longer = "the paper's credit, 240 steps, 8 x 16, seed 0"
    assert {title for title in others if within[title] >= 0.62} == {longer}
    assert within[longer] < 0.64
    varied = {
        "no warm-up, 8 x 16, weight 1, seed 0",
        "warm-up, falling rate, 8 x 16, seed 0",
        "the paper's credit, 8 x 16, seed 1",
        longer,
    }
    assert {title for title in others if digits[title].share < 0.5} == varied
    less = {title for title, each in digits.items() if "warm-up" in title and each.hundredths < 0.9}
    assert less == {"warm-up, falling rate, 8 x 16, seed 1"}


def test_confidences_fall_first(records: Archives, notes: str):
    lowest = {}
    for title, run in TRAININGS.items():
        log = records.log(run)
        means = [mean(step["confidence/mean"] for step in log[first : first + 10]) for first in range(len(log) - 9)]
        lowest[title] = min(means)
        low = means.index(min(means))
        assert low + 10 <= 46
        assert mean(step["coverage"] for step in log[low : low + 10]) < 1 / 3
        assert mean(step["confidence/mean"] for step in log[-10:]) > 3 * min(means)
    warmed, (little, much), longer, others, papers = (
        [low for title, low in lowest.items() if title.startswith(named)]
        for named in ("warm-up, 8", "warm-up, falling", "warm-up, 240", "no warm-up", "the paper's")
    )
    assert len(lowest) == len(warmed) + 2 + len(longer) + len(others) + len(papers)
    assert min(warmed + longer) > max(others)
    assert (
        f"is {thousandths(warmed)} with the warm-up, {little:.3f} (the one that knows little) and {much:.3f} with"
        in notes
    )
    assert f"with the falling rate too, {thousandths(longer)} with 240 steps, and between" in notes
    assert f"and between {min(others):.3f} and {max(others):.3f} without the warm-up." in notes
    *papers, after_240 = papers
    assert (
        f"with the paper's credit they fall to {thousandths(papers)}, with 240 steps to {after_240:.3f}, and" in notes
    )


def test_with_the_warm_up_confidences_learn_late(records: Archives, notes: str):
    windows = [_by_window(records.log(run), "confidence/auroc_within_places") for run in DDXPLUS_160.ours]
    assert max(max(each[:4]) for each in windows) < 0.58
    assert min(each[-1] - each[3] for each in windows) > 0.1
    assert f"rises: to {listed([f'{each[-1]:.2f}' for each in windows])} in the last" in notes


def test_confidences_are_right_on_average_in_training_and_not_in_the_end(records: Archives, notes: str):
    last = [records.log(run)[-40:] for run in DDXPLUS_160.ours]
    on_average = [mean(step["confidence/mean"] - step["coverage"] for step in steps) for steps in last]
    in_the_end = [
        records.value(run, "pooled/confidence") - records.value(run, "pooled/accuracy") for run in DDXPLUS_160.ours
    ]
    spreads = [stdev(step["confidence/mean"] - step["coverage"] for step in steps) for steps in last]
    assert max(spreads) / 40**0.5 < 0.025
    gaps = listed([f"{gap:+.3f}" for gap in on_average])
    assert f"confidences were {gaps} off on average (seeds 0, 1, 2), give or take 0.02;" in notes
    assert f"on the test patients they are {listed([f'{gap:+.3f}' for gap in in_the_end])} off" in notes


def test_no_alarm_about_confidences_rings_in_trainings_that_learn(records: Archives):
    for run in DDXPLUS_160.ours:
        board, log = AlarmBoard(), records.log(run)
        rung = {
            alarm.name
            for number, step in enumerate(log, start=1)
            for alarm in board.watch(number, {**step, PROGRESS: number / len(log)})
        }
        assert not {name for name in rung if name.startswith("confidence")}


@pytest.mark.parametrize(
    ("archive", "trainings", "made"),
    [
        (DDXPLUS_160.papers, 13, (8, 16, 160)),
        (WARMED, 3, (8, 16, 160)),
        (FALLING, 2, (8, 16, 160)),
        (LONG, 10, (8, 16, 240)),
        (MORE_PATIENTS, 6, (16, 8, 132)),
    ],
    ids=[DDXPLUS_160.papers, WARMED, FALLING, LONG, MORE_PATIENTS],
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
        warmed = archive in (WARMED, FALLING, LONG) and "per-answer" in run.name
        assert optimisation.calibration_warmup == (0.33 if warmed else 0)
        assert optimisation.decay_fraction == (0.25 if archive == FALLING else 0)
        assert run.name.endswith(f"-seed{recipe.run.seed}")
        assert len(told.log(run.name)) == optimisation.steps


def test_the_recipe_has_the_chosen_settings(records: Archives):
    archive, run = DDXPLUS_240.ours[0]
    recipe = HERE.parent / "recipes" / "small" / "ddxplus" / "rlcr-multi-per-answer.yaml"
    records.told[archive].assert_trained_by(run, recipe)


def test_the_chosen_settings_are_better_on_validation_patients(records: Archives):
    improving = (("pass_at_1", 1), ("pooled/brier", -1), ("pooled/auroc", 1))
    for better, worse, metrics in (
        (WEIGHT_4[0], WEIGHT_1, (*improving, ("coverage", 1))),
        (DDXPLUS_160.ours[0], WEIGHT_4[0], (*improving, ("coverage", 1), ("set/auroc", 1))),
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
