"""Credit per answer on a real model: what the records must show, and what its page says of them."""

from statistics import mean

import pytest

from results.credit_tables import AGAIN, BEFORE, CHOSEN, EQUAL, OURS, PER_ANSWER
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
    archives = (OURS, EQUAL, *BEFORE)
    for archive in archives:
        unpack(HERE / f"{archive}.tar.xz", folder / archive)
    return {archive: Told(folder / archive) for archive in archives}


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "ddxplus-credit.md")


@pytest.fixture(scope="module")
def chosen(told: dict[str, Told]) -> list[tuple[Told, str]]:
    """The chosen settings, by seed."""
    return [(told[OURS], CHOSEN), (told[EQUAL], AGAIN)]


def test_confidences_beat_their_best_constant_with_both_seeds(
    told: dict[str, Told], chosen: list[tuple[Told, str]], page: str
):
    assert all(records.of(run, "pooled/brier_skill")["low"] > 0 for records, run in chosen)
    briers = [records.of(run, "pooled/brier") for records, run in chosen]
    spans = [f"{brier['value']:.3f} [{brier['low']:.3f}, {brier['high']:.3f}]" for brier in briers]
    constants = [f"{records.value(run, 'pooled/brier_base_rate'):.3f}" for records, run in chosen]
    assert f"are {' and '.join(spans)}. The best constants have {' and '.join(constants)}." in page
    equal = told[EQUAL]
    brier, constant = (equal.value("rlcr-multi-seed0", f"pooled/{name}") for name in ("brier", "brier_base_rate"))
    assert equal.of("rlcr-multi-seed0", "pooled/brier_skill")["high"] < 0
    assert f"RLCR-multi has {brier:.3f}, worse than its constant's {constant:.3f}" in page


def test_how_much_they_know_differs(chosen: list[tuple[Told, str]], page: str):
    answers, sets = ([records.value(run, f"{of}/auroc") for records, run in chosen] for of in ("pooled", "set"))
    assert f"in {percent(answers[0])} of pairs (AUROC {answers[0]:.3f})" in page
    assert f"one without in {percent(sets[0])} ({sets[0]:.3f})" in page
    assert f"With seed 1, {percent(answers[1])} and {percent(sets[1])}:" in page
    known = chosen[1][0].of(AGAIN, "top1/brier_skill")
    assert known["low"] < 0 < known["high"]
    for records, run in chosen:
        *_, before, last = _auroc_by_window(records.log(run))
        assert last > before


def test_neither_first_answers_nor_coverage_are_shown_to_be_the_price(
    told: dict[str, Told], chosen: list[tuple[Told, str]], page: str
):
    ours, singles = (
        [percent(records.value(run, "pass_at_1"), 1) for records, run in runs]
        for runs in (chosen, [(told[EQUAL], f"rlvr-single-seed{seed}") for seed in (0, 1)])
    )
    assert (
        f"right for {ours[0]} of patients with seed 0, where RLVR-single's is for {singles[0]}; "
        f"with seed 1 for {ours[1]}, where RLVR-single's is for {singles[1]}." in page
    )
    coverage = [records.value(run, "coverage") for records, run in chosen]
    papers = [told[EQUAL].value(f"{run}-seed0", "coverage") for run in ("rlvr-multi", "rlcr-multi")]
    assert min(coverage) > papers[0] - 0.02
    assert (
        f"It is {coverage[0]:.3f} and {coverage[1]:.3f}, RLVR-multi's {papers[0]:.3f}, RLCR-multi's {papers[1]:.3f}."
        in page
    )
    tokens = [records.value(run, "tokens") for records, run in chosen]
    of_single = [told[EQUAL].value(f"rlvr-single-seed{seed}", "tokens") for seed in (0, 1)]
    assert f"take {tokens[0]:.0f} and {tokens[1]:.0f} tokens" in page
    assert f"three of its samples take {of_single[0]:.0f} and {of_single[1]:.0f}." in page


def test_runs_with_as_many_steps_differ_in_method_and_seed_alone(told: dict[str, Told]):
    runs = sorted((told[EQUAL].folder / "train").iterdir())
    assert len(runs) == 5
    for run in runs:
        recipe = read_recipe(run / "config.yaml")
        made = recipe.generation.prompts_per_step, recipe.generation.group_size, recipe.optimisation.steps
        assert made == (8, 16, 160)
        assert recipe.optimisation.learning_rate == 2e-6
        assert run.name.endswith(f"-seed{recipe.run.seed}")
        assert len(told[EQUAL].log(run.name)) == 160


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
