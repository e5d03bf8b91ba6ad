"""RLVR-multi paid otherwise than in the paper: what the page says of the records."""

from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import estimate_span
from results.differences import difference
from results.rebuild import DOCS, HERE
from results.rlvr_multi import PAPERS, PER_ANSWER, TRAINED
from results.trainings import DDXPLUS_160, MBPP, Run, evaluations
from setwise.config import read_recipe
from setwise.records.run import RunFolder
from tests.results.archives import Archives, audited, audited_share, thousandths
from tests.results.told import listed, percent, prose

PATIENTS, QUESTIONS, PROGRAMS = TRAINED.values()
OF_PATIENTS, [PATIENTS_PER_ANSWER], [PATIENTS_VPO] = PATIENTS.values()
OF_PROGRAMS, [PROGRAMS_PER_ANSWER], [PROGRAMS_VPO] = PROGRAMS.values()
OTHERS = [run for trained in TRAINED.values() for [run] in [*trained.values()][1:]]


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "rlvr-multi.md")


def right_by_place(unpacked: dict[str, Path], run: Run) -> str:
    [folder] = evaluations(unpacked, [run])
    sets = [attempt.correct for attempt in RunFolder(folder).attempts()]
    return thousandths([fmean(place < len(right) and right[place] for right in sets) for place in range(3)])


def lower_end(metric: str, pair: list[Path]) -> float:
    """Of the difference between two runs."""
    low = difference(metric, *pair).low
    assert low is not None
    return low


def test_credit_per_answer_did_not_help_patients(records: Archives, page: str):
    first, coverage, any_right = (
        (records.value(PATIENTS_PER_ANSWER, metric), [records.value(run, metric) for run in OF_PATIENTS])
        for metric in ("pass_at_1", "coverage", "pass_at_k")
    )
    assert max(first[1]) > first[0] > first[1][0]
    assert f"first answers, {first[0]:.3f}, are better than those with the same seed but lie among the three" in page
    assert f"the three trainings' {thousandths(first[1])}." in page
    assert coverage[0] < min(coverage[1])
    assert any_right[0] < min(any_right[1])
    assert f"Coverage, {coverage[0]:.3f}, is below that of all three trainings" in page
    assert f"with the paper's credit, {thousandths(coverage[1])}." in page
    assert f"sets with a right answer, {any_right[0]:.3f} against {thousandths(any_right[1])}." in page


@pytest.mark.parametrize("trained", [QUESTIONS, PROGRAMS], ids=["questions", "programs"])
def test_elsewhere_it_is_above_and_within_chance(
    unpacked: dict[str, Path], records: Archives, page: str, trained: dict[str, list[Run]]
):
    assert "are above both trainings', but within chance of those with the same seed." in page
    papers, [ours] = trained[PAPERS], trained[PER_ANSWER]
    pair = evaluations(unpacked, [papers[0], ours])
    for metric in ("pass_at_1", "pass_at_k", "coverage"):
        assert records.value(ours, metric) > max(records.value(run, metric) for run in papers)
        assert lower_end(metric, pair) < 0, "within chance of the training with the same seed"


def test_with_vpo_the_best_program_passes_more_tests(unpacked: dict[str, Path], records: Archives, page: str):
    pair = evaluations(unpacked, [OF_PROGRAMS[0], PROGRAMS_VPO])
    ours, papers = records.value(PROGRAMS_VPO, "best_at_k"), [records.value(run, "best_at_k") for run in OF_PROGRAMS]
    more = difference("best_at_k", *pair)
    assert lower_end("best_at_k", pair) > 0
    assert f"that of three samples:** {ours:.3f} of them, with the paper's credit {thousandths(papers)}," in page
    assert f"a difference of {estimate_span(more)} with the same seed;" in page
    assert f"those two trainings differ by {abs(papers[0] - papers[1]):.3f} themselves." in page
    single = records.values(MBPP.of("rlvr-single"), "best_at_k")
    per_answer = records.values([PROGRAMS_PER_ANSWER], "best_at_k")
    gaps = [difference("best_at_k", run, pair[1]) for run in evaluations(unpacked, MBPP.of("rlvr-single"))]
    assert all((gap.low or 0) < 0 < (gap.high or 0) for gap in gaps), "not shown to pass more"
    spans = listed([*map(estimate_span, gaps)])
    assert f"Three samples of RLVR-single have {single}, differences of {spans}, and credit" in page
    assert f"and credit per answer has {per_answer}." in page
    right, coverage = (
        f"{records.value(PROGRAMS_VPO, metric):.3f} against {records.values(OF_PROGRAMS, metric)}"
        for metric in ("pass_at_k", "coverage")
    )
    assert lower_end("pass_at_k", pair) < 0
    assert f"sets with a right program, {right}, is within chance of the one with the same seed." in page
    assert f"Coverage is lower, {coverage}:" in page


def test_vpo_hardly_repeats_a_program(unpacked: dict[str, Path], records: Archives, page: str):
    repeated = repeating(unpacked, PROGRAMS_VPO)
    assert f"{sum(repeated)} of its {len(repeated):,} sets do, with other names or idle code;" in page
    ours, *papers = (audited_share(run, "equivalent_programs") for run in (PROGRAMS_PER_ANSWER, *OF_PROGRAMS))
    assert f"with the paper's credit {listed(papers)} of them do, per answer {ours}." in page
    for run, share in zip(OF_PROGRAMS, papers, strict=True):
        assert percent(fmean(repeating(unpacked, run))) == share, "the audit counts the same sets"
    counted = [f"{records.value(run, 'distinct_correct/canonical'):.2f}" for run in (PROGRAMS_VPO, *OF_PROGRAMS)]
    told = (
        "a set holds {} different right programs, as many as the paper's with the same seed, {}; its other training has"
    )
    assert f"{told.format(*counted)} {counted[2]}." in page
    assert f"in RLVR-multi per answer {ours}, and with [VPO]" in prose(DOCS / "results" / "audit.md")


def repeating(unpacked: dict[str, Path], run: Run) -> list[bool]:
    """By set: whether two of its programs are the same but for names and what changes no result."""
    [folder] = evaluations(unpacked, [run])
    return [len(each.distinct_canonical) < len(each.distinct) for each in RunFolder(folder).attempts()]


def test_on_patients_vpo_finds_fewer_right_answers(unpacked: dict[str, Path], records: Archives, page: str):
    assert f"By place {right_by_place(unpacked, PATIENTS_VPO)} are right." in page
    assert records.value(PATIENTS_VPO, "coverage") < min(records.value(run, "coverage") for run in OF_PATIENTS)
    assert records.value(PATIENTS_VPO, "pass_at_k") < max(records.value(run, "pass_at_k") for run in OF_PATIENTS)
    [folder] = evaluations(unpacked, [PATIENTS_VPO])
    golds = fmean(attempt.n_golds or 0 for attempt in RunFolder(folder).attempts())
    assert f"divided by the number of golds, {golds:.1f} on average" in page
    covered = [
        f"{fmean(step['coverage'] for step in records.log(run)[40:60]):.2f}" for run in (PATIENTS_VPO, OF_PATIENTS[0])
    ]
    assert f"in steps 41 to 60 its coverage was {covered[0]}, that of the paper's credit with the same seed" in page
    assert f"with the same seed {covered[1]}." in page
    vpo, ours, *papers = (
        audited_share(run, "near_duplicates") for run in (PATIENTS_VPO, PATIENTS_PER_ANSWER, *OF_PATIENTS)
    )
    [twice] = [found for found in audited(PATIENTS_VPO)["findings"] if found["name"] == "near_duplicates"]
    assert twice["examples"][0]["quote"].startswith("anemia / anaphylactoid anemia ")
    assert f"{vpo}, such as anemia and *anaphylactoid anemia*;" in page
    assert f"with the paper's credit {listed(papers)}, per answer {ours}." in page


def test_a_set_of_programs_can_earn_as_much_with_vpo():
    vpo, papers = (read_recipe(HERE.parent / f"recipes/small/mbpp/rlvr-multi{name}.yaml") for name in ("-vpo", ""))
    assert vpo.reward.weights["correctness"] == papers.objective.k


@pytest.mark.parametrize("run", OTHERS, ids=lambda run: "-".join(run))
def test_the_recipes_have_the_published_settings(records: Archives, run: Run):
    archive, name = run
    recipe = HERE.parent / "recipes" / "small" / archive.split("-")[0] / f"{name.removesuffix('-seed0')}.yaml"
    fewer = ["optimisation.steps=160"] if archive == DDXPLUS_160.papers else []
    records.told[archive].assert_trained_by(name, recipe, *fewer)
