"""How many tokens of sets follow the thinking: what was measured, and what the overview says of it."""

from results.collecting import records_in
from results.goal_tables import ATTEMPTS
from results.rebuild import DOCS
from results.tokens import MEASURED, RUNS
from results.trainings import DDXPLUS_160, DDXPLUS_240, HOTPOTQA, HOTPOTQA_200, MBPP, MBPP_150, Trainings
from tests.results.archives import Archives
from tests.results.told import listed, prose

MEANS = {(each["archive"], each["run"]): each["after_thinking"] for each in records_in(MEASURED)}
"""Tokens after the thinking, by run."""
TRAINED = ((DDXPLUS_160, DDXPLUS_240), (HOTPOTQA, HOTPOTQA_200), (MBPP, MBPP_150))
"""Of each dataset."""


def allowed(records: Archives, dataset: Trainings) -> list[float]:
    """By seed: how many tokens the bound leaves for three answers."""
    return [0.6 * records.value(run, "tokens") for run in dataset.of("rlvr-single")]


def between(values: list[float]) -> str:
    return f"{min(values):.0f} to {max(values):.0f}"


def test_what_follows_the_thinking_is_a_part_of_each_run(records: Archives):
    assert MEANS.keys() == set(RUNS)
    assert all(0 < MEANS[run] < records.value(run, "tokens") for run in RUNS)


def test_what_follows_the_thinking_is_more_than_the_bound_allows(records: Archives):
    page = prose(DOCS / "results" / "overview.md")
    patients, questions, programs = (
        [MEANS[run] for _, dataset, runs in ATTEMPTS if dataset in each for run in runs] for each in TRAINED
    )
    of_patients, of_questions, of_programs = (
        sorted(tokens for each in trainings for tokens in allowed(records, each)) for trainings in TRAINED
    )
    *of_patients, most = of_patients
    assert most > 2 * of_patients[-1]
    bound = f"{between(of_patients)} beside five of the six trainings of RLVR-single,"
    assert f"takes {between(patients)} tokens on DDXPlus, where the bound allows {bound}" in page
    assert f"{between(questions)} on HotPotQA-Modified, where it allows {between(of_questions)}," in page
    assert f"and {between(programs)} on MBPP, where it allows {between(of_programs)} (`python" in page
    sets = listed([f"{MEANS[run]:.0f}" for run in MBPP.of("rlvr-multi")])
    assert f"On MBPP tags and programs of RLVR-multi, which states no confidences, take {sets}." in page


def test_how_many_would_fit(records: Archives):
    fits = [
        MEANS[run] <= allowed(records, dataset)[seed] for _, dataset, runs in ATTEMPTS for seed, run in enumerate(runs)
    ]
    assert (sum(fits), len(fits)) == (2, 16)
    assert "Without any thought two of the sixteen would fit." in prose(DOCS / "results" / "overview.md")


def test_single_models_hardly_think_about_patients_and_questions_but_for_one(records: Archives):
    singles = [run for each in (*TRAINED[0], *TRAINED[1]) for run in each.of("rlvr-single")]
    *few, (most, thinking) = sorted((records.value(run, "tokens"), run) for run in singles)
    words = records.told[thinking[0]].words_of_thought(thinking[1])
    page = prose(DOCS / "results" / "overview.md")
    assert f"three answers take {between([each for each, _ in few])} tokens." in page
    assert thinking == DDXPLUS_240.of("rlvr-single")[1]
    told = f"with 240 steps and seed 1 on DDXPlus it thinks for {words} words, and three answers take {most:.0f}."
    assert told in page
