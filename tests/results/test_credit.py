"""Credit per answer on a real model: what the records must show, and what its page says of them."""

from statistics import mean

import pytest

from results.claims import over_seeds
from results.confidence_digits import TRAININGS, digits_of
from results.credit_tables import AGAIN, BEFORE, CHOSEN, EQUAL, FASTER, MORE, OURS, PER_ANSWER, PER_ANSWER_AGAIN
from results.rebuild import DOCS, HERE
from results.records import unpack
from setwise.config import read_recipe
from setwise.records.training_log import Step
from tests.results.told import Told, percent, prose

WEAKER, _, SINGLE = PER_ANSWER.values()
WINDOW = 20


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    folder = tmp_path_factory.mktemp("records")
    archives = (OURS, EQUAL, MORE, *BEFORE)
    for archive in archives:
        unpack(HERE / f"{archive}.tar.xz", folder / archive)
    return {archive: Told(folder / archive) for archive in archives}


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "ddxplus-credit.md")


@pytest.fixture(scope="module")
def chosen(told: dict[str, Told]) -> list[tuple[Told, str]]:
    """The trainings with the chosen settings, as the page lists them."""
    return [(told[archive], run) for seeds in PER_ANSWER_AGAIN.values() for _, (archive, run) in seeds]


def listed(values: list[str]) -> str:
    return f"{', '.join(values[:-1])} and {values[-1]}"


def test_confidences_beat_their_best_constant_in_every_training(
    told: dict[str, Told], chosen: list[tuple[Told, str]], page: str
):
    assert len(chosen) == 4
    assert all(records.of(run, "pooled/brier_skill")["low"] > 0 for records, run in chosen)
    briers = [records.of(run, "pooled/brier") for records, run in chosen]
    spans = [f"{brier['value']:.3f} [{brier['low']:.3f}, {brier['high']:.3f}]" for brier in briers]
    constants = [f"{records.value(run, 'pooled/brier_base_rate'):.3f}" for records, run in chosen]
    assert f"are {listed(spans)}. The best constants have {listed(constants)}." in page
    papers = [(told[EQUAL], "rlcr-multi-seed0"), (told[MORE], "rlcr-multi-seed1")]
    worse, alike = (records.of(run, "pooled/brier_skill") for records, run in papers)
    assert worse["high"] < 0
    assert alike["low"] < 0 < alike["high"]
    brier, constant = (
        " and ".join(f"{records.value(run, f'pooled/{name}'):.3f}" for records, run in papers)
        for name in ("brier", "brier_base_rate")
    )
    assert f"RLCR-multi has {brier}, its constants {constant}." in page


def test_how_much_they_know_differs(told: dict[str, Told], chosen: list[tuple[Told, str]], page: str):
    answers, sets = ([records.value(run, f"{of}/auroc") for records, run in chosen] for of in ("pooled", "set"))
    assert f"in {percent(answers[0])} and {percent(answers[3])} of pairs" in page
    assert f"(AUROC {answers[0]:.3f} and {answers[3]:.3f})" in page
    assert f"one without in {percent(sets[0])} and {percent(sets[3])} ({sets[0]:.3f} and {sets[3]:.3f})" in page
    assert f"In the other two, sets get {sets[1]:.3f} and {sets[2]:.3f}:" in page
    of_first = [records.of(run, "top1/brier_skill") for records, run in chosen]
    assert all(skill["low"] > 0.03 for skill in (of_first[0], of_first[3]))
    assert all(skill["high"] < 0.01 for skill in of_first[1:3])
    faster = told[MORE].of(FASTER, "pooled/brier_skill")
    assert faster["low"] > 0
    assert told[MORE].value(FASTER, "pooled/auroc") < min(answers)


def test_confidences_that_know_something_vary_in_their_tenths_and_the_reverse_does_not_hold(told: dict[str, Told]):
    digits = {title: digits_of(told[archive].folder / "eval" / run) for title, (archive, run) in TRAININGS.items()}
    knowing = [title for title, (archive, run) in TRAININGS.items() if told[archive].value(run, "set/auroc") > 0.7]
    assert knowing == ["per answer, 8 x 16, seed 0", "per answer, 16 x 8, seed 1"]
    assert all(digits[title].auroc_within_places > 0.75 and digits[title].share < 0.3 for title in knowing)
    others = digits.keys() - set(knowing)
    assert len(others) == 6
    assert all(digits[title].auroc_within_places < 0.58 for title in others)
    assert {title for title in others if digits[title].share < 0.5} == {"per answer, 8 x 16, weight 1, seed 0"}
    assert all(each.hundredths > 0.9 for title, each in digits.items() if title.startswith("per answer"))


def test_confidences_fall_first(told: dict[str, Told], page: str):
    lowest, right = [], []
    for archive, run in TRAININGS.values():
        log = told[archive].log(run)
        means = [mean(step["confidence/mean"] for step in log[first : first + 10]) for first in range(31)]
        lowest.append(min(means))
        low = means.index(min(means))
        right.append(mean(step["coverage"] for step in log[low : low + 10]))
        assert mean(step["confidence/mean"] for step in log[-10:]) > 3 * min(means)
    assert f"to {max(lowest):.2f} or less" in page
    assert max(right) < 1 / 3


def test_first_answers_coverage_and_tokens_are_told(told: dict[str, Told], chosen: list[tuple[Told, str]], page: str):
    singles = [
        (told[EQUAL], "rlvr-single-seed0"),
        (told[EQUAL], "rlvr-single-seed1"),
        (told[MORE], "rlvr-single-seed1"),
    ]
    right = [percent(records.value(run, "pass_at_1"), 1) for records, run in (chosen[0], chosen[1], chosen[3])]
    of_single = [percent(records.value(run, "pass_at_1"), 1) for records, run in singles]
    assert f"The fourth training, {percent(chosen[2][0].value(chosen[2][1], 'pass_at_1'), 1)}," in page
    assert f"right for {listed(right)} of patients, where RLVR-single's is for {listed(of_single)}" in page
    groups = ([records.folder / "eval" / run for records, run in runs] for runs in (singles, [*chosen[:2], chosen[3]]))
    over = over_seeds("pass_at_1", *groups).value
    assert f"the difference is {over.value:+.3f} [{over.low:+.3f}, {over.high:+.3f}]" in page
    coverage = [records.value(run, "coverage") for records, run in chosen]
    papers = [
        told[archive].value(run, "coverage")
        for archive, run in ((EQUAL, "rlvr-multi-seed0"), (MORE, "rlvr-multi-seed1"))
    ]
    assert min(coverage[:2]) > papers[0] - 0.02
    assert max(coverage[2:]) < papers[1] - 0.02
    assert f"8 x 16 ({coverage[0]:.3f} and {coverage[1]:.3f} against {papers[0]:.3f})" in page
    assert f"16 x 8 ({coverage[2]:.3f} and {coverage[3]:.3f} against {papers[1]:.3f})" in page
    tokens = [records.value(run, "tokens") for records, run in chosen]
    assert f"take {min(tokens):.0f} to {max(tokens):.0f} tokens" in page
    of_singles = [f"{records.value(run, 'tokens'):.0f}" for records, run in singles]
    assert f"three of its samples take {listed(of_singles)}." in page


@pytest.mark.parametrize(
    ("archive", "trainings", "made"), [(EQUAL, 5, (8, 16, 160)), (MORE, 6, (16, 8, 132))], ids=[EQUAL, MORE]
)
def test_runs_of_an_archive_differ_in_method_and_seed_alone(
    archive: str, trainings: int, made: tuple[int, ...], told: dict[str, Told]
):
    runs = sorted((told[archive].folder / "train").iterdir())
    assert len(runs) == trainings
    for run in runs:
        recipe = read_recipe(run / "config.yaml")
        generation, optimisation = recipe.generation, recipe.optimisation
        assert (generation.prompts_per_step, generation.group_size, optimisation.steps) == made
        assert optimisation.learning_rate == (4e-6 if run.name == FASTER else 2e-6)
        assert run.name.endswith(f"-seed{recipe.run.seed}")
        assert len(told[archive].log(run.name)) == optimisation.steps


def test_the_rate_was_chosen_on_validation_patients_by_confidences(told: dict[str, Told]):
    for metric, better in (("pass_at_1", 1), ("pooled/brier", -1), ("pooled/auroc", 1), ("set/auroc", 1)):
        chosen, faster = (told[MORE].value(f"{run}-validation", metric) for run in (AGAIN, FASTER))
        assert better * (chosen - faster) > 0


def test_rlcr_single_keeps_its_answers_and_its_confidences_know_something(told: dict[str, Told], page: str):
    right = told[OURS].value(SINGLE, "pass_at_1")
    assert right > 0.95 * max(told[EQUAL].value(f"rlvr-single-seed{seed}", "pass_at_1") for seed in (0, 1))
    assert told[OURS].of(SINGLE, "top1/brier_skill")["low"] > 0
    assert f"{percent(right, 1)} of its answers are right" in page
    assert f"{percent(right, 1)} right" in prose(DOCS / "results" / "overview.md")


def test_the_larger_weight_learns_faster_and_is_better_on_validation_patients(told: dict[str, Told], page: str):
    ours = told[OURS]
    weaker, chosen = (_auroc_by_window(ours.log(run)) for run in (WEAKER, CHOSEN))
    assert all(own > other for own, other in zip(chosen[1:], weaker[1:], strict=True))
    assert f"{chosen[-1]:.3f} against {weaker[-1]:.3f} in the last" in page
    for metric, better in (("pass_at_1", 1), ("coverage", 1), ("pooled/brier", -1), ("pooled/auroc", 1)):
        values = [ours.value(f"{run}-validation", metric) for run in (CHOSEN, WEAKER)]
        assert better * (values[0] - values[1]) > 0


def _auroc_by_window(log: list[Step]) -> list[float]:
    windows = (log[first : first + WINDOW] for first in range(0, len(log), WINDOW))
    return [mean(step["confidence/auroc"] for step in window if "confidence/auroc" in step) for window in windows]
